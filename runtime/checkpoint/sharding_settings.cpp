#include "runtime/checkpoint/sharding_settings.hpp"

#include "hlo/support/error.hpp"
#include "runtime/json/writer.hpp"

#include <charconv>

namespace ganglion::runtime {

namespace {

constexpr const char *degree_name = "tensor_parallel_degree";
constexpr const char *strategy_name = "group_query_attention";
constexpr const char *sequence_name = "shard_over_sequence";
constexpr const char *heads_name = "pad_heads";
constexpr const char *experts_name = "expert_sharding";

[[noreturn]] void refuse(const json::value &field) {
  throw error(error_code::corrupt_data,
              field.dump() + " is no value of this option", field.where(),
              field.path());
}

bool truth(const json::value &field) {
  const auto text = field.as_string();
  if (text != "true" && text != "false")
    refuse(field);
  return text == "true";
}

std::int64_t degree(const json::value &field) {
  const auto text = field.as_string();
  std::int64_t out = 0;
  const auto *end = text.data() + text.size();
  const auto [at, failure] = std::from_chars(text.data(), end, out);
  if (failure != std::errc() || at != end || out < 1)
    refuse(field);
  return out;
}

hlo::group_query strategy(const json::value &field) {
  const auto found = hlo::group_query_from(field.as_string());
  if (!found || *found == hlo::group_query::automatic)
    refuse(field);
  return *found;
}

hlo::expert_sharding experts(const json::value &field) {
  const auto text = field.as_string();
  if (text != "split" && text != "distributed")
    refuse(field);
  return text == "split" ? hlo::expert_sharding::split
                         : hlo::expert_sharding::distributed;
}

std::string text_of(bool value) { return value ? "true" : "false"; }

} // namespace

named_settings sharding_settings(const hlo::sharding_options &options) {
  // A new option breaks this line: give it a name here and in sharding_from.
  const auto &[tp_degree, strategy, over_sequence, pad_heads, experts] =
      options;
  return {{degree_name, std::to_string(tp_degree)},
          {strategy_name, std::string(to_string(strategy))},
          {sequence_name, text_of(over_sequence)},
          {heads_name, text_of(pad_heads)},
          {experts_name,
           experts == hlo::expert_sharding::split ? "split" : "distributed"}};
}

std::string sharding_json(const hlo::sharding_options &options) {
  json::writer w;
  w.begin_object();
  for (const auto &[name, value] : sharding_settings(options))
    w.key(name).string(value);
  w.end_object();
  return w.text();
}

hlo::sharding_options sharding_from(const json::value &object) {
  return {degree(object.at(degree_name)), strategy(object.at(strategy_name)),
          truth(object.at(sequence_name)), truth(object.at(heads_name)),
          experts(object.at(experts_name))};
}

void check_sharding(const hlo::sharding_options &start,
                    const hlo::sharding_options &cut,
                    const std::string &directory) {
  const auto here = sharding_settings(start), there = sharding_settings(cut);
  for (std::size_t i = 0; i < here.size(); ++i)
    if (here[i].second != there[i].second)
      throw error(error_code::invalid_argument,
                  here[i].second +
                      " in this start, but the checkpoint is cut "
                      "for " +
                      there[i].second,
                  directory, here[i].first);
}

} // namespace ganglion::runtime
