# Sourced by Benchmarks/run: notifications over D-Bus, measured and stored durably once a second by `stressmon live`,
# beside a Python client (bleak) that only prints them. Each of them alone against the same fake bluetoothd.
#
# CPU per notification is the slope between a short and a long run, so that it holds no start-up. Start-up is what a
# program takes from exec until the first notification is in its output (which includes finding and connecting).

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

# serve COUNT: a fake bluetoothd on a bus of its own that sends COUNT notifications and then is silent.
serve() {
  coproc FAKE { exec "$release/fake-bluez" --strap "$strap=Benchmark" --rate "$rate" --count "$1"; }
  read -r line <&"${FAKE[0]}"
  export DBUS_SYSTEM_BUS_ADDRESS=${line#DBUS_SYSTEM_BUS_ADDRESS=}
}

dismiss() {
  kill "$FAKE_PID" && wait "$FAKE_PID" || true
} 2>/dev/null

# live COUNT: as long as COUNT notifications take, and a second for the last of them to be stored.
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

# first NAME: both, until the first notification is in their output.
first() {
  serve $((60 * rate))
  rm -f "$STRESSMON_DB"*
  keep "live.$1" "$cache/launch" -n 1 -w 0 -l '"notification"' "$binary" live --strap "$strap" --json
  dismiss
  serve $((60 * rate))
  keep "bleak.$1" "$cache/launch" -n 1 -w 0 -l ' 10' "$python" -u "$here/bleak_client.py" "$strap"
  dismiss
}

# What is read from the disk at the first start of all is counted for neither.
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
compare "CPU per notification" us 1 "$(slope live)" "$(slope bleak)" 1
compare "peak memory" MB 1024 "$(of "live.$many" rss_kb_max)" "$(of "bleak.$many" rss_kb_max)" 1
compare "CPU until the first notification" ms 1000 "$(of live.first cpu_us_median)" \
  "$(of bleak.first cpu_us_median)" 0.25
compare "time until the first notification" ms 1000 "$(of live.first wall_us_median)" \
  "$(of bleak.first wall_us_median)" -
