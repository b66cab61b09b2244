// The shipped model with a chat template beside it.
#pragma once

#include "tests/apps/running_server.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <filesystem>

namespace ganglion::testing {

/// Owns the directory.
class chatty_stories {
public:
  explicit chatty_stories(const std::string &chat = "chat/stories.jinja") {
    std::filesystem::copy(stories260k(), work_.path(),
                          std::filesystem::copy_options::recursive);
    std::filesystem::copy_file(fixture(chat),
                               work_.path() + "/chat_template.jinja");
  }

  apps::lmi_server_options options() const {
    auto out = story_server();
    out.config.model.model_id = work_.path();
    return out;
  }

private:
  scratch_directory work_;
};

} // namespace ganglion::testing
