#!/usr/bin/env bash
# Prints the rows of STRENGTH.md: matches of the current search on all boards, as a Markdown table.
#
#   engine/bots/strength.sh linear|greedy|tenfold|levels [GAMES]
#
# `linear` compares it at equal time with the search without networks. GAMES is the number of games for each row, 200 by
# default. BOTS is the program, tabularium-bots by default.
set -euo pipefail
bots=${BOTS:-tabularium-bots}
games=${2:-200}
boards='antike-east:4 antike-west:4 antike-ii-orient:4 antike-ii-mare-nostrum:4
    duellum-greece-persia:2 duellum-rome-carthage:2'
linear=$(mktemp)
trap 'rm -f "$linear"' EXIT
python3 - "$(dirname "$0")/data/value.json" > "$linear" << 'END'
import json, sys
value = json.load(open(sys.argv[1]))
json.dump(value | {"networks": {}}, sys.stdout)
END

# row BOARD SEATS FIRST OTHER: one FIRST against OTHER on all other seats.
row() {
    local others=$(($2 - 1))
    "$bots" match --all --seed strength --board "$1" --sides "$3,$4=$others" --rounds $((games / $2)) \
        --other-weights "$linear" 2> /dev/null |
        awk -v board="$1" -v first="$3" -v others="$others $4" '
            NR == 1 { games = $6 }
            NR == 3 { printf "| %s | %s | %s | %d | %s [%s, %s] | %s |\n", first, others, board, games, $4, $5, $7, $3 }'
}

echo '| bot | others | board | games | share | equal |'
echo '|---|---|---|---|---|---|'
case $1 in
    linear) pairs='search@20ms,search_other@20ms' ;;
    greedy) pairs='search@20ms,greedy' ;;
    tenfold) pairs='search:300,search:30' ;;
    levels)
        pairs='intermediate,beginner advanced,intermediate expert,advanced'
        boards='antike-east:4 duellum-greece-persia:2'
        ;;
    *) exit 2 ;;
esac
for pair in $pairs; do
    for board in $boards; do
        row "${board%:*}" "${board#*:}" "${pair%,*}" "${pair#*,}"
    done
done
