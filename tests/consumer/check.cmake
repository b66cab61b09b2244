# Runs PROGRAM on the model in MODEL and compares what it prints with what
# HuggingFace says.
file(READ ${MODEL}/expected.json expected)
string(JSON text GET "${expected}" 0 text)
string(JSON tokens LENGTH "${expected}" 0 greedy_ids)
execute_process(COMMAND ${PROGRAM} ${MODEL} ${tokens}
  RESULT_VARIABLE result OUTPUT_VARIABLE output TIMEOUT 60)
message(STATUS "${output}")
if(NOT result EQUAL 0)
  message(FATAL_ERROR "consumer ended with ${result}")
endif()
foreach(wanted "story: ${text}\n" "unwanted: cancelled after "
    "blocks all returned: yes\n")
  string(FIND "${output}" "${wanted}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "not printed: ${wanted}")
  endif()
endforeach()
