// OpenAI's own package for Node.
import assert from "node:assert/strict";
import { test } from "node:test";
import OpenAI from "openai";
import { continuation, model, origin, prompt } from "./server.mjs";

const client = new OpenAI({ baseURL: `${origin}/v1`, apiKey: "none", maxRetries: 0 });
const messages = [
  { role: "system", content: "Tell stories." },
  { role: "user", content: "Lily" },
];
const greedy = { model, temperature: 0, max_tokens: 5 };

test("lists and retrieves models", async () => {
  const found = [];
  for await (const each of client.models.list()) found.push(each.id);
  assert.deepEqual(found, [model]);
  assert.equal((await client.models.retrieve(model)).id, model);
});

test("completes", async () => {
  const answer = await client.completions.create({ ...greedy, prompt });
  assert.equal(answer.choices[0].text, continuation);
  assert.equal(answer.choices[0].finish_reason, "length");
  assert.equal(answer.usage.completion_tokens, 5);
});

test("completes token ids, several prompts and choices", async () => {
  const answer = await client.completions.create({
    ...greedy, prompt: [[1, 403, 407], [1, 403]], n: 2, echo: true, max_tokens: 1,
  });
  assert.deepEqual(answer.choices.map((c) => c.text),
    ["Once upon a", "Once upon a", "Once upon", "Once upon"]);
});

test("streams a completion with usage", async () => {
  const stream = await client.completions.create({
    ...greedy, prompt, stream: true, stream_options: { include_usage: true },
  });
  let text = "", usage = null;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.text ?? "";
    usage = chunk.usage ?? usage;
  }
  assert.equal(text, continuation);
  assert.equal(usage.total_tokens, 10);
});

test("gives log-probabilities of a completion", async () => {
  const answer = await client.completions.create({ ...greedy, prompt, logprobs: 2 });
  const { tokens, token_logprobs, top_logprobs, text_offset } = answer.choices[0].logprobs;
  assert.equal(tokens.join(""), continuation);
  assert.equal(token_logprobs.length, 5);
  assert.equal(Object.keys(top_logprobs[0]).length, 2);
  assert.deepEqual(text_offset.slice(0, 2), [0, 1]);
});

test("chats", async () => {
  const answer = await client.chat.completions.create({ ...greedy, messages });
  assert.equal(answer.choices[0].message.role, "assistant");
  assert.ok(answer.choices[0].message.content.length > 0);
  assert.equal(answer.object, "chat.completion");
});

test("streams a chat that says the same", async () => {
  const whole = await client.chat.completions.create({ ...greedy, messages });
  const stream = await client.chat.completions.create({ ...greedy, messages, stream: true });
  let text = "", finish = null;
  for await (const chunk of stream) {
    text += chunk.choices[0].delta.content ?? "";
    finish = chunk.choices[0].finish_reason ?? finish;
  }
  assert.equal(text, whole.choices[0].message.content);
  assert.equal(finish, "length");
});

test("runs the package's own stream helper", async () => {
  const runner = client.chat.completions.stream({ ...greedy, messages });
  const final = await runner.finalChatCompletion();
  assert.ok(final.choices[0].message.content.length > 0);
});

test("gives log-probabilities of a chat", async () => {
  const answer = await client.chat.completions.create({
    ...greedy, messages, logprobs: true, top_logprobs: 3,
  });
  const { content } = answer.choices[0].logprobs;
  assert.equal(content.length, 5);
  for (const token of content) {
    assert.equal(token.top_logprobs.length, 3);
    assert.equal(new TextDecoder().decode(Uint8Array.from(token.bytes)), token.token);
  }
});

test("aborts a stream", async () => {
  const controller = new AbortController();
  const stream = await client.completions.create(
    { ...greedy, prompt, max_tokens: 450, ignore_eos: true, stream: true },
    { signal: controller.signal });
  let chunks = 0;
  for await (const _ of stream) if (++chunks === 3) controller.abort();
  assert.ok(chunks >= 3);
  assert.equal((await client.completions.create({ ...greedy, prompt })).choices[0].text,
    continuation);
});

test("tells a bad request by its field", async () => {
  await assert.rejects(client.completions.create({ model, prompt, temperature: 9 }),
    (e) => e instanceof OpenAI.BadRequestError && e.param === "temperature" &&
      e.type === "invalid_request_error");
  await assert.rejects(client.completions.create({ model: "other", prompt }),
    (e) => e instanceof OpenAI.NotFoundError && e.code === "model_not_found");
});
