# Cheap checks of the sources themselves, where their tools are installed.
add_test(NAME source/includes
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/check-includes)
add_test(NAME source/image
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/check-image $<TARGET_FILE:ganglion>)
find_program(GANGLION_CLANG_FORMAT clang-format)
if(GANGLION_CLANG_FORMAT)
  add_test(NAME source/format
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/check-format)
endif()
