"""A vote by the published aiovotifier. Arguments: port, token or public key, nickname. Prints the result."""

import asyncio
import sys

from aiovotifier import VotifierClient

port, secret, nickname = sys.argv[1:4]
try:
    asyncio.run(VotifierClient("127.0.0.1", int(port), "foreign", secret).vote(nickname, "203.0.113.9"))
    print("ok")
except Exception as refusal:
    print(refusal)
