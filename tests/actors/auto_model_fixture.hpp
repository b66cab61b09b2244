// Models on the device and refusals by name, for tests of the library's calls.
#pragma once

#include "actors/auto_model.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace ganglion::testing {

inline auto_model started(const std::string &directory,
                          const model_options &options = {}) {
  auto model = auto_model::from_pretrained(directory, options);
  model.to_neuron();
  return model;
}

/// `action` fails, and its message has `part` in it.
template <class Action>
void refused(Action &&action, const std::string &part) {
  const auto text = error_text(action);
  BOOST_TEST(contains(text, part), text);
}

} // namespace ganglion::testing
