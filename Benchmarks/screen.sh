# Sourced by Benchmarks/run: the live screen on a terminal of 120 by 40, compared with the same session without a screen, as
# lines and as JSON. All figures are slopes between a short and a long run, which excludes start-up.
#
# Two limits apply, each of 1 % of a core:
# - The screen alone at ten frames a second: the CPU time of a session with the screen minus that of the same session that only
#   speaks its changes, per frame, times ten. The simulation runs at twenty times real time, so that each frame has new values;
#   receiving, measuring and storing twenty notifications a second is in both sessions and therefore not in the difference.
# - The whole process at real time, with one notification a second: receiving, measuring, storing and drawing.
# The whole process at twenty times real time is reported without a limit, because no strap sends at that rate.

compile on_terminal
export STRESSMON_DB=$results/screen.db
screen_short=5
screen_long=20
screen_rounds=$(((ROUNDS + 2) / 3))

# screen_run NAME SECONDS SPEED [OPTION...]
screen_run() {
  rm -f "$STRESSMON_DB"*
  keep "$1.$2" env TERM=xterm-256color LANG=C.UTF-8 "$cache/on_terminal" 120 40 "$binary" live --simulate --speed "$3" \
    --duration $(($3 * $2)) "${@:4}"
}

for ((round = 0; round < screen_rounds; round++)); do
  for seconds in "$screen_short" "$screen_long"; do
    screen_run screen "$seconds" 20
    screen_run session "$seconds" 20 --speak --speak-every 1d
    screen_run real "$seconds" 1
    screen_run plain "$seconds" 20 --plain
    screen_run json "$seconds" 20 --json
  done
done

# per_second NAME KEY
per_second() { awk -v a="$(of "$1.$screen_short" "$2")" -v b="$(of "$1.$screen_long" "$2")" \
  -v s=$((screen_long - screen_short)) 'BEGIN { print (b - a) / s }'; }

frames=$(per_second screen frames)
cpu=$(awk -v screen="$(per_second screen cpu_us)" -v session="$(per_second session cpu_us)" -v frames="$frames" \
  'BEGIN { print (screen - session) / frames * 10 }')
echo "the live screen, drawn $frames times a second; peers: the same session with --plain and --json"
below "CPU of 10 frames a second" "%" 10000 "$cpu" 1
below "CPU at real time, whole process" "%" 10000 "$(per_second real cpu_us)" 1
below "CPU at 20 times real time" "%" 10000 "$(per_second screen cpu_us)" -
compare "CPU a second, of no screen" ms 1000 "$(per_second screen cpu_us)" "$(per_second session cpu_us)" -
compare "CPU a second, of --plain" ms 1000 "$(per_second screen cpu_us)" "$(per_second plain cpu_us)" -
compare "CPU a second, of --json" ms 1000 "$(per_second screen cpu_us)" "$(per_second json cpu_us)" -
compare "written a second, of --plain" kB 1000 "$(per_second screen bytes)" "$(per_second plain bytes)" -
compare "written a second, of --json" kB 1000 "$(per_second screen bytes)" "$(per_second json bytes)" -
