# Sourced by Benchmarks/run: exchange between two homes through a folder: HOURS (default 4) of raw data with 11 MB per hour, and
# one session of 10 min among SESSIONS (default 400). Only init and join need the passphrase, and thus the memory of scrypt.

hours=${HOURS:-4}
sessions=${SESSIONS:-400}
vault=$results/vault
passphrase=$results/passphrase
echo "correct horse battery" > "$passphrase"
chmod 600 "$passphrase"

# at HOME COMMAND...: runs the command in one of the homes.
at() {
  local home=$results/$1
  mkdir -p "$home/run"
  env HOME="$home" XDG_DATA_HOME="$home/data" XDG_CONFIG_HOME="$home/config" XDG_RUNTIME_DIR="$home/run" "${@:2}"
}
session() { at one "$binary" live --simulate --speed max --duration 600 --seed "$1" > /dev/null 2>&1; }
# exchange NAME HOME COMMAND...: one command of sync, measured.
exchange() { keep "$1" at "$2" "$cache/launch" -n 1 -w 0 "$release/stressmon-net" sync "${@:3}"; }
cpu() { of "$1" cpu_us_median; }
memory() { of "$1" rss_kb_max; }

for ((seed = 1; seed <= sessions; seed++)); do session "$seed"; done
exchange sync.init one init "$vault" --name one --yes --passphrase-file "$passphrase"
exchange sync.join two join "$vault" --name two --passphrase-file "$passphrase"
exchange sync.own one now
exchange sync.nothing one now
session 0
exchange sync.sent one now
exchange sync.received two now
python3 "$here/raw_recording.py" "$hours" > "$results/raw.jsonl"
at one "$binary" import "$results/raw.jsonl" > "$results/import" 2>&1
exchange sync.raw_sent one now
exchange sync.raw_received two now

echo "sync of a history with $sessions sessions of 10 min"
below "init: CPU" s 1000000 "$(cpu sync.init)" -
below "join: CPU" s 1000000 "$(cpu sync.join)" -
below "own files read: CPU" s 1000000 "$(cpu sync.own)" -
below "nothing new: CPU" s 1000000 "$(cpu sync.nothing)" 1
below "nothing new: memory" MB 1024 "$(memory sync.nothing)" 64
below "one session sent: CPU" s 1000000 "$(cpu sync.sent)" 1
below "one session received: CPU" s 1000000 "$(cpu sync.received)" 1
below "$hours h of raw data sent: CPU" s 1000000 "$(cpu sync.raw_sent)" -
below "$hours h of raw data sent: memory" MB 1024 "$(memory sync.raw_sent)" 64
below "$hours h of raw data received: CPU" s 1000000 "$(cpu sync.raw_received)" -
below "$hours h of raw data received: memory" MB 1024 "$(memory sync.raw_received)" 64
