# Writes the source file OUT that holds the files of the console in SOURCE.
set(rows "")
foreach(name ${NAMES})
  file(READ ${SOURCE}/${name} text)
  string(APPEND rows "    {\"${name}\", R\"__file__(${text})__file__\"},\n")
endforeach()
file(WRITE ${OUT}
"#include \"apps/console/console_files.hpp\"

namespace ganglion::apps {

namespace {

constexpr console_file files[] = {
${rows}};

} // namespace

std::span<const console_file> console_files() { return files; }

} // namespace ganglion::apps
")
