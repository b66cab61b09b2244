// Vercel's AI SDK with its adapters for OpenAI and for servers like it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, streamText } from "ai";
import { continuation, model, origin, prompt } from "./server.mjs";

const openai = createOpenAI({ baseURL: `${origin}/v1`, apiKey: "none" });
const compatible = createOpenAICompatible({ name: "ganglion", baseURL: `${origin}/v1` });
const greedy = { temperature: 0, maxOutputTokens: 5, maxRetries: 0 };
const chat = { system: "Tell stories.", prompt: "Lily", ...greedy };

test("completes", async () => {
  const answer = await generateText({
    model: compatible.completionModel(model), prompt: "Lily", ...greedy,
  });
  assert.ok(answer.text.length > 0);
});

for (const [name, provider] of [["openai", openai.chat(model)],
  ["openai-compatible", compatible.chatModel(model)]]) {
  test(`chats through ${name}`, async () => {
    const answer = await generateText({ model: provider, ...chat });
    assert.ok(answer.text.length > 0);
    assert.equal(answer.finishReason, "length");
    assert.equal(answer.usage.outputTokens, 5);
  });

  test(`streams through ${name}`, async () => {
    const stream = streamText({ model: provider, ...chat });
    let text = "";
    for await (const part of stream.textStream) text += part;
    assert.equal(text, (await generateText({ model: provider, ...chat })).text);
  });
}
