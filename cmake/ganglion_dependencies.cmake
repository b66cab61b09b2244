# Packages from Debian 12 or Ubuntu 24.04 (scripts/install-packages).
find_package(Threads REQUIRED)
find_package(spdlog REQUIRED)
if(GANGLION_SANITIZE MATCHES "thread")
  # Compiled into our own sources instead, where the sanitizer sees it.
  get_target_property(spdlog_definitions spdlog::spdlog
    INTERFACE_COMPILE_DEFINITIONS)
  list(REMOVE_ITEM spdlog_definitions SPDLOG_COMPILED_LIB SPDLOG_SHARED_LIB)
  set_target_properties(spdlog::spdlog PROPERTIES
    INTERFACE_COMPILE_DEFINITIONS "${spdlog_definitions}")
endif()
find_package(TBB REQUIRED)
find_package(simdjson REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(OpenSSL REQUIRED)
# Static, and hidden below: libsentencepiece brings a protobuf of its own, whose
# functions a shared one of another version would take the place of.
set(Protobuf_USE_STATIC_LIBS ON)
find_package(Protobuf REQUIRED)
find_package(CAF 0.17 REQUIRED COMPONENTS core)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ICU REQUIRED IMPORTED_TARGET icu-uc)
pkg_check_modules(ONIGURUMA REQUIRED IMPORTED_TARGET oniguruma)
# Alone: its CMake package wants all that its other libraries need.
pkg_check_modules(PROMETHEUS REQUIRED IMPORTED_TARGET prometheus-cpp-core)
pkg_check_modules(SENTENCEPIECE REQUIRED IMPORTED_TARGET sentencepiece)
# Only apps/sources uses these.
pkg_check_modules(CURL REQUIRED IMPORTED_TARGET libcurl)
pkg_check_modules(ARCHIVE REQUIRED IMPORTED_TARGET libarchive)
pkg_check_modules(CRYPTO REQUIRED IMPORTED_TARGET libcrypto)
