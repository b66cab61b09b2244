# Sourced by the scripts: a server with the shipped model and a chat template.

# start_story_server DIRECTORY: its model, log and address are kept there. Sets
# GANGLION_URL and GANGLION_MODEL, and ends the server with the script.
start_story_server() {
  local work=$1
  mkdir -p "$work/model"
  cp models/stories260k/*.json models/stories260k/*.model \
    models/stories260k/*.safetensors "$work/model"
  cp tests/fixtures/chat/stories.jinja "$work/model/chat_template.jinja"

  build/release/bin/ganglion serve --model_id "$work/model" \
    --model_name stories260k --port 0 \
    >"$work/address" 2>"$work/server.log" &
  server=$!
  trap 'kill "$server" 2>/dev/null; wait "$server" || true' EXIT
  for _ in $(seq 300); do
    GANGLION_URL=$(sed -n 's/^listening on //p' "$work/address")
    if [ -n "$GANGLION_URL" ] &&
      curl -fs "$GANGLION_URL/ping" 2>/dev/null | grep -q Healthy; then
      break
    fi
    sleep 0.1
  done
  export GANGLION_URL GANGLION_MODEL=stories260k
}
