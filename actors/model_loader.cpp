#include "actors/model_loader.hpp"

namespace ganglion::actors {

namespace {

/// Takes a thread that may be stuck off the count, as shards do.
class thread_count {
public:
  explicit thread_count(std::shared_ptr<status_board> board)
      : board_(std::move(board)) {}
  ~thread_count() { board_->count_shards(-1); }
  thread_count(const thread_count &) = delete;
  thread_count &operator=(const thread_count &) = delete;

private:
  std::shared_ptr<status_board> board_;
};

void run_loader(rt::event_actor *self, const rt::actor &engine,
                const engine_context &context) {
  const thread_count counted(context.board);
  const auto failed = [&](const error &e) {
    rt::send(self, engine, load_failed{std::make_shared<const error>(e), 0});
  };
  try {
    if (context.observer)
      context.observer({"open and compile", 0});
    rt::send(self, engine, model_loaded{runtime::load_model(context.config)});
  } catch (const error &e) {
    failed(e);
  } catch (const std::exception &e) {
    failed(error(error_code::internal, e.what()));
  }
}

} // namespace

void spawn_loader(rt::event_actor *engine, const engine_context &context) {
  context.board->count_shards(1);
  // A plain function: CAF 0.17.6 dereferences a null pointer for a lambda
  // spawned without arguments (seen by UBSan).
  engine->spawn<caf::detached>(run_loader, rt::actor(engine), context);
}

} // namespace ganglion::actors
