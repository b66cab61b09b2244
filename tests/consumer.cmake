# Installs into the build tree, builds the project in consumer/ against what
# was installed, and runs it on the shipped model.
set(consumer_dir ${PROJECT_BINARY_DIR}/consumer)

add_test(NAME consumer/install
  COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR}
    --prefix ${consumer_dir}/prefix)
add_test(NAME consumer/build
  COMMAND ${CMAKE_CTEST_COMMAND}
    --build-and-test ${CMAKE_CURRENT_SOURCE_DIR}/consumer ${consumer_dir}/build
    --build-generator ${CMAKE_GENERATOR}
    --build-options
      -DCMAKE_PREFIX_PATH=${consumer_dir}/prefix
      -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
      -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}
      -DCMAKE_CXX_FLAGS=-O0)
add_test(NAME consumer/run
  COMMAND ${CMAKE_COMMAND} -DPROGRAM=${consumer_dir}/build/consumer
    -DMODEL=${PROJECT_SOURCE_DIR}/models/stories260k
    -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/check.cmake)

set_tests_properties(consumer/install PROPERTIES
  FIXTURES_SETUP ganglion_installed)
set_tests_properties(consumer/build PROPERTIES
  FIXTURES_REQUIRED ganglion_installed FIXTURES_SETUP consumer_built)
set_tests_properties(consumer/run PROPERTIES
  FIXTURES_REQUIRED consumer_built)
