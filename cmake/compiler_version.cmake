# Writes the source file OUT that defines the compiler's version: VERSION and a
# digest of the names and contents of the sources of hlo/ and neuron/ in ROOT.
file(GLOB_RECURSE sources RELATIVE ${ROOT}
  ${ROOT}/hlo/*.[chi]pp ${ROOT}/neuron/*.[chi]pp)
list(SORT sources)
set(all "")
foreach(source ${sources})
  file(SHA256 ${ROOT}/${source} digest)
  string(APPEND all "${source} ${digest}\n")
endforeach()
string(SHA256 digest "${all}")
string(SUBSTRING ${digest} 0 12 digest)
file(WRITE ${OUT}
"#include \"neuron/compiler/compiler.hpp\"

namespace ganglion::neuron {

std::string_view compiler_version() { return \"${VERSION}+${digest}\"; }

} // namespace ganglion::neuron
")
