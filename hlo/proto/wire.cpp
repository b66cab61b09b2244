#include "hlo/proto/wire.hpp"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/unknown_field_set.h>

namespace ganglion::hlo::wire {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

void refuse(const std::string &message, const std::string &where) {
  throw error(error_code::corrupt_data, message, "HloModuleProto", where);
}

void check_known(const Message &m) {
  const auto &reflection = *m.GetReflection();
  const auto &unknown = reflection.GetUnknownFields(m);
  check(unknown.empty(),
        unknown.empty() ? std::string()
                        : "field " + std::to_string(unknown.field(0).number()) +
                              " is not known",
        m.GetDescriptor()->name());
  std::vector<const FieldDescriptor *> fields;
  reflection.ListFields(m, &fields);
  for (const FieldDescriptor *field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE)
      continue;
    if (!field->is_repeated()) {
      check_known(reflection.GetMessage(m, field));
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(m, field); ++i)
      check_known(reflection.GetRepeatedMessage(m, field, i));
  }
}

} // namespace ganglion::hlo::wire
