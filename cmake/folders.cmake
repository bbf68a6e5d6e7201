# One static library and one test program per folder of src/linkwork, linked in the one-way order of docs/architecture.md.

include(GNUInstallDirs)
add_library(linkwork_options INTERFACE)
# Our own warnings and settings are not those of a project that uses an installed Linkwork.
target_compile_options(
  linkwork_options INTERFACE "$<BUILD_INTERFACE:-Wall;-Wextra;-Wpedantic;-Wconversion;-Wno-sign-conversion;-Wshadow>"
                             $<BUILD_INTERFACE:-ffp-contract=off>)
cmake_host_system_information(RESULT linkwork_memory QUERY TOTAL_PHYSICAL_MEMORY)
cmake_host_system_information(RESULT linkwork_cores QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR linkwork_memory "${linkwork_memory} / ${linkwork_cores}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND linkwork_memory GREATER 3000) # MiB for each core
  # The compiler clears its memory up from a gigabyte on, not from an eighth of that: about a tenth of the time less.
  target_compile_options(linkwork_options INTERFACE $<BUILD_INTERFACE:--param=ggc-min-heapsize=1000000>)
endif()
target_compile_features(linkwork_options INTERFACE cxx_std_20)
target_include_directories(linkwork_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                                                      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(linkwork_options PROPERTIES EXPORT_NAME options)
if(LINKWORK_SANITIZE)
  target_compile_options(
    linkwork_options INTERFACE -fsanitize=${LINKWORK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(LINKWORK_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Checks of every single access, which the address sanitizer makes anyway or the machine does not mind; without them a
    # build takes two thirds of the time.
    target_compile_options(linkwork_options INTERFACE -fno-sanitize=null,alignment,object-size,vptr)
  endif()
  target_link_options(linkwork_options INTERFACE -fsanitize=${LINKWORK_SANITIZE})
endif()

if(LINKWORK_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "LINKWORK_FUZZ needs clang (libFuzzer comes with it): cmake --preset fuzz")
  endif()
  target_compile_options(linkwork_options INTERFACE -fsanitize=fuzzer-no-link)
  add_custom_target(fuzz) # all fuzz programs; their names stand in fuzz_targets.txt of the build folder
  file(WRITE ${CMAKE_BINARY_DIR}/fuzz_targets.txt "")
endif()

# Headers of libraries that nearly every file reads, compiled once: linkwork_headers, and others for what is compiled with
# fewer optimisations: folders outside of the kernels (linkwork_light_headers), the command line, and tests, most of
# which run for milliseconds. linkwork_precompile(TARGET OWNER) lets a target use those of OWNER, and its optimisations.
set(linkwork_common_headers
    <algorithm> <array> <cmath> <functional> <map> <memory> <optional> <span> <string> <vector> <fmt/format.h> <fmt/ranges.h>
    <Eigen/Dense>)
set(linkwork_app_headers_options $<$<CONFIG:Release>:-O1>)
set(linkwork_test_headers_options $<$<CONFIG:Release>:-Og>)
set(linkwork_light_headers_options $<$<CONFIG:Release>:-O1>)
set(linkwork_precompiled_options # for ccache
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess> "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
function(linkwork_headers name library)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${name}.cpp CONTENT "// Nothing: what belongs to ${name} stands in headers.\n")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE linkwork_options fmt::fmt Eigen3::Eigen ${library})
  target_compile_options(${name} PRIVATE ${${name}_options} ${linkwork_precompiled_options})
  target_precompile_headers(${name} PRIVATE ${linkwork_common_headers} ${ARGN})
endfunction()
function(linkwork_precompile target owner)
  target_compile_options(${target} PRIVATE ${${owner}_options})
  if(TARGET ${owner})
    target_compile_options(${target} PRIVATE ${linkwork_precompiled_options})
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()
# With clang only for fuzzing: a linter of another version could not read them.
if(LINKWORK_PRECOMPILE AND (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR LINKWORK_FUZZ))
  linkwork_headers(linkwork_headers "")
  linkwork_headers(linkwork_light_headers "")
  linkwork_headers(linkwork_app_headers nlohmann_json::nlohmann_json <nlohmann/json.hpp>)
  if(LINKWORK_TESTS)
    linkwork_headers(linkwork_test_headers GTest::gmock <gtest/gtest.h> <gmock/gmock.h>)
  endif()
endif()

# Several test files of a target are compiled at a time, so that what they include is read and instantiated once. Their
# namespaces are called after them. Files that replace operator new stay alone.
function(linkwork_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${LINKWORK_UNITY} UNITY_BUILD_BATCH_SIZE 10)
  get_target_property(files ${target} SOURCES)
  list(FILTER files INCLUDE REGEX "/allocation_[a-z_]*\\.cpp$")
  set_source_files_properties(${files} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

set(linkwork_previous "" CACHE INTERNAL "")
set(linkwork_libraries "" CACHE INTERNAL "") # all of them, for the install tree

# linkwork_folder(NAME [LIGHT] [PACKAGES...]): everything in NAME/ (subfolders too) but *_test.cpp makes the library
# linkwork_NAME; the *_test.cpp files make NAME_test, and with LINKWORK_FUZZ each x_fuzz.cpp makes the libFuzzer program
# x_fuzz. Each folder links the one before it in the order. Files that match the variable linkwork_left_out are not built.
# LIGHT: a folder in which no time is spent within a step. It is compiled with -O1, and several files at a time where
# LINKWORK_UNITY is on, so that what they include is read once: their names in unnamed namespaces must differ.
# Sets linkwork_scope: how to link what only this folder needs.
function(linkwork_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 folder "LIGHT" "" "")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(linkwork_left_out)
    list(FILTER sources EXCLUDE REGEX ${linkwork_left_out})
  endif()
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  set(fuzzers ${sources})
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_fuzz\\.cpp$")
  set(library linkwork_${name})
  set(scope INTERFACE)
  set(linkwork_scope INTERFACE PARENT_SCOPE)
  if(sources)
    add_library(${library} STATIC ${sources})
    set(scope PUBLIC)
    set(linkwork_scope PRIVATE PARENT_SCOPE)
    if(folder_LIGHT)
      linkwork_precompile(${library} linkwork_light_headers)
      set_target_properties(${library} PROPERTIES UNITY_BUILD ${LINKWORK_UNITY} UNITY_BUILD_BATCH_SIZE 10)
    else()
      linkwork_precompile(${library} linkwork_headers)
    endif()
  else()
    add_library(${library} INTERFACE)
  endif()
  target_link_libraries(${library} ${scope} linkwork_options ${linkwork_previous}
                        ${folder_UNPARSED_ARGUMENTS})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
  set(linkwork_previous ${library} CACHE INTERNAL "")
  set(linkwork_libraries ${linkwork_libraries} ${library} CACHE INTERNAL "")
  if(LINKWORK_TESTS AND tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE ${library} GTest::gmock GTest::gtest_main)
    target_compile_definitions(${name}_test PRIVATE LINKWORK_MODELS_DIR="${PROJECT_SOURCE_DIR}/models"
                                                    LINKWORK_BINARY_DIR="${CMAKE_BINARY_DIR}")
    linkwork_precompile(${name}_test linkwork_test_headers)
    linkwork_unity(${name}_test)
    linkwork_test_groups(${name}_test ${name} fast 1 "*")
  endif()
  if(LINKWORK_TESTS AND fuzzers) # so that they stay in step; they run with LINKWORK_FUZZ
    add_library(${name}_fuzz_sources OBJECT ${fuzzers})
    target_link_libraries(${name}_fuzz_sources PRIVATE ${library})
  endif()
  if(LINKWORK_FUZZ)
    foreach(source IN LISTS fuzzers)
      cmake_path(GET source STEM fuzzer)
      add_executable(${fuzzer} ${source})
      target_link_libraries(${fuzzer} PRIVATE ${library})
      target_link_options(${fuzzer} PRIVATE -fsanitize=fuzzer)
      add_dependencies(fuzz ${fuzzer})
      file(APPEND ${CMAKE_BINARY_DIR}/fuzz_targets.txt "${fuzzer}\n")
    endforeach()
  endif()
endfunction()
