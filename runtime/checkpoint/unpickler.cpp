#include "runtime/checkpoint/unpickler.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/byte_reader.hpp"
#include "runtime/checkpoint/pickle_stack.hpp"

#include <array>
#include <bit>

namespace ganglion::runtime {

namespace {

class unpickler {
public:
  unpickler(std::span<const std::byte> bytes, const std::string &where)
      : where_(where),
        in_(bytes, where, "data.pkl"),
        stack_(where) {}

  pickle run();

private:
  using action = void (*)(unpickler &);
  using action_table = std::array<action, 256>;

  static const action_table &actions();
  static void add_values(action_table &table);
  static void add_text(action_table &table);
  static void add_containers(action_table &table);
  static void add_memo(action_table &table);
  static void add_objects(action_table &table);

  template <class Length>
  void read_text() {
    stack_.push(in_.text(in_.number<Length>()));
  }
  template <class Length>
  void read_long();
  void read_float();
  void make_tuple(std::size_t count);
  void append(std::vector<pickle_ref> items);
  void set_items(std::vector<pickle_ref> items);
  void read_global();
  void pop_global();
  void reduce();
  void build();
  [[noreturn]] void refuse(std::uint8_t opcode) const;

  const std::string &where_;
  byte_reader in_;
  pickle_stack stack_;
};

struct opcode_name {
  std::uint8_t code;
  const char *name;
};

/// Opcodes that make objects of classes or call functions, for the message.
constexpr opcode_name executing[] = {
    {'i', "INST"},       {'o', "OBJ"},          {0x81, "NEWOBJ"},
    {0x92, "NEWOBJ_EX"}, {0x82, "EXT1"},        {0x83, "EXT2"},
    {0x84, "EXT4"},      {0x97, "NEXT_BUFFER"}, {'P', "PERSID"}};

void unpickler::refuse(std::uint8_t opcode) const {
  std::string name = std::to_string(opcode);
  for (const auto &known : executing)
    if (known.code == opcode)
      name = known.name;
  throw error(error_code::unsupported,
              "pickle opcode " + name +
                  ": refused; not one that describes tensors",
              where_, "data.pkl");
}

/// Little-endian two's complement of at most eight bytes.
template <class Length>
void unpickler::read_long() {
  const auto length = in_.number<Length>();
  if (length > 8)
    stack_.fail("a number of " + std::to_string(length) + " bytes");
  std::uint64_t out = 0;
  unsigned bits = 0;
  for (const std::byte byte : in_.take(length)) {
    out |= std::to_integer<std::uint64_t>(byte) << bits;
    bits += 8;
  }
  const bool negative = bits > 0 && (out >> (bits - 1) & 1) != 0;
  if (negative && bits < 64)
    out |= ~std::uint64_t{0} << bits;
  stack_.push(static_cast<std::int64_t>(out));
}

/// The one big-endian number in the format.
void unpickler::read_float() {
  std::uint64_t out = 0;
  for (const std::byte byte : in_.take(8))
    out = out << 8 | std::to_integer<std::uint64_t>(byte);
  stack_.push(std::bit_cast<double>(out));
}

void unpickler::make_tuple(std::size_t count) {
  pickle_tuple out;
  out.items.resize(count);
  while (count > 0)
    out.items[--count] = stack_.pop();
  stack_.push(std::move(out));
}

void unpickler::append(std::vector<pickle_ref> items) {
  auto &list = stack_.expect<pickle_list>(stack_.top(), "a list");
  list.items.insert(list.items.end(), items.begin(), items.end());
}

void unpickler::set_items(std::vector<pickle_ref> items) {
  auto &dict = stack_.expect<pickle_dict>(stack_.top(), "a dict");
  if (items.size() % 2 != 0)
    stack_.fail("a key has no value");
  for (std::size_t i = 0; i < items.size(); i += 2)
    dict.items.emplace_back(items[i], items[i + 1]);
}

void unpickler::read_global() {
  const auto module = in_.line();
  const auto name = in_.line();
  stack_.push(&find_torch_symbol(module, name, where_));
}

void unpickler::pop_global() {
  const auto name =
      stack_.expect<std::string_view>(stack_.pop(), "a name as text");
  const auto module =
      stack_.expect<std::string_view>(stack_.pop(), "a module as text");
  stack_.push(&find_torch_symbol(module, name, where_));
}

void unpickler::reduce() {
  const pickle_ref arguments = stack_.pop();
  const auto &items = stack_.expect<pickle_tuple>(arguments, "arguments").items;
  const torch_symbol &function = *stack_.expect<const torch_symbol *>(
      stack_.pop(), "the name of a function to call");
  if (!is_callable(function))
    throw error(error_code::unsupported,
                "pickle calls " +
                    printable_name(function.module, function.name) +
                    ": refused; it is only known as a type",
                where_, "data.pkl");
  if (function.kind != torch_symbol_kind::ordered_dict)
    return stack_.push(pickle_call{&function, arguments});
  if (!items.empty())
    stack_.fail("an OrderedDict is made with arguments");
  stack_.push(pickle_dict{});
}

/// A module's state dict carries `_metadata` as an attribute: left out.
void unpickler::build() {
  stack_.expect<pickle_dict>(stack_.pop(), "attributes as a dict");
  stack_.expect<pickle_dict>(stack_.top(),
                             "attributes only for an OrderedDict");
}

void unpickler::add_values(action_table &table) {
  table['N'] = [](unpickler &u) { u.stack_.push(pickle_none{}); };
  table[0x88] = [](unpickler &u) { u.stack_.push(true); };
  table[0x89] = [](unpickler &u) { u.stack_.push(false); };
  table['K'] = [](unpickler &u) {
    u.stack_.push(std::int64_t{u.in_.number<std::uint8_t>()});
  };
  table['M'] = [](unpickler &u) {
    u.stack_.push(std::int64_t{u.in_.number<std::uint16_t>()});
  };
  table['J'] = [](unpickler &u) {
    const auto bits = u.in_.number<std::uint32_t>();
    u.stack_.push(std::int64_t{std::bit_cast<std::int32_t>(bits)});
  };
  table[0x8a] = [](unpickler &u) { u.read_long<std::uint8_t>(); };
  table[0x8b] = [](unpickler &u) { u.read_long<std::uint32_t>(); };
  table['G'] = [](unpickler &u) { u.read_float(); };
}

/// Bytes and Python 2's strings are text too: nobody here tells them apart.
void unpickler::add_text(action_table &table) {
  for (const unsigned code : {0x8cu, unsigned{'U'}, unsigned{'C'}})
    table[code] = [](unpickler &u) { u.read_text<std::uint8_t>(); };
  for (const unsigned char code : {'X', 'T', 'B'})
    table[code] = [](unpickler &u) { u.read_text<std::uint32_t>(); };
  for (const unsigned code : {0x8du, 0x8eu})
    table[code] = [](unpickler &u) { u.read_text<std::uint64_t>(); };
}

void unpickler::add_containers(action_table &table) {
  table[')'] = [](unpickler &u) { u.make_tuple(0); };
  table[0x85] = [](unpickler &u) { u.make_tuple(1); };
  table[0x86] = [](unpickler &u) { u.make_tuple(2); };
  table[0x87] = [](unpickler &u) { u.make_tuple(3); };
  table['t'] = [](unpickler &u) {
    u.stack_.push(pickle_tuple{u.stack_.pop_mark()});
  };
  table[']'] = [](unpickler &u) { u.stack_.push(pickle_list{}); };
  table['}'] = [](unpickler &u) { u.stack_.push(pickle_dict{}); };
  table['a'] = [](unpickler &u) { u.append({u.stack_.pop()}); };
  table['e'] = [](unpickler &u) { u.append(u.stack_.pop_mark()); };
  table['s'] = [](unpickler &u) {
    const pickle_ref value = u.stack_.pop();
    u.set_items({u.stack_.pop(), value});
  };
  table['u'] = [](unpickler &u) { u.set_items(u.stack_.pop_mark()); };
}

void unpickler::add_memo(action_table &table) {
  table['('] = [](unpickler &u) { u.stack_.mark(); };
  table['0'] = [](unpickler &u) { u.stack_.pop(); };
  table['1'] = [](unpickler &u) { u.stack_.pop_mark(); };
  table['q'] = [](unpickler &u) {
    u.stack_.memoize(u.in_.number<std::uint8_t>());
  };
  table['r'] = [](unpickler &u) {
    u.stack_.memoize(u.in_.number<std::uint32_t>());
  };
  table[0x94] = [](unpickler &u) { u.stack_.memoize_next(); };
  table['h'] = [](unpickler &u) {
    u.stack_.recall(u.in_.number<std::uint8_t>());
  };
  table['j'] = [](unpickler &u) {
    u.stack_.recall(u.in_.number<std::uint32_t>());
  };
  // A frame only announces how many bytes to read ahead.
  table[0x95] = [](unpickler &u) { u.in_.take(8); };
}

void unpickler::add_objects(action_table &table) {
  table['c'] = [](unpickler &u) { u.read_global(); };
  table[0x93] = [](unpickler &u) { u.pop_global(); };
  table['R'] = [](unpickler &u) { u.reduce(); };
  table['b'] = [](unpickler &u) { u.build(); };
  table['Q'] = [](unpickler &u) {
    u.stack_.push(pickle_persistent{u.stack_.pop()});
  };
}

const unpickler::action_table &unpickler::actions() {
  static const action_table table = [] {
    action_table out{};
    add_values(out);
    add_text(out);
    add_containers(out);
    add_memo(out);
    add_objects(out);
    return out;
  }();
  return table;
}

pickle unpickler::run() {
  constexpr std::uint8_t protocol_code = 0x80;
  if (in_.number<std::uint8_t>() != protocol_code)
    stack_.fail("it does not begin with its protocol");
  const unsigned protocol = in_.number<std::uint8_t>();
  if (protocol < 2 || protocol > 5)
    stack_.fail("protocol " + std::to_string(protocol) + "; accepted: 2 to 5");
  for (std::size_t step = 0; step < pickle_limits::steps; ++step) {
    const auto opcode = in_.number<std::uint8_t>();
    if (opcode == '.')
      return stack_.finish();
    const action act = actions()[opcode];
    if (!act)
      refuse(opcode);
    act(*this);
  }
  stack_.fail("more than " + std::to_string(pickle_limits::steps) + " steps");
}

} // namespace

pickle unpickle(std::span<const std::byte> bytes, const std::string &where) {
  if (bytes.size() > pickle_limits::bytes)
    throw error(error_code::corrupt_data,
                "larger than " + std::to_string(pickle_limits::bytes) +
                    " bytes",
                where, "data.pkl");
  return unpickler(bytes, where).run();
}

} // namespace ganglion::runtime
