// A small host service: its own actor system, in which the engine's actors
// live beside the service's. A desk actor takes prompts, hands them to the
// engine and prints each story when it is complete.
#include "actors/hosted_engine.hpp"
#include "hlo/support/log.hpp"

#include <caf/all.hpp>

#include <iostream>
#include <map>
#include <string>

namespace {

struct desk_state {
  /// Prompt and story so far of every request under way.
  std::map<ganglion::request_id, std::string> open;
};

/// Receives prompts as strings and the engine's events; quits when every story
/// has been told.
caf::behavior desk(caf::stateful_actor<desk_state> *self,
                   ganglion::hosted_engine *engine) {
  return {
      [=](const std::string &prompt) {
        ganglion::generation_request request;
        request.prompt = prompt;
        request.max_new_tokens = 40;
        const auto id =
            engine->submit(request, caf::actor_cast<caf::actor>(self));
        self->state.open[id] = prompt;
      },
      [=](const ganglion::generation_event &event) {
        std::string &story = self->state.open[event.request];
        for (const auto &token : event.tokens)
          story += token.text;
        if (!event.last())
          return;
        if (event.failed)
          std::cerr << event.message << '\n';
        std::cout << "- " << story + event.text << std::endl;
        self->state.open.erase(event.request);
        if (self->state.open.empty())
          self->quit();
      },
  };
}

} // namespace

int main(int argc, char **argv) try {
  if (argc < 3) {
    std::cerr << "usage: ganglion-service MODEL_DIRECTORY PROMPT...\n";
    return 2;
  }
  ganglion::log::configure("warn");
  caf::actor_system_config settings;
  caf::actor_system system(settings);
  ganglion::engine_config config;
  config.model.model_id = argv[1];
  ganglion::hosted_engine engine(system, config);
  engine.wait_until_ready();
  const auto clerk = system.spawn(desk, &engine);
  for (int i = 2; i < argc; ++i)
    caf::anon_send(clerk, std::string(argv[i]));
  caf::scoped_actor self(system);
  self->wait_for(clerk);
  return 0;
} catch (const ganglion::error &e) {
  std::cerr << "ganglion-service: " << e.describe() << '\n';
  return 1;
}
