#!/usr/bin/env python3
"""Checks the signatures of a server with Python's standard library (see openapi/record-format.md).

    verify_record.py KEYS RECORDS                           records, one a line: chain, content, signature
    verify_record.py KEYS EVENTS --checkpoints CHECKPOINTS  the log of all games, as /v1/events returns it
    verify_record.py KEYS PAGES --league ID                 the log of a league: chain, places, signature
    verify_record.py KEYS RECORDS --proofs PROOFS           records, and that they are in the transparency log
    verify_record.py KEYS FOLDER --mirror URL               copies the log of a server; it must continue the copy

KEYS is the answer of /v1/keys, CHECKPOINTS the answer of /v1/checkpoints, and PAGES the answers of
/v1/leagues/{ID}/events, one page a line. PROOFS has answers of /v1/games/{ID}/proof, one a line. Only `tabularium verify` checks that a game follows the rules. The exit code
is 1 if a signature or a hash is wrong.
"""
import base64
import copy
import hashlib
import json
import pathlib
import sys
import urllib.request

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


def leaf_hash(leaf):
    return hashlib.sha256(b"\0" + leaf).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def tree_root(hashes):
    """Returns the root of a Merkle tree, RFC 6962 section 2.1."""
    if len(hashes) < 2:
        return hashes[0] if hashes else hashlib.sha256().digest()
    middle = 1 << (len(hashes) - 1).bit_length() - 1
    return node_hash(tree_root(hashes[:middle]), tree_root(hashes[middle:]))


def proven_root(hash, index, size, proof):
    """Returns the root to which an inclusion proof leads; None if it does not fit to the tree."""
    last = size - 1
    for sibling in proof:
        if last == 0:
            return None
        if index & 1 or index == last:
            hash = node_hash(sibling, hash)
            while index and not index & 1:
                index, last = index >> 1, last >> 1
        else:
            hash = node_hash(hash, sibling)
        index, last = index >> 1, last >> 1
    return hash if last == 0 and index == 0 else None


def signed_head(note, keys):
    """Returns origin, size and root of a signed checkpoint; None if no known key has signed it."""
    text, _, signatures = note.rpartition("\n\n")
    origin, size, root = (text + "\n\n\n").split("\n")[:3]
    signed = False
    for line in signatures.splitlines():
        dash, name, value = line.split(" ")
        value = base64.b64decode(value)
        for public in keys.values():
            identity = f"{origin}\n\1".encode() + bytes.fromhex(public)
            if dash != "—" or name != origin or value[:4] != hashlib.sha256(identity).digest()[:4]:
                continue
            if not is_signed(public, f"{text}\n".encode(), value[4:].hex()):
                return None
            signed = True
    return (origin, int(size), base64.b64decode(root)) if signed else None


def check_proof(record, proofs, keys):
    """Returns the fault of a record or of its proof; None if it is signed and in the log."""
    fault = check_record(record, keys)
    if fault:
        return fault
    proof = proofs.get(record["id"])
    if not proof:
        return "there is no proof that it is in the log"
    signature = " ".join(str(record["signature"][name]) for name in "key seq hash value".split())
    subject, statement = sha256(f"game {record['id']}\n"), sha256(f"game {record['id']} {signature}\n")
    seq = record["signature"]["seq"]
    leaf = lines("tabularium-leaf/1", "kind game", f"subject {subject}", f"seq {seq}", f"hash {statement}")
    if leaf != proof["leaf"]:
        return "the leaf is not that of this record"
    head = signed_head(proof["checkpoint"], keys)
    if not head:
        return "no known key has signed the checkpoint"
    hashes = [base64.b64decode(hash) for hash in proof["hashes"]]
    if proven_root(leaf_hash(leaf.encode()), proof["index"], head[1], hashes) != head[2]:
        return "the hashes do not lead to the root of the checkpoint"


def read_entries(bundle):
    entries = []
    while bundle:
        length = int.from_bytes(bundle[:2], "big")
        entries.append(bundle[2:2 + length])
        bundle = bundle[2 + length:]
    return entries


def tile_name(index, width):
    digits = f"{index:0{-(-len(str(index)) // 3) * 3}}"
    parts = [digits[at:at + 3] for at in range(0, len(digits), 3)]
    return "/".join([f"x{part}" for part in parts[:-1]] + parts[-1:]) + (f".p/{width}" if width < 256 else "")


def update_mirror(folder, url, keys):
    """Copies what was added to the log of a server. Returns the fault if the log does not continue the copy."""
    def get(path):
        with urllib.request.urlopen(f"{url.rstrip('/')}/tlog/{path}") as answer:
            return answer.read()

    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    leaves, old = [], None
    if (folder / "checkpoint").exists():
        old = signed_head((folder / "checkpoint").read_text(encoding="utf-8"), keys)
        leaves = read_entries((folder / "entries").read_bytes())[:old[1]] if old else []
        if not old or tree_root([leaf_hash(leaf) for leaf in leaves]) != old[2]:
            return "the copy is damaged"
    note = get("checkpoint").decode()
    new = signed_head(note, keys)
    if not new:
        return "no known key has signed the checkpoint"
    if old and (new[0] != old[0] or new[1] < old[1]):
        return f"the log is {new[0]} with {new[1]} leaves, and was {old[0]} with {old[1]}"
    for index in range(len(leaves) // 256, -(-new[1] // 256)):
        width = min(256, new[1] - 256 * index)
        leaves += read_entries(get(f"tile/entries/{tile_name(index, width)}"))[len(leaves) - 256 * index:]
    if len(leaves) != new[1] or tree_root([leaf_hash(leaf) for leaf in leaves]) != new[2]:
        return "split view: the copied leaves and the new ones do not lead to the signed root"
    (folder / "entries").write_bytes(b"".join(len(leaf).to_bytes(2, "big") + leaf for leaf in leaves))
    (folder / "checkpoint").write_text(note, encoding="utf-8")


def main(keys, file, *rest):
    keys = {key["id"]: key["public_key"] for key in json.load(open(keys, encoding="utf-8"))["items"]}
    for key, public in keys.items():
        if hashlib.sha256(bytes.fromhex(public)).hexdigest()[:16] != key:
            sys.exit(f"the key {key} has another id")
    if rest and rest[0] == "--mirror":
        fault = update_mirror(file, rest[1], keys)
        sys.exit(fault)
    entries = (json.loads(line) for line in open(file, encoding="utf-8") if line.strip())
    if rest and rest[0] == "--proofs":
        proofs = (json.loads(line) for line in open(rest[1], encoding="utf-8") if line.strip())
        proofs = {proof["game"]: proof for proof in proofs}
        checked = ((record["id"], check_proof(record, proofs, keys)) for record in entries)
        faults = [fault and f"{game}: {fault}" for game, fault in checked]
    elif rest and rest[0] == "--league":
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
