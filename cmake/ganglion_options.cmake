# Language level, warnings, sanitizers and ccache: one place for all folders.
option(GANGLION_TESTS "Build the tests" ON)
option(GANGLION_FUZZ "Build the fuzz targets (needs clang)" OFF)
set(GANGLION_SANITIZE "" CACHE STRING "address,undefined or thread")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
# For sanitizers: quick to build, with line numbers in stacks.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(GANGLION_CCACHE ccache)
if(GANGLION_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${GANGLION_CCACHE})
endif()

add_library(ganglion_flags INTERFACE)
target_compile_options(ganglion_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror
  # Rounding is part of the graph: never let the compiler fuse or reorder.
  -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports std::string assignment falsely at -O2 in C++20 mode.
  target_compile_options(ganglion_flags INTERFACE
    -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread
    -Wno-array-bounds -Wno-maybe-uninitialized)
endif()
if(GANGLION_SANITIZE)
  target_compile_options(ganglion_flags INTERFACE
    -fsanitize=${GANGLION_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(ganglion_flags INTERFACE
    -fsanitize=${GANGLION_SANITIZE})
  if(GANGLION_SANITIZE STREQUAL "thread")
    # ThreadSanitizer does not see fences. Asio's only order what its queues'
    # mutexes order too.
    target_compile_definitions(ganglion_flags INTERFACE
      BOOST_ASIO_DISABLE_FENCED_BLOCK)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Reported falsely for the undefined vectors of GCC's own immintrin.h.
    target_compile_options(ganglion_flags INTERFACE -Wno-uninitialized)
  endif()
endif()
