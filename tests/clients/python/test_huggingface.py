"""HuggingFace's client for Python: TGI's routes and chat."""
import unittest

from huggingface_hub import InferenceClient
from huggingface_hub.errors import ValidationError
from server import CONTINUATION, MESSAGES, ORIGIN, PROMPT


class HuggingFace(unittest.TestCase):
    def setUp(self):
        self.client = InferenceClient(ORIGIN)

    def test_generates(self):
        text = self.client.text_generation(PROMPT, max_new_tokens=5)
        self.assertEqual(text, CONTINUATION)

    def test_details(self):
        answer = self.client.text_generation(
            PROMPT, max_new_tokens=5, details=True, seed=3)
        self.assertEqual(answer.generated_text, CONTINUATION)
        self.assertEqual(answer.details.finish_reason, "length")
        self.assertEqual(answer.details.generated_tokens, 5)
        self.assertEqual(answer.details.seed, 3)
        self.assertEqual(len(answer.details.tokens), 5)

    def test_streams(self):
        texts = list(self.client.text_generation(
            PROMPT, max_new_tokens=5, stream=True))
        self.assertEqual("".join(texts), CONTINUATION)

    def test_streams_details(self):
        last = list(self.client.text_generation(
            PROMPT, max_new_tokens=5, stream=True, details=True))[-1]
        self.assertEqual(last.generated_text, CONTINUATION)
        self.assertEqual(last.details.input_length, 5)

    def test_info(self):
        client = InferenceClient(ORIGIN, provider="hf-inference")
        info = client.get_endpoint_info()
        self.assertEqual(info["max_total_tokens"], 512)

    def test_chats_and_streams_a_chat(self):
        whole = self.client.chat_completion(
            MESSAGES, max_tokens=5, temperature=0)
        chunks = self.client.chat_completion(
            MESSAGES, max_tokens=5, temperature=0, stream=True)
        text = "".join(c.choices[0].delta.content or "" for c in chunks)
        self.assertTrue(text)
        self.assertEqual(text, whole.choices[0].message.content)

    def test_bad_requests(self):
        with self.assertRaises(ValidationError) as caught:
            self.client.text_generation(PROMPT, max_new_tokens=0)
        self.assertIn("max_new_tokens", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
