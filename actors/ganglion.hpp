// One include for C++ hosts: the engine and how its configuration is read.
// Hosts with an actor system of their own add actors/hosted_engine.hpp.
#pragma once

#include "actors/engine.hpp"
#include "runtime/config/load_config.hpp"

namespace ganglion {

using runtime::config_inputs;
using runtime::load_config;
using runtime::loaded_config;

} // namespace ganglion
