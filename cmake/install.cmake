# What a C++ consumer finds with find_package(percepts): component `cpp`, apart from the wheel's `python`.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/percepts)

install(TARGETS percepts_core percepts_cuda EXPORT perceptsTargets COMPONENT cpp
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT perceptsTargets NAMESPACE percepts:: DESTINATION ${package_dir} COMPONENT cpp)

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/perceptsConfig.cmake.in ${PROJECT_BINARY_DIR}/perceptsConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/perceptsConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/perceptsConfig.cmake ${PROJECT_BINARY_DIR}/perceptsConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT cpp)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/percepts COMPONENT cpp)
