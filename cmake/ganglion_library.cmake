# ganglion_library(FOLDER DEPENDENCY...): one static library per folder, made
# of every source below it.
function(ganglion_library folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(ganglion_${folder} STATIC ${sources})
  add_library(ganglion::${folder} ALIAS ganglion_${folder})
  set_target_properties(ganglion_${folder} PROPERTIES EXPORT_NAME ${folder})
  target_include_directories(ganglion_${folder} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:include/ganglion>)
  target_link_libraries(ganglion_${folder}
    PUBLIC ${ARGN}
    PRIVATE $<BUILD_INTERFACE:ganglion_flags>)
endfunction()
