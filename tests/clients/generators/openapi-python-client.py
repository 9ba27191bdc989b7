"""Plays a game against three bots with the client that openapi-python-client generates.

openapi-python-client.py ADDRESS
"""

import random
import sys
import time
from typing import TypeVar, cast

from tabularium_client import AuthenticatedClient, Client
from tabularium_client.api.actions import list_legal_actions, submit_action
from tabularium_client.api.games import create_game, get_game
from tabularium_client.api.seats import claim_seat
from tabularium_client.models import ActionList, BotSeatPlayer, NewGame, NewSeat, OtherAction, Problem

Answer = TypeVar("Answer")


def good(answer: Answer | Problem | None) -> Answer:
    """Returns the answer, or ends the program if it is a problem."""
    if answer is None or isinstance(answer, Problem):
        raise SystemExit(f"refused: {answer}")
    return answer


address = sys.argv[1]
# The generator wants a token even where it is optional.
anonymous = cast(AuthenticatedClient, Client(base_url=address))

# A table: one open seat, and a bot on each of the others.
seats = [NewSeat(player="open")] + [NewSeat(player=BotSeatPlayer(bot="random")) for _ in range(3)]
new = NewGame(edition="antike", board="antike-east", seats=seats, max_rounds=20)
created = good(create_game.sync(client=anonymous, body=new))
print("game", created.id)

# Taking the seat gives the token that plays it. It is shown this once.
claimed = good(claim_seat.sync(created.id, 0, client=anonymous))
assert claimed.token is not None  # An account would play by a token of its own.
mine = AuthenticatedClient(base_url=address, token=claimed.token)

acted = 0
while good(get_game.sync(created.id, client=mine)).status != "finished":
    legal = good(list_legal_actions.sync(created.id, client=mine))
    if any(question.seat == claimed.seat for question in legal.pending):
        # A later server may list kinds of actions that this client does not have.
        known = [action for action in legal.actions if not isinstance(action, OtherAction)]
        body = ActionList.from_dict({"actions": [random.choice(known).to_dict()]})
        # `if_match` refuses it should the game have gone on.
        good(submit_action.sync(created.id, client=mine, body=body, if_match=f'"{legal.seq}"'))
        acted += 1
    else:
        time.sleep(0.05)

game = good(get_game.sync(created.id, client=mine))
assert game.result is not None
print(f"over after {game.seq} events, {acted} of them mine: {game.result.reason}")
for rank in game.result.ranks:
    print(f"{rank.rank}. seat {rank.seat} ({', '.join(rank.nations)}): {rank.points} points")
