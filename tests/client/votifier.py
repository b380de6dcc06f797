"""Votes by aiovotifier as published. Arguments: port, token or public key, nickname. Says how it went."""

import asyncio
import sys

from aiovotifier import VotifierClient

port, secret, nickname = sys.argv[1:4]
try:
    asyncio.run(VotifierClient("127.0.0.1", int(port), "foreign", secret).vote(nickname, "203.0.113.9"))
    print("ok")
except Exception as refusal:
    print(refusal)
