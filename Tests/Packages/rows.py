"""rows.py DATABASE SCHEMA: prints the rows of DATABASE, one per line with the name of its table, sorted.

Reads the tables and columns that the file SCHEMA lists. If it does not exist, it is created from DATABASE, so rows that a later
version extends by columns are printed alike.
"""

import json
import pathlib
import sqlite3
import sys

database, schema = sys.argv[1], pathlib.Path(sys.argv[2])
connection = sqlite3.connect(database)
if not schema.exists():
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    tables = {
        name: [column[1] for column in connection.execute(f'PRAGMA table_info("{name}")')]
        for (name,) in sorted(names)
        if not name.startswith(("sqlite_", "grdb_"))
    }
    schema.write_text(json.dumps(tables))

for table, columns in json.loads(schema.read_text()).items():
    listed = ", ".join(f'"{column}"' for column in columns)
    for row in sorted(repr(row) for row in connection.execute(f'SELECT {listed} FROM "{table}"')):
        print(table, row)
