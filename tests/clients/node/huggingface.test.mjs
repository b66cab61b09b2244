// HuggingFace's client for Node, which asks an endpoint for completions and
// chats.
import assert from "node:assert/strict";
import { test } from "node:test";
import { InferenceClient } from "@huggingface/inference";
import { continuation, model, origin, prompt } from "./server.mjs";

const client = new InferenceClient("none").endpoint(origin);
const parameters = { max_new_tokens: 5, temperature: 0 };

test("generates", async () => {
  const answer = await client.textGeneration({ inputs: prompt, parameters });
  assert.equal(answer.generated_text, continuation);
});

test("streams tokens", async () => {
  let text = "";
  for await (const each of client.textGenerationStream({ inputs: prompt, parameters }))
    text += each.choices[0].text;
  assert.equal(text, continuation);
});

test("chats and streams a chat", async () => {
  const call = {
    model, max_tokens: 5, temperature: 0, messages: [{ role: "user", content: "Lily" }],
  };
  const answer = await client.chatCompletion(call);
  let text = "";
  for await (const chunk of client.chatCompletionStream(call))
    text += chunk.choices[0]?.delta?.content ?? "";
  assert.ok(text.length > 0);
  assert.equal(text, answer.choices[0].message.content);
});
