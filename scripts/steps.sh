# Sourced by the scripts: steps that say what they do and how long they took,
# and a build that repeats nothing.

step() {
  printf '\n==> [%02d:%02d] %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$1"
}

# configure PRESET: CMake looks after changes itself once it has run.
configure() {
  if [ ! -e "build/$1/build.ninja" ]; then
    cmake --preset "$1"
  fi
}

# build PRESET [TARGET...]
build() {
  local preset=$1 targets=()
  shift
  if [ $# -gt 0 ]; then
    targets=(--target "$@")
  fi
  cmake --build "build/$preset" --parallel "${GANGLION_JOBS:-$(nproc)}" \
    "${targets[@]}"
}
