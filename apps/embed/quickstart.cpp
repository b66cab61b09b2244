// The shortest host: load a model, ask for a story, print it as it comes.
#include "actors/engine.hpp"

#include <iostream>
#include <latch>

int main() {
  ganglion::engine_config config;
  config.model.model_id = "models/stories260k";
  ganglion::engine engine(config);
  engine.wait_until_ready();

  ganglion::generation_request request;
  request.prompt = "Once upon a time";
  request.max_new_tokens = 60;

  std::latch done(1);
  engine.submit(request, [&](ganglion::generation_event event) {
    for (const auto &token : event.tokens)
      std::cout << token.text << std::flush;
    if (event.failed)
      std::cerr << event.message << '\n';
    if (event.last())
      done.count_down();
    return true; // false would cancel the request
  });
  done.wait();
  std::cout << '\n';
}
