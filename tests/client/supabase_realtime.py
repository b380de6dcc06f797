"""Results of the published supabase-py over realtime/v1, as JSON: `supabase_realtime.py URL ANON_KEY SERVICE_KEY`."""
import asyncio
import json
import sys

from realtime.types import ChannelEvents, RealtimeAcknowledgementStatus, RealtimeSubscribeStates
from supabase import acreate_client

URL, ANON_KEY, SERVICE_KEY = sys.argv[1:]
PATIENCE = 20
EVERY = "*"


class Arrivals:
    """What a callback is given, in its order."""

    def __init__(self):
        self.queue = asyncio.Queue()

    def __call__(self, *values):
        self.queue.put_nowait(values[0] if len(values) == 1 else values)

    async def next(self):
        return await asyncio.wait_for(self.queue.get(), PATIENCE)


def config(private=False, ack=False, own=False, key=""):
    presence = {"key": key, "enabled": key != ""}
    return {"config": {"broadcast": {"ack": ack, "self": own}, "presence": presence, "private": private}}


async def anybody():
    return await acreate_client(URL, ANON_KEY)


async def person(email):
    client = await anybody()
    response = await client.auth.sign_up({"email": email, "password": "correct horse battery"})
    await client.realtime.set_auth(response.session.access_token)
    return client


async def subscribed(channel):
    """Subscribes; what else becomes of the subscription arrives later."""
    states = Arrivals()
    await channel.subscribe(states)
    state, error = await states.next()
    if state != RealtimeSubscribeStates.SUBSCRIBED:
        raise RuntimeError(f"{state}: {error}")
    return states


async def acknowledged(channel, event, payload):
    """The status of the reply to a broadcast."""
    replies = Arrivals()
    push = await channel.push(ChannelEvents.broadcast, {"type": "broadcast", "event": event, "payload": payload})
    push.receive(RealtimeAcknowledgementStatus.Ok, lambda _: replies("ok"))
    push.receive(RealtimeAcknowledgementStatus.Error, lambda _: replies("error"))
    push.receive(RealtimeAcknowledgementStatus.Timeout, lambda: replies("timeout"))
    return await replies.next()


async def broadcasts():
    one, two = await anybody(), await anybody()
    here, there = Arrivals(), Arrivals()
    sender = one.channel("python room", config(ack=True, own=True)).on_broadcast("shout", here)
    receiver = two.channel("python room", config()).on_broadcast(EVERY, there)
    await subscribed(sender)
    await subscribed(receiver)
    status = await acknowledged(sender, "shout", {"text": "é", "n": 1.5})
    own, other = await here.next(), await there.next()
    # A broadcast does not reach its own sender.
    await receiver.send_broadcast("answer", {"n": 2})
    await sender.http_send("over http", {"n": 3})
    over_http = await there.next()
    await one.remove_channel(sender)
    left = [channel.topic for channel in one.get_channels()]
    await two.remove_all_channels()
    return {
        "status": status,
        "own": [own["event"], own["payload"]],
        "other": [other["event"], other["payload"]],
        "http": [over_http["event"], over_http["payload"]],
        "left": left,
    }


async def presences():
    one, two = await anybody(), await anybody()
    joins, leaves, syncs = Arrivals(), Arrivals(), Arrivals()
    ada = one.channel("python presence", config(key="ada"))
    bob = two.channel("python presence", config(key="bob"))
    bob.on_presence_join(joins).on_presence_leave(leaves).on_presence_sync(syncs)
    await subscribed(ada)
    await subscribed(bob)
    await ada.track({"mood": "good"})
    key, _, new = await joins.next()
    tracked = [key, new[0]["mood"]]
    await ada.track({"mood": "better"})
    key, _, new = await joins.next()
    changed = [key, new[0]["mood"]]
    state = [one["mood"] for one in bob.presence_state()["ada"]]
    await leaves.next()
    await ada.untrack()
    key, _, gone = await leaves.next()
    untracked = [key, gone[0]["mood"], "ada" in bob.presence_state()]
    await ada.track({"mood": "back"})
    await joins.next()
    await one.remove_all_channels()
    key, _, gone = await leaves.next()
    await two.remove_all_channels()
    return {
        "tracked": tracked,
        "changed": changed,
        "state": state,
        "untracked": untracked,
        "closed": [key, gone[0]["mood"]],
    }


async def changes():
    client, service = await person("grace@example.test"), await acreate_client(URL, SERVICE_KEY)
    high, every, own, system = Arrivals(), Arrivals(), Arrivals(), Arrivals()
    channel = client.channel("python changes", config())
    channel.on_postgres_changes("INSERT", high, table="figures", schema="public", filter="n=gt.10")
    channel.on_postgres_changes(EVERY, every, table="figures", schema="public", select=["n"])
    channel.on_postgres_changes(EVERY, own, table="diaries", schema="public")
    channel.on_system(system)
    await subscribed(channel)
    said = (await system.next()).message
    figures, diaries = service.table("figures"), service.table("diaries")
    await figures.insert([{"id": 1, "n": 1}, {"id": 2, "n": 20}]).execute()
    await service.table("figures").update({"n": 2}).eq("id", 1).execute()
    await service.table("figures").delete().eq("id", 2).execute()
    await diaries.insert([{"id": 1, "email": "nobody@example.test"}, {"id": 2, "email": "grace@example.test"}]).execute()
    rows = []
    for _ in range(4):
        data = (await every.next())["data"]
        rows.append([data["type"], data.get("record"), data.get("old_record"), data["errors"]])
    matched, mine = (await high.next())["data"], (await own.next())["data"]
    await client.remove_all_channels()
    return {
        "said": said,
        "rows": rows,
        "matched": matched["record"],
        "mine": mine["record"],
        "more": [high.queue.qsize(), own.queue.qsize()],
    }


async def private_channels():
    client, stranger = await person("ada@example.test"), await anybody()
    news = Arrivals()
    channel = client.channel("club", config(private=True, ack=True)).on_broadcast("news", news)
    states = await subscribed(channel)
    status = await acknowledged(channel, "hello", {})
    service = await acreate_client(URL, SERVICE_KEY)
    await service.channel("club", config(private=True)).http_send("news", {"n": 1})
    heard = (await news.next())["payload"]
    refusals = Arrivals()
    await stranger.channel("club", config(private=True)).subscribe(refusals)
    state, refusal = await refusals.next()
    await stranger.realtime.close()
    # A token with the same rights keeps the channel, one without them ends it.
    refreshed = await client.auth.refresh_session()
    await client.realtime.set_auth(refreshed.session.access_token)
    still = await acknowledged(channel, "still here", {})
    await client.realtime.set_auth(ANON_KEY)
    ended, reason = await states.next()
    closed, _ = await states.next()
    await client.realtime.close()
    return {
        "status": status,
        "heard": heard,
        "refused": [state.value, json.loads(str(refusal))["reason"]],
        "still": still,
        "ended": [ended.value, json.loads(str(reason))["message"], closed.value],
    }


async def reconnects():
    one, two = await anybody(), await anybody()
    heard = Arrivals()
    receiver = one.channel("python again", config()).on_broadcast("e", heard)
    sender = two.channel("python again", config())
    states = await subscribed(receiver)
    await subscribed(sender)
    # Aborts the connection without a close frame, like a lost network.
    one.realtime._ws_connection.transport.abort()
    lost, _ = await states.next()
    back, _ = await states.next()
    await sender.send_broadcast("e", {"n": 1})
    payload = (await heard.next())["payload"]
    await one.remove_all_channels()
    await two.remove_all_channels()
    return {"states": [lost.value, back.value], "heard": payload}


async def main():
    results = {}
    for part in (broadcasts, presences, changes, private_channels, reconnects):
        try:
            results[part.__name__] = await asyncio.wait_for(part(), 60)
        except Exception as error:
            # A failed part does not hide the results of the others.
            results[part.__name__] = repr(error)
    print(json.dumps(results))


asyncio.run(main())
