# Sourced by Benchmarks/run: the cost of one beat in the window and in the whole engine, compared with a window in C.

compile rolling_window

for ((round = 0; round < ROUNDS; round++)); do
  keep beat.ours "$release/EngineBenchmark" || broken=1 # it allocated; its lines say how much
  keep beat.peer "$cache/rolling_window"
done

# cost WORDS: the median of the ns per beat (or of the allocations) in the lines that start with WORDS.
cost() {
  sed -nE "s/^$1.*: ([0-9.]+) ns per beat, ([0-9]+) allocations.*/$2=\\$3/p" "$results/beat.ours" > "$results/cost"
  of cost "$2"
}

echo "One beat, SDNN and RMSSD of the last 60 s at each; peer: reference/rolling_window.c"
echo "(a busy neighbour on the same core slows the window and the engine more than the peer, which waits for its divisions)"
peer=$(of beat.peer ns_per_beat)
compare window ns 1 "$(cost window ns 1)" "$peer" 2
compare "engine, one interval" ns 1 "$(cost "engine, one interval" ns 1)" "$peer" 26
compare "engine, one notification" ns 1 "$(cost "engine, one notification" ns 1)" "$peer" 31
below "allocations in 100,000 beats" "" 1 "$(cost engine allocations 2)" 0
