"""Has a witness of another implementation (c2sp.org/tlog-witness) cosign the transparency log of a server, with proofs that
another library computes from the tiles. Then it shows the witness another history, signed with the same key.

    witness.py SERVER FORK FOLDER RECORDS

FORK is a server with the key of SERVER and at least two other records. RECORDS is a file with one record on each line,
which is imported into SERVER.
"""

import os
import socket
import subprocess
import sys

import requests
from aics_tlog import VerifiedTileReader, parse_checkpoint, parse_note, parse_vkey
from aics_tlog.checkpoint import WitnessPolicy, verify_checkpoint
from aics_tlog.remote import HttpTileReader
from aics_tlog.tiles import consistency_proof_from_tiles
from aics_witness.feeder import WitnessClient, WitnessRejected, merge_cosignatures

server, fork, folder, records = sys.argv[1:]
witness_configuration = os.path.join(folder, "witness.json")


def witness_program(*arguments):
    return [sys.executable, "-m", "aics_witness", arguments[0], "--config", witness_configuration, *arguments[1:]]


def run(*arguments):
    return subprocess.run(witness_program(*arguments), check=True, capture_output=True, text=True).stdout


def checkpoint(address):
    answer = requests.get(f"{address}/tlog/checkpoint", timeout=60)
    answer.raise_for_status()
    return answer.content


def proofs(address, note):
    """Computes proofs of consistency up to a checkpoint from the tiles of a server, each tile compared with the root."""
    head = parse_checkpoint(parse_note(note).text)
    tiles = VerifiedTileReader(HttpTileReader(f"{address}/tlog"), head.size, head.root)
    return lambda old, new: consistency_proof_from_tiles(tiles, old, new)


def add_records(lines):
    for line in lines:
        answer = requests.post(
            f"{server}/v1/records", data=line, headers={"Content-Type": "application/x-ndjson"}, timeout=60
        )
        answer.raise_for_status()


with open(records, "rb") as file:
    lines = file.readlines()
assert len(lines) > 5, len(lines)
(key,) = requests.get(f"{server}/v1/keys", timeout=60).json()["items"]
log_key = parse_vkey(key["verifier_key"])

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
run("init", "--name", "witness.example.org/1", "--listen", f"127.0.0.1:{port}")
run("add-log", "--origin", log_key.name, "--vkey", key["verifier_key"])
witness_key = run("init").split()[-1]
witness = subprocess.Popen(witness_program("serve"), stderr=subprocess.DEVNULL)
try:
    client = WitnessClient(f"http://127.0.0.1:{port}", witness_key, max_attempts=20)

    # The log grows between two checkpoints: the witness cosigns each of them.
    for part in (lines[:2], lines[2:]):
        add_records(part)
        note = checkpoint(server)
        cosigned = merge_cosignatures(note, client.submit(note, proofs(server, note)))
        policy = WitnessPolicy(quorum=1, witnesses=(parse_vkey(witness_key),))
        result = verify_checkpoint(parse_note(cosigned), log_key, expected_origin=log_key.name, policy=policy)
        assert result.ok, result
    size = parse_checkpoint(parse_note(note).text).size
    with open(os.path.join(folder, "cosigned"), "wb") as file:
        file.write(cosigned if isinstance(cosigned, bytes) else cosigned.encode())

    # The same key signs another history, of another size, and then of the same.
    other = checkpoint(fork)
    assert parse_checkpoint(parse_note(other).text).size > size, other
    try:
        client.submit(other, proofs(fork, other), old_size=size)
        raise SystemExit("the witness has cosigned two histories")
    except WitnessRejected as refused:
        assert refused.status == 422, refused
    assert log_key.name in run("evidence"), "the witness keeps the other history as evidence"
finally:
    witness.terminate()
    witness.wait()
print(f"{size} leaves cosigned, another history refused")
