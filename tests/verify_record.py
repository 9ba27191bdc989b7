#!/usr/bin/env python3
"""Checks the signatures of a server with Python's standard library (see openapi/record-format.md).

    verify_record.py KEYS RECORDS                           records, one a line: chain, content, signature
    verify_record.py KEYS EVENTS --checkpoints CHECKPOINTS  the log of all games, as /v1/events returns it
    verify_record.py KEYS PAGES --league ID                 the log of a league: chain, places, signature

KEYS is the answer of /v1/keys, CHECKPOINTS the answer of /v1/checkpoints, and PAGES the answers of
/v1/leagues/{ID}/events, one page a line. Only `tabularium verify` checks that a game follows the rules. The exit code
is 1 if a signature or a hash is wrong.
"""
import copy
import hashlib
import json
import sys

# Ed25519, RFC 8032 section 5.1: the field, the order, and points as (X, Y, Z, T).
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * p[3] * q[3] * D, 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar, point):
    total = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = add(total, point)
        point, scalar = add(point, point), scalar >> 1
    return total


def point(text):
    """Decodes a point from 32 bytes; None if they encode no point."""
    number = int.from_bytes(text, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if (x * x - square) % P == 0 else x * ROOT % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    x = x if x & 1 == sign else P - x
    return x, y, 1, x * y % P


BASE = point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def is_signed(public, message, signature):
    public, signature = bytes.fromhex(public), bytes.fromhex(signature)
    a, r = point(public), point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if len(public) != 32 or len(signature) != 64 or not a or not r or s >= ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little")
    p, q = times(s, BASE), add(r, times(h % ORDER, a))
    return not (p[0] * q[2] - q[0] * p[2]) % P and not (p[1] * q[2] - q[1] * p[2]) % P


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def lines(*items):
    return "".join(f"{item}\n" for item in items)


def chained_hash(event, previous):
    fields = [event[name] for name in "seq turn player nation notation digest at".split()]
    return sha256(lines(previous, *("" if field is None else field for field in fields)))


def content_hash(record):
    bare = {**copy.deepcopy(record), "events": None, "signature": None}
    del bare["events"], bare["signature"]
    for rank in (bare["result"] or {"ranks": []})["ranks"]:
        rank.pop("share", None)
    return sha256(json.dumps(bare, sort_keys=True, separators=(",", ":"), ensure_ascii=False))


def check_record(record, keys):
    """Returns the fault of a record; None if it is the signed one."""
    number, previous = -1, "tabularium-event/1"
    for number, event in enumerate(record.get("events") or []):
        if event["seq"] != number or event["hash"] != chained_hash(event, previous):
            return f"event {number} does not follow from those before it"
        previous = event["hash"]
    signature = record.get("signature")
    if not signature:
        return "unsigned"
    if signature["key"] not in keys:
        return f"signed by the unknown key {signature['key']}"
    if "events" in record and (number, previous) != (signature["seq"], signature["hash"]):
        return "the log does not end with the event that was signed"
    signed = {**signature, "game": record["id"], "record": content_hash(record)}
    fields = [f"{name} {signed[name]}" for name in "key game seq hash record".split()]
    message = lines("tabularium-signature/1", *fields)
    if not is_signed(keys[signature["key"]], message.encode(), signature["value"]):
        return "it is not what was signed"


def check_log(events, checkpoints, keys):
    """Returns the fault of the log of all games according to checkpoints, in order; None if it is the signed one."""
    if not checkpoints:
        return "there is no checkpoint"
    position, heads, previous = 0, {}, None  # heads are in the order of the games' first events
    for one in checkpoints:
        while position < one["position"]:
            event = next(events, None)
            if event is None or event["position"] != position + 1:
                return f"event {position + 1} of the log is missing"
            position += 1
            seq, before = heads.get(event["game"], (-1, "tabularium-event/1"))
            if event["seq"] != seq + 1 or event["hash"] != chained_hash(event, before):
                return f"event {position} of the log does not follow from those of its game before it"
            heads[event["game"]] = event["seq"], event["hash"]
        root = sha256("".join(f"{game} {seq} {end}\n" for game, (seq, end) in heads.items()))
        if (root, len(heads), previous) != (one["root"], one["games"], one["previous"]):
            return f"checkpoint {one['number']}: the log is not what was signed"
        fields = [f"{name} {one[name]}" for name in "key number at position games root".split()]
        message = lines("tabularium-checkpoint/1", *fields, f"previous {previous or '-'}")
        if one["key"] not in keys or not is_signed(keys[one["key"]], message.encode(), one["value"]):
            return f"checkpoint {one['number']} is not signed with a known key"
        previous = sha256(message)


def check_league(pages, league, keys):
    """Returns the fault of the log of a league; None if it is the signed one."""
    number, previous, places, signature = -1, "tabularium-league/1", "tabularium-league-places/1", None
    for page in pages:
        signature = page["signature"]
        for event in page["items"]:
            number += 1
            fields = event["seq"], event["at_microseconds"], event["by"] or "", event["text"]
            previous = sha256(lines(previous, league, *fields))
            if event["seq"] != number or event["hash"] != previous or json.loads(event["text"]) != event["event"]:
                return f"event {number} does not follow from those before it"
            places = sha256(lines(places, event["position"], event["log_position"]))
    if not signature:
        return "unsigned"
    if signature["key"] not in keys:
        return f"signed by the unknown key {signature['key']}"
    if (number, previous, places) != (signature["seq"], signature["hash"], signature["places"]):
        return "the log does not end as it was signed"
    signed = {**signature, "league": league}
    fields = [f"{name} {signed[name]}" for name in "key league seq hash places".split()]
    if not is_signed(keys[signature["key"]], lines("tabularium-league-log/1", *fields).encode(), signature["value"]):
        return "it is not what was signed"


def main(keys, file, *rest):
    keys = {key["id"]: key["public_key"] for key in json.load(open(keys, encoding="utf-8"))["items"]}
    for key, public in keys.items():
        if hashlib.sha256(bytes.fromhex(public)).hexdigest()[:16] != key:
            sys.exit(f"the key {key} has another id")
    entries = (json.loads(line) for line in open(file, encoding="utf-8") if line.strip())
    if rest and rest[0] == "--league":
        faults = [check_league(entries, rest[1], keys)]
    elif rest:
        faults = [check_log(entries, json.load(open(rest[1], encoding="utf-8"))["items"], keys)]
    else:
        checked = ((record["id"], check_record(record, keys)) for record in entries)
        faults = [fault and f"{game}: {fault}" for game, fault in checked]
    print(*filter(None, faults), sep="\n", end="\n" * any(faults), file=sys.stderr)
    print(f"{faults.count(None)} of {len(faults)} {'logs' if rest else 'records'} as signed")
    sys.exit(any(faults) or not faults)


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) in (3, 5) else sys.exit(__doc__)
