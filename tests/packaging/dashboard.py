"""Checks the Grafana dashboard, and prints its queries as rules for `promtool check rules`.

    python dashboard.py grafana.json > rules.yaml
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    dashboard = json.load(file)
panels = dashboard["panels"]
assert len({panel["id"] for panel in panels}) == len(panels), "two panels have one id"
taken = {}
for panel in panels:
    place, title = panel["gridPos"], panel["title"]
    assert place["x"] + place["w"] <= 24, f"{title} is too wide"
    for x in range(place["x"], place["x"] + place["w"]):
        for y in range(place["y"], place["y"] + place["h"]):
            other = taken.setdefault((x, y), title)
            assert other == title, f"{title} and {other} overlap"
names = {variable["name"] for variable in dashboard["templating"]["list"]}
assert names == {"datasource", "instance"}, names
queries = [target["expr"] for panel in panels for target in panel.get("targets", [])]
rules = [
    {"record": f"query{number}", "expr": query.replace("$__rate_interval", "5m").replace("$instance", ".*")}
    for number, query in enumerate(queries)
]
assert not any("$" in rule["expr"] for rule in rules), "a query names an unknown variable"
# JSON is YAML too.
json.dump({"groups": [{"name": "dashboard", "rules": rules}]}, sys.stdout)
