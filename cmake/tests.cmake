# How tests are handed to ctest: in groups, each one process, so that what a process reads and prepares serves many tests. The
# output of a group that fails names the tests that failed; a test that crashes fails its group.
#
# Each group has one label. fast: the tests beside the code of a folder. validate: shipped models and published values.
# slow: what starts compilers and interpreters, or the program itself.

# linkwork_test_groups(PROGRAM NAME LABEL COUNT FILTER): the tests of PROGRAM that FILTER takes, dealt out to COUNT groups.
function(linkwork_test_groups program name label count filter)
  foreach(number RANGE 1 ${count})
    set(group ${name}.${number})
    if(count EQUAL 1)
      set(group ${name})
    endif()
    math(EXPR index "${number} - 1")
    add_test(NAME ${group} COMMAND ${program} "--gtest_filter=${filter}")
    set_tests_properties(${group} PROPERTIES LABELS ${label} ENVIRONMENT "GTEST_TOTAL_SHARDS=${count};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

# linkwork_model_groups(PROGRAM NAME LABEL COUNT [ASIDE...]): a group NAME.MODEL for every model of models/, of the tests whose
# parameter is called MODEL or MODEL_...: each process reads one model. The tests that belong to no model are dealt out to
# COUNT groups more. Tests that one of the filters ASIDE takes are in none of them.
function(linkwork_model_groups program name label count)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*.toml)
  set(models "")
  foreach(file IN LISTS files)
    cmake_path(GET file STEM model)
    list(APPEND models ${model})
  endforeach()
  set(no_model ${ARGN})
  foreach(model IN LISTS models)
    set(without ${ARGN})
    foreach(other IN LISTS models)
      if(other MATCHES "^${model}_") # four_bar_grashof is no test of four_bar
        list(APPEND without "*/${other}" "*/${other}_*")
      endif()
    endforeach()
    list(JOIN without ":" without)
    linkwork_test_groups(${program} ${name}.${model} ${label} 1 "*/${model}:*/${model}_*-${without}")
    list(APPEND no_model "*/${model}" "*/${model}_*")
  endforeach()
  list(JOIN no_model ":" no_model)
  linkwork_test_groups(${program} ${name}.no_model ${label} ${count} "-${no_model}")
endfunction()
