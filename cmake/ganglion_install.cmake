# What `cmake --install` puts where, and the package that other projects find
# with find_package(ganglion).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ganglion)
set(folders hlo neuron runtime actors)

# What a host links when it does not care about folders.
add_library(ganglion_umbrella INTERFACE)
add_library(ganglion::ganglion ALIAS ganglion_umbrella)
set_target_properties(ganglion_umbrella PROPERTIES EXPORT_NAME ganglion)
target_link_libraries(ganglion_umbrella INTERFACE ganglion::actors)

# Headers include each other as in the tree ("hlo/shape.hpp"), so their root is
# include/ganglion.
foreach(folder ${folders})
  install(TARGETS ganglion_${folder} EXPORT ganglion
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ganglion
    FILES_MATCHING PATTERN "*.hpp" PATTERN "*.def"
    # Need the generated messages, which are not installed.
    PATTERN "*wire.hpp" EXCLUDE)
endforeach()
install(TARGETS ganglion_umbrella EXPORT ganglion)

foreach(program ganglion ganglion-bench)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()

install(EXPORT ganglion NAMESPACE ganglion:: FILE ganglion-targets.cmake
  DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ganglion-config.cmake.in
  ${PROJECT_BINARY_DIR}/ganglion-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/ganglion-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/ganglion-config.cmake
  ${PROJECT_BINARY_DIR}/ganglion-config-version.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindCAF.cmake
  DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
