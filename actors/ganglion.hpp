// One include for C++ hosts: the engine and how its configuration is read, and
// the calls of transformers-neuronx and HuggingFace over it. Hosts with an
// actor system of their own add actors/hosted_engine.hpp.
#pragma once

#include "actors/engine.hpp"
#include "actors/hf_generation_adapter.hpp"
#include "runtime/config/load_config.hpp"
#include "runtime/tokenizer/auto_tokenizer.hpp"

namespace ganglion {

using runtime::auto_tokenizer;
using runtime::batch_encoding;
using runtime::config_inputs;
using runtime::encoding_options;
using runtime::load_config;
using runtime::loaded_config;
using runtime::padding;
using runtime::text_side;

} // namespace ganglion
