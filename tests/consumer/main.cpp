// A host service with an actor system and an actor of its own: the actor asks
// for a story, hears of it message by message, and cancels a second request
// after its first token.
#include "actors/ganglion.hpp"
#include "actors/hosted_engine.hpp"

#include <caf/all.hpp>

#include <cstdlib>
#include <iostream>
#include <memory>

namespace {

ganglion::generation_request once_upon(std::int64_t max_new_tokens) {
  ganglion::generation_request request;
  request.prompt = "Once upon a time";
  request.max_new_tokens = max_new_tokens;
  request.ignore_eos = true;
  return request;
}

struct reader_state {
  ganglion::request_id wanted = 0, unwanted = 0;
  std::string story;
  bool wanted_ended = false, unwanted_ended = false;
};

/// Submits both requests and ends with the second of them.
caf::behavior reader(caf::stateful_actor<reader_state> *self,
                     ganglion::hosted_engine *engine, std::int64_t tokens) {
  auto &state = self->state;
  const auto me = caf::actor_cast<caf::actor>(self);
  state.wanted = engine->submit(once_upon(tokens), me);
  state.unwanted = engine->submit(once_upon(400), me);
  return {[self, engine](const ganglion::generation_event &event) {
    auto &state = self->state;
    if (event.failed) {
      std::cerr << "request failed: " << event.message << '\n';
      self->quit(caf::exit_reason::unhandled_exception);
      return;
    }
    if (event.request == state.unwanted) {
      if (!event.last())
        return engine->cancel(event.request);
      std::cout << "unwanted: " << ganglion::runtime::to_string(event.finish)
                << " after " << event.generated_tokens << " tokens\n";
      state.unwanted_ended = true;
    } else {
      for (const auto &token : event.tokens)
        state.story += token.text;
      state.story += event.text;
      if (event.last()) {
        std::cout << "story: Once upon a time" << state.story << '\n';
        state.wanted_ended = true;
      }
    }
    if (state.wanted_ended && state.unwanted_ended)
      self->quit();
  }};
}

} // namespace

int main(int argc, char **argv) try {
  if (argc != 3) {
    std::cerr << "usage: consumer MODEL_DIRECTORY NEW_TOKENS\n";
    return EXIT_FAILURE;
  }
  ganglion::engine_config config;
  config.model.model_id = argv[1];
  caf::actor_system_config settings;
  caf::actor_system system(settings);
  ganglion::hosted_engine engine(system, config);
  engine.wait_until_ready();
  caf::scoped_actor self(system);
  bool well = false;
  // The engine keeps no client alive: its host does.
  const caf::actor client =
      self->spawn<caf::monitored>(reader, &engine, std::atoll(argv[2]));
  self->receive([&](const caf::down_msg &down) {
    well = !down.reason;
    if (!well)
      std::cerr << "reader ended: " << system.render(down.reason) << '\n';
  });
  std::cout << "blocks all returned: "
            << (engine.drain(std::chrono::seconds(10)) &&
                        engine.status().free_kv_blocks ==
                            engine.status().kv_blocks
                    ? "yes"
                    : "no")
            << '\n';
  return well ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const ganglion::error &why) {
  std::cerr << why.describe() << '\n';
  return EXIT_FAILURE;
}
