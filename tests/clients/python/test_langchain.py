"""LangChain's adapter for OpenAI."""
import unittest

from langchain_openai import ChatOpenAI, OpenAI
from server import CONTINUATION, MODEL, ORIGIN, PROMPT

SETTINGS = {
    "model": MODEL, "temperature": 0, "max_tokens": 5, "api_key": "none",
    "base_url": f"{ORIGIN}/v1", "max_retries": 0,
}
MESSAGES = [("system", "Tell stories."), ("user", "Lily")]


class LangChain(unittest.TestCase):
    def test_completes(self):
        self.assertEqual(OpenAI(**SETTINGS).invoke(PROMPT), CONTINUATION)

    def test_chats(self):
        answer = ChatOpenAI(**SETTINGS).invoke(MESSAGES)
        self.assertTrue(answer.content)
        self.assertEqual(answer.usage_metadata["output_tokens"], 5)

    def test_streams_a_chat_that_says_the_same(self):
        chat = ChatOpenAI(**SETTINGS)
        text = "".join(chunk.content for chunk in chat.stream(MESSAGES))
        self.assertEqual(text, chat.invoke(MESSAGES).content)


if __name__ == "__main__":
    unittest.main()
