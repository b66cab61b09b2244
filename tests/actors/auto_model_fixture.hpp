// Models on the device and refusals by name, for tests of the library's calls.
#pragma once

#include "actors/auto_model.hpp"
#include "runtime/models/model_source.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

namespace ganglion::testing {

inline auto_model started(const std::string &directory,
                          const model_options &options = {}) {
  auto model = auto_model::from_pretrained(directory, options);
  model.to_neuron();
  return model;
}

/// Options of a model on `tp_degree` ranks, with heads of zeros where that does
/// not divide its own; nothing where it has fewer heads.
inline std::optional<model_options> on_ranks(const std::string &directory,
                                             std::int64_t tp_degree,
                                             std::int64_t batch_size) {
  const auto heads = runtime::described_model(directory).heads;
  if (tp_degree > heads)
    return std::nullopt;
  return model_options{
      .batch_size = batch_size,
      .tp_degree = tp_degree,
      .neuron_config = {{"pad_heads", heads % tp_degree ? "true" : "auto"}}};
}

/// `action` fails, and its message has `part` in it.
template <class Action>
void refused(Action &&action, const std::string &part) {
  const auto text = error_text(action);
  BOOST_TEST(contains(text, part), text);
}

} // namespace ganglion::testing
