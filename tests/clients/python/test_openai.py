"""OpenAI's own package for Python."""
import unittest

import openai
from server import CONTINUATION, MESSAGES, MODEL, ORIGIN, PROMPT

GREEDY = {"model": MODEL, "temperature": 0, "max_tokens": 5}


class OpenAI(unittest.TestCase):
    def setUp(self):
        self.client = openai.OpenAI(
            base_url=f"{ORIGIN}/v1", api_key="none", max_retries=0)
        self.addCleanup(self.client.close)

    def test_models(self):
        self.assertEqual([m.id for m in self.client.models.list()], [MODEL])
        self.assertEqual(self.client.models.retrieve(MODEL).id, MODEL)

    def test_completes(self):
        answer = self.client.completions.create(**GREEDY, prompt=PROMPT)
        self.assertEqual(answer.choices[0].text, CONTINUATION)
        self.assertEqual(answer.choices[0].finish_reason, "length")
        self.assertEqual(answer.usage.total_tokens, 10)

    def test_streams_a_completion(self):
        stream = self.client.completions.create(
            **GREEDY, prompt=PROMPT, stream=True,
            stream_options={"include_usage": True})
        chunks = list(stream)
        text = "".join(c.choices[0].text for c in chunks if c.choices)
        self.assertEqual(text, CONTINUATION)
        self.assertEqual(chunks[-1].usage.completion_tokens, 5)

    def test_logprobs_of_a_completion_and_its_prompt(self):
        answer = self.client.completions.create(
            **GREEDY, prompt=PROMPT, logprobs=2, echo=True)
        logprobs = answer.choices[0].logprobs
        self.assertEqual(logprobs.tokens[0], "<s>")
        self.assertEqual("".join(logprobs.tokens[1:]), PROMPT + CONTINUATION)
        self.assertIsNone(logprobs.token_logprobs[0])
        self.assertTrue(all(p <= 0 for p in logprobs.token_logprobs[1:]))
        self.assertEqual(len(logprobs.top_logprobs[-1]), 2)

    def test_chats(self):
        answer = self.client.chat.completions.create(
            **GREEDY, messages=MESSAGES)
        self.assertEqual(answer.choices[0].message.role, "assistant")
        self.assertTrue(answer.choices[0].message.content)

    def test_streams_a_chat_that_says_the_same(self):
        whole = self.client.chat.completions.create(**GREEDY, messages=MESSAGES)
        chunks = list(self.client.chat.completions.create(
            **GREEDY, messages=MESSAGES, stream=True))
        self.assertEqual(chunks[0].choices[0].delta.role, "assistant")
        text = "".join(c.choices[0].delta.content or "" for c in chunks)
        self.assertEqual(text, whole.choices[0].message.content)
        self.assertEqual(chunks[-1].choices[0].finish_reason, "length")

    def test_logprobs_of_a_chat(self):
        answer = self.client.chat.completions.create(
            **GREEDY, messages=MESSAGES, logprobs=True, top_logprobs=3)
        content = answer.choices[0].logprobs.content
        self.assertEqual(len(content), 5)
        for token in content:
            self.assertEqual(len(token.top_logprobs), 3)
            self.assertEqual(bytes(token.bytes).decode(), token.token)

    def test_choices(self):
        answer = self.client.chat.completions.create(
            model=MODEL, messages=MESSAGES, n=3, seed=7, max_tokens=5)
        self.assertEqual([c.index for c in answer.choices], [0, 1, 2])
        again = self.client.chat.completions.create(
            model=MODEL, messages=MESSAGES, n=3, seed=7, max_tokens=5)
        self.assertEqual([c.message.content for c in answer.choices],
                         [c.message.content for c in again.choices])

    def test_leaves_a_stream(self):
        with self.client.completions.create(
                model=MODEL, prompt=PROMPT, max_tokens=450, stream=True,
                extra_body={"ignore_eos": True}) as stream:
            next(iter(stream))
        self.test_completes()

    def test_bad_requests(self):
        with self.assertRaises(openai.BadRequestError) as caught:
            self.client.completions.create(
                model=MODEL, prompt=PROMPT, temperature=9)
        self.assertEqual(caught.exception.param, "temperature")
        with self.assertRaises(openai.NotFoundError) as caught:
            self.client.completions.create(model="other", prompt=PROMPT)
        self.assertEqual(caught.exception.code, "model_not_found")


if __name__ == "__main__":
    unittest.main()
