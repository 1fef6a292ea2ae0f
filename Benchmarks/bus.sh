# Sourced by Benchmarks/run: notifications over D-Bus, measured and durably stored once a second by `stressmon live`,
# compared with a Python client (bleak) that only prints them. Both use the same fake bluetoothd, one after the other.
#
# CPU per notification is the slope between a short and a long run, which excludes start-up. Start-up is the time that a
# program takes from exec to the first notification in its output, including discovery and connection; the database
# exists, as in each session but the first one.

strap=C0:00:00:00:00:01
rate=1000
few=1000
many=$((few + 15 * rate))
bus_rounds=$(((ROUNDS + 2) / 3))
export STRESSMON_DB=$results/live.db

python=$cache/python/bin/python
if ! "$python" -c 'import bleak' 2>/dev/null; then
  echo "installing bleak from PyPI into $cache/python" >&2
  python3 -m venv "$cache/python" && "$python" -m pip install --quiet bleak
fi

# serve COUNT: a fake bluetoothd on a private bus that sends COUNT notifications and then nothing.
serve() {
  coproc FAKE { exec "$release/fake-bluez" --strap "$strap=Benchmark" --rate "$rate" --count "$1"; }
  read -r line <&"${FAKE[0]}"
  export DBUS_SYSTEM_BUS_ADDRESS=${line#DBUS_SYSTEM_BUS_ADDRESS=}
}

dismiss() {
  kill "$FAKE_PID" && wait "$FAKE_PID" || true
} 2>/dev/null

# live COUNT: runs for the duration of COUNT notifications, plus a second for storing the last ones.
live() {
  rm -f "$STRESSMON_DB"*
  serve "$1"
  keep "live.$1" "$cache/launch" -n 1 -w 0 "$binary" live --strap "$strap" --plain --duration $(($1 / rate + 4))
  dismiss
  stored=$("$python" - "$STRESSMON_DB" <<'END'
import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM session_event WHERE kind = 1").fetchone()[0])
END
  )
  [ "$stored" -ge "$1" ] || { echo "  only $stored of $1 notifications were stored"; broken=1; }
}

bleak() {
  serve "$1"
  keep "bleak.$1" "$cache/launch" -n 1 -w 0 "$python" "$here/bleak_client.py" "$strap" --count "$1"
  dismiss
}

# first NAME: both programs, until the first notification is in their output.
first() {
  serve $((60 * rate))
  keep "live.$1" "$cache/launch" -n 1 -w 0 -l '"notification"' "$binary" live --strap "$strap" --json
  dismiss
  serve $((60 * rate))
  keep "bleak.$1" "$cache/launch" -n 1 -w 0 -l ' 10' "$python" -u "$here/bleak_client.py" "$strap"
  dismiss
}

# The first start, which reads from the disk, is not counted.
first unmeasured
for ((round = 0; round < bus_rounds; round++)); do
  first first
  for count in "$few" "$many"; do
    live "$count"
    bleak "$count"
  done
done

# slope NAME: us of CPU per notification.
slope() { awk -v a="$(of "$1.$few" cpu_us_median)" -v b="$(of "$1.$many" cpu_us_median)" -v n=$((many - few)) \
  'BEGIN { print (b - a) / n }'; }

echo "$rate notifications a second over D-Bus, $many of them, stored and synced once a second; peer: bleak, printing"
compare "CPU per notification" us 1 "$(slope live)" "$(slope bleak)" 1.15
compare "peak memory" MB 1024 "$(of "live.$many" rss_kb_max)" "$(of "bleak.$many" rss_kb_max)" 0.85
compare "CPU until the first notification" ms 1000 "$(of live.first cpu_us_median)" \
  "$(of bleak.first cpu_us_median)" 0.25
compare "time until the first notification" ms 1000 "$(of live.first wall_us_median)" \
  "$(of bleak.first wall_us_median)" -
