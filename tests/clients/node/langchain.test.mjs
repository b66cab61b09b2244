// LangChain's adapter for OpenAI.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { ChatOpenAI, OpenAI } from "@langchain/openai";
import { continuation, model, origin, prompt } from "./server.mjs";

const settings = {
  model, temperature: 0, maxTokens: 5, apiKey: "none", maxRetries: 0,
  configuration: { baseURL: `${origin}/v1` },
};
const messages = [new SystemMessage("Tell stories."), new HumanMessage("Lily")];

test("completes", async () => {
  assert.equal(await new OpenAI(settings).invoke(prompt), continuation);
});

test("chats, with the tokens counted", async () => {
  const answer = await new ChatOpenAI(settings).invoke(messages);
  assert.ok(answer.content.length > 0);
  assert.equal(answer.usage_metadata.output_tokens, 5);
});

test("streams a chat that says the same", async () => {
  const chat = new ChatOpenAI(settings);
  let text = "";
  for await (const chunk of await chat.stream(messages)) text += chunk.content;
  assert.equal(text, (await chat.invoke(messages)).content);
});
