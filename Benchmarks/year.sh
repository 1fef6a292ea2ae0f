# Sourced by Benchmarks/run: reading a history of a year (1.6 million measurements, 15 million events), compared with
# `status` on an empty one. YearBenchmark creates the history once a day, which takes minutes.

year=$cache/year-$(date +%F).db
empty=$results/empty.db
if [ ! -f "$year" ]; then
  echo "making a year of history, for some minutes ..."
  rm -f "$cache"/year-*.db*
  "$release/YearBenchmark" "$year.new" > "$cache/year.txt"
  mv "$year.new-wal" "$year-wal"
  mv "$year.new-shm" "$year-shm"
  mv "$year.new" "$year"
fi
"$binary" baseline reset --db "$empty" > "$results/reset"
"$binary" history --limit 1 --json --db "$year" > "$results/last"
last=$(sed -nE 's/^\{"id":([0-9]+).*/\1/p' "$results/last")

read_year() { keep "$1" "$cache/launch" -n 5 -w 1 "$binary" "${@:2}" --db "$year"; }
cpu() { of "$1" cpu_us_median; }

for ((round = 0; round < ROUNDS; round++)); do
  keep year.empty "$cache/launch" -n 5 -w 1 "$binary" status --db "$empty"
  read_year year.status status
  read_year year.large status --format large
  read_year year.today history --today
  read_year year.show show "$last"
  read_year year.trends trends --year
  read_year year.report report
done

echo "a year of history ($(cat "$cache/year.txt")), the whole process; peer: status on an empty history"
below "status, empty" ms 1000 "$(cpu year.empty)" 20
compare "status" ms 1000 "$(cpu year.status)" "$(cpu year.empty)" 3
compare "status --format large" ms 1000 "$(cpu year.large)" "$(cpu year.empty)" 3
compare "history --today" ms 1000 "$(cpu year.today)" "$(cpu year.empty)" 3
compare "show $last" ms 1000 "$(cpu year.show)" "$(cpu year.empty)" 3
below "trends --year" ms 1000 "$(cpu year.trends)" 500
below "report" ms 1000 "$(cpu year.report)" -
below "size of a day worn 12 h" MB 1048576 "$(($(stat -c %s "$year") / 395))" -

# Memory for an export must not grow with the history: half a year and the whole year.
half=$(date -d '182 days ago' +%F)
export_since() {
  keep "$1" "$cache/launch" -n 1 -w 0 "$binary" export --format csv --from "$2" --output "$results/$1.csv" --force --db "$year"
  rm -f "$results/$1.csv"
}
export_since year.half "$half"
export_since year.whole 2000
compare "memory: a year as CSV / half of it" MB 1024 "$(of year.whole rss_kb_max)" "$(of year.half rss_kb_max)" 1.2
below "CPU of it" s 1000000 "$(cpu year.whole)" -
