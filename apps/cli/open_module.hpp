// Module files: reading one, and telling what is in it.
#pragma once

#include "hlo/module.hpp"

#include <iosfwd>
#include <string>

namespace ganglion::apps {

/// Reads HLO text or a HloModuleProto. Throws as `mapped_file::open` and
/// `hlo::read_module` do.
std::unique_ptr<hlo::module> open_module(const std::string &path);

/// Parameters, results, aliases, operations and composites, and the key of the
/// module: a digest of its proto.
void describe_module(std::ostream &out, const hlo::module &m);

/// The key of the module that `hlo::serialise` wrote as `proto`: a digest of 32
/// hexadecimal digits, the same on every machine.
std::string key_of(const std::string &proto);

} // namespace ganglion::apps
