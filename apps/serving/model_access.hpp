// What handlers need of the model that is served: the engine, its names and
// limits, its tokenizer, and a thread for long work with text.
#pragma once

#include "actors/engine.hpp"
#include "apps/serving/text_worker.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <memory>

namespace ganglion::runtime {
class model_chat;
class tokenizer;
} // namespace ganglion::runtime

namespace ganglion::apps {

/// Cheap to copy. The engine must outlive the requests that handlers start.
struct model_access {
  engine *served = nullptr;
  std::shared_ptr<const engine_config> config;
  boost::asio::any_io_executor executor;
  std::shared_ptr<text_worker> worker;
  /// For the engine's actors to show that they are alive.
  std::chrono::milliseconds patience{2'000};

  const std::string &name() const { return config->model.model_name; }
  /// Throws `unavailable` while there is no model.
  std::shared_ptr<const runtime::loaded_model> model() const;
  /// Throws also `unsupported` when the model has no tokenizer.
  std::shared_ptr<const runtime::tokenizer> tokens() const;
  /// Throws also `unsupported` when the model has no template that works.
  std::shared_ptr<const runtime::model_chat> chat() const;
};

} // namespace ganglion::apps
