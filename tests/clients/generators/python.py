"""Plays a game against three bots with the client that openapi-generator makes for Python.

python.py ADDRESS
"""

import random
import sys
import time

from openapi_client import ApiClient, Configuration
from openapi_client.api import ActionsApi, EventsApi, GamesApi, SeatsApi
from openapi_client.models import ActionsRequest, BotSeatPlayer, NewGame, NewSeat, SeatPlayer

address = sys.argv[1]
guest = ApiClient(Configuration(host=address))
players = ["open"] + [BotSeatPlayer(bot="random") for _ in range(3)]
seats = [NewSeat(player=SeatPlayer(player)) for player in players]
created = GamesApi(guest).create_game(NewGame(edition="antike", board="antike-east", seats=seats, max_rounds=5))
claimed = SeatsApi(guest).claim_seat(created.id, 0)
mine = ApiClient(Configuration(host=address, access_token=claimed.token))

acted = 0
while GamesApi(mine).get_game(created.id).status != "finished":
    legal = ActionsApi(mine).list_legal_actions(created.id)
    if any(question.seat == claimed.seat for question in legal.pending):
        action = random.choice(legal.actions)
        ActionsApi(mine).submit_action(created.id, ActionsRequest.from_dict(action.to_dict()), if_match=f'"{legal.seq}"')
        acted += 1
    else:
        time.sleep(0.02)

events = EventsApi(mine).list_game_events(created.id, limit=1000).items
assert events[0].payload.setup.edition == "antike", events[0]
assert any(event.action and event.payload is None for event in events)
print(f"openapi-generator python: {len(events)} events, {acted} of them mine")
