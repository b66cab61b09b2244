"""Where the server under test is, and what its greedy model says."""
import os

ORIGIN = os.environ["GANGLION_URL"]
MODEL = os.environ["GANGLION_MODEL"]
PROMPT = "Once upon a time"
CONTINUATION = ", there was a little"
MESSAGES = [
    {"role": "system", "content": "Tell stories."},
    {"role": "user", "content": "Lily"},
]
