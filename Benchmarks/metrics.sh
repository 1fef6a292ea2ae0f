# Sourced by Benchmarks/run: the metrics of a whole day, compared with NeuroKit2 on the same file.
#
# Uses a real day if STRESSMON_TEST_DATA is set, else the file of analyze.sh.

python=$cache/neurokit/bin/python
if ! "$python" -c 'import neurokit2' 2>/dev/null; then
  echo "installing neurokit2 from PyPI into $cache/neurokit" >&2
  python3 -m venv "$cache/neurokit" && "$python" -m pip install --quiet neurokit2
fi

day=${STRESSMON_TEST_DATA:+$STRESSMON_TEST_DATA/rr/nsr001_24h.txt}
if [ -z "$day" ] || [ ! -f "$day" ]; then
  day=$cache/beats.txt
  make_walk "$day"
fi

keep metrics.peer "$python" "$here/neurokit_client.py" "$day"
for ((round = 0; round < 3; round++)); do keep metrics.ours "$release/MetricsBenchmark" "$day"; done

echo "Metrics of $(wc -l < "$day") beats, CPU; peer: NeuroKit2 with its defaults (sample entropy: the first 10,000)"
for metric in classify time frequency dfa sample_entropy; do
  limit=0.01
  [ $metric = sample_entropy ] && limit=-
  compare "$metric" ms 1 "$(of metrics.ours ${metric}_ms)" "$(of metrics.peer ${metric}_ms)" $limit
done
below "night (25,000 beats)" ms 1 "$(of metrics.ours night_ms)" 50
compare "night, peer: classification" ms 1 "$(of metrics.ours night_ms)" "$(of metrics.ours classify_ms)" -
