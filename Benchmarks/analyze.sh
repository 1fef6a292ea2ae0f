# Sourced by Benchmarks/run: a whole `analyze` of 100,000 beats, from exec to exit, compared with a static C program that
# reads the same file and computes mean, SDNN and RMSSD in one pass.

compile rr_reference

beats=$cache/beats.txt
make_walk "$beats"

# both NAME FILE
both() {
  local round
  for ((round = 0; round < ROUNDS; round++)); do
    keep "$1.ours" "$cache/launch" -n 15 -w 2 "$binary" analyze --raw --metrics time --json "$2"
    keep "$1.peer" "$cache/launch" -n 15 -w 2 "$cache/rr_reference" "$2"
  done
  compare "CPU, $3" ms 1000 "$(of "$1.ours" cpu_us_median)" "$(of "$1.peer" cpu_us_median)" 5
}

echo "analyze --raw --metrics time --json, the whole process; peer: reference/rr_reference.c"
both walk "$beats" "100,000 beats"
below "peak memory" MB 1024 "$(of walk.ours rss_kb_max)" 14
real=${STRESSMON_TEST_DATA:+$STRESSMON_TEST_DATA/rr/nsr001_24h.txt}
if [ -n "$real" ] && [ -f "$real" ]; then
  head -n 100000 "$real" > "$cache/real.txt"
  both real "$cache/real.txt" "$(wc -l < "$cache/real.txt") beats of a real day"
fi
