# Sourced by Benchmarks/run: a live session with acceleration at 25 Hz, compared with the same session with --no-motion. Both
# receive one notification a second from the same fake bluetoothd, in real time, and store everything.
#
# CPU per second is the slope between a short and a long run, which excludes start-up. Memory is the peak of the long run.

strap=C0:00:00:00:00:01
motion_short=5
motion_long=35
motion_rounds=$(((ROUNDS + 2) / 3))
export STRESSMON_DB=$results/motion.db

# motion_run NAME SECONDS [OPTION...]
motion_run() {
  rm -f "$STRESSMON_DB"*
  coproc FAKE { exec "$release/fake-bluez" --strap "$strap=Benchmark" --motion breathing:20,walking:20; }
  read -r line <&"${FAKE[0]}"
  export DBUS_SYSTEM_BUS_ADDRESS=${line#DBUS_SYSTEM_BUS_ADDRESS=}
  keep "$1.$2" "$cache/launch" -n 1 -w 0 "$binary" live --strap "$strap" --plain --duration "$2" "${@:3}"
  { kill "$FAKE_PID" && wait "$FAKE_PID" || true; } 2>/dev/null
}

# frames_stored: the number of sensor frames of the last run.
frames_stored() {
  python3 - "$STRESSMON_DB" <<'END'
import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM session_event WHERE kind = 7").fetchone()[0])
END
}

for ((round = 0; round < motion_rounds; round++)); do
  for seconds in "$motion_short" "$motion_long"; do
    motion_run still "$seconds" --no-motion
    motion_run moving "$seconds"
  done
  [ "$(frames_stored)" -ge $((motion_long / 2)) ] || { echo "  only $(frames_stored) frames were stored"; broken=1; }
done

# motion_cpu NAME: us of CPU per second.
motion_cpu() { awk -v a="$(of "$1.$motion_short" cpu_us_median)" -v b="$(of "$1.$motion_long" cpu_us_median)" \
  -v s=$((motion_long - motion_short)) 'BEGIN { print (b - a) / s }'; }

# motion_memory NAME: peak memory in kB.
motion_memory() { of "$1.$motion_long" rss_kb_max; }

echo "a live session with acceleration at 25 Hz, over D-Bus and stored; peer: the same session with --no-motion"
compare "CPU a second" ms 1000 "$(motion_cpu moving)" "$(motion_cpu still)" 2
compare "peak memory" MB 1024 "$(motion_memory moving)" "$(motion_memory still)" -
below "additional peak memory" MB 1024 "$(($(motion_memory moving) - $(motion_memory still)))" 2
