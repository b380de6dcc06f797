"""The status of a local game server by published libraries, as JSON: `status.py minecraft|source PORT`."""
import json
import sys

kind, port = sys.argv[1], int(sys.argv[2])
if kind == "minecraft":
    from mcstatus import JavaServer

    players = JavaServer("127.0.0.1", port, timeout=5).status().players
    print(json.dumps({"players": players.online, "places": players.max}))
else:
    import a2s

    told = a2s.info(("127.0.0.1", port), timeout=5)
    print(json.dumps({"players": told.player_count, "places": told.max_players, "map": told.map_name, "name": told.server_name}))
