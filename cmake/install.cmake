# What an install tree holds: the program, the headers, the static libraries, and what find_package(Linkwork) needs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Linkwork)
install(TARGETS linkwork RUNTIME)
install(TARGETS linkwork_options ${linkwork_libraries} EXPORT LinkworkTargets ARCHIVE)
install(EXPORT LinkworkTargets NAMESPACE Linkwork:: DESTINATION ${package_folder})
install(DIRECTORY src/linkwork DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp"
        REGEX "sundials/(library|stepping|ode_newton)\\.hpp$" EXCLUDE # they include the library's own headers
        PATTERN "*_for_tests.hpp" EXCLUDE PATTERN "*_test.hpp" EXCLUDE PATTERN "test_*.hpp" EXCLUDE)
configure_package_config_file(cmake/LinkworkConfig.cmake.in LinkworkConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(LinkworkConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/LinkworkConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/LinkworkConfigVersion.cmake
        DESTINATION ${package_folder})

# Installs into an empty folder and builds a project of five lines with what is there.
if(LINKWORK_TESTS)
  add_test(NAME install.ConsumerBuildsAndRuns
           COMMAND ${CMAKE_COMMAND} -D BINARY_DIR=${CMAKE_BINARY_DIR} -D CONSUMER=${PROJECT_SOURCE_DIR}/cmake/consumer
                   -D MODEL=${PROJECT_SOURCE_DIR}/models/four_bar.toml -D GENERATOR=${CMAKE_GENERATOR}
                   -D COMPILER=${CMAKE_CXX_COMPILER} -D SANITIZE=${LINKWORK_SANITIZE} -P
                   ${PROJECT_SOURCE_DIR}/cmake/test_install.cmake)
  set_tests_properties(install.ConsumerBuildsAndRuns PROPERTIES LABELS slow)
endif()
