# Sourced by Benchmarks/run: one table of the metrics of FILES files of 5 min, compared with a pandas + NeuroKit2 script that
# prints the same columns. Also checks that memory does not grow with the number of files.

files=${FILES:-1000}
python=$cache/neurokit/bin/python
if ! "$python" -c 'import neurokit2, pandas' 2>/dev/null; then
  echo "installing neurokit2 and pandas from PyPI into $cache/neurokit" >&2
  python3 -m venv "$cache/neurokit" && "$python" -m pip install --quiet neurokit2 'pandas<3'
fi

# Rests of 5 min with respiration, a slow oscillation and noise; deterministic.
study=$cache/study
if [ ! -f "$study/$files.txt" ]; then
  mkdir -p "$study"
  awk -v files="$files" -v folder="$study" 'BEGIN {
    state = 7
    for (file = 1; file <= files; file++) {
      name = folder "/" file ".txt"; time = 0
      while (time < 300) {
        state = (state * 69069 + 1) % 4294967296
        rr = 780 + file % 200 + 35 * sin(6.2832 * 0.24 * time) + 25 * sin(6.2832 * 0.09 * time) + int(state / 65536) % 31 - 15
        printf "%d\n", rr > name; time += rr / 1000
      }
      close(name)
    } }'
fi
all=$(seq -f "$study/%g.txt" 1 "$files")
tenth=$(seq -f "$study/%g.txt" 1 $((files / 10)))

# The peer runs once: it takes minutes.
keep batch.peer "$cache/launch" -n 1 -w 0 "$python" "$here/batch_client.py" $all
for ((round = 0; round < 3; round++)); do
  keep batch.ours "$cache/launch" -n 1 -w 0 "$binary" analyze --raw --csv $all
  keep batch.tenth "$cache/launch" -n 1 -w 0 "$binary" analyze --raw --csv $tenth
done

echo "analyze --raw --csv of $files files of 5 min; peer: batch_client.py (pandas, NeuroKit2)"
compare "CPU" ms 1000 "$(of batch.ours cpu_us_median)" "$(of batch.peer cpu_us_median)" 0.1
compare "peak memory" MB 1024 "$(of batch.ours rss_kb_max)" "$(of batch.peer rss_kb_max)" 0.25
compare "peak memory, $files and $((files / 10)) files" MB 1024 "$(of batch.ours rss_kb_max)" "$(of batch.tenth rss_kb_max)" 1.2
