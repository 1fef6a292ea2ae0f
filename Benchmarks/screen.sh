# Sourced by Benchmarks/run: the live screen on a terminal of 120 by 40, compared with the same session as lines and as JSON.
#
# The simulation runs at twenty times real time, so that each of the at most ten frames per second has new values. All
# figures are slopes between a short and a long run, which excludes start-up; the fraction of a core is that of ten frames
# including measuring and storing.

compile on_terminal
export STRESSMON_DB=$results/screen.db
screen_short=5
screen_long=20
screen_rounds=$(((ROUNDS + 2) / 3))

# screen_run NAME SECONDS [OPTION...]
screen_run() {
  rm -f "$STRESSMON_DB"*
  keep "$1.$2" env TERM=xterm-256color LANG=C.UTF-8 "$cache/on_terminal" 120 40 "$binary" live --simulate --speed 20 \
    --duration $((20 * $2)) "${@:3}"
}

for ((round = 0; round < screen_rounds; round++)); do
  for seconds in "$screen_short" "$screen_long"; do
    screen_run screen "$seconds"
    screen_run plain "$seconds" --plain
    screen_run json "$seconds" --json
  done
done

# per_second NAME KEY
per_second() { awk -v a="$(of "$1.$screen_short" "$2")" -v b="$(of "$1.$screen_long" "$2")" \
  -v s=$((screen_long - screen_short)) 'BEGIN { print (b - a) / s }'; }

frames=$(per_second screen frames)
cpu=$(awk -v cpu="$(per_second screen cpu_us)" -v frames="$frames" 'BEGIN { print cpu / frames * 10 }')
echo "the live screen, drawn $frames times a second; peers: the same session with --plain and --json"
below "CPU at 10 frames a second" "%" 10000 "$cpu" 1
compare "CPU a second, of --plain" ms 1000 "$(per_second screen cpu_us)" "$(per_second plain cpu_us)" -
compare "CPU a second, of --json" ms 1000 "$(per_second screen cpu_us)" "$(per_second json cpu_us)" -
compare "written a second, of --plain" kB 1000 "$(per_second screen bytes)" "$(per_second plain bytes)" -
compare "written a second, of --json" kB 1000 "$(per_second screen bytes)" "$(per_second json bytes)" -
