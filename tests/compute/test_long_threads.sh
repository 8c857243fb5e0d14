#!/usr/bin/env bash
# ctest: long
# llvmpipe hides some errors that a GPU would show. Other numbers of threads show more of them: runs the
# device tests with several numbers of threads, with and without other work on the cores.
set -eu
tests=$(dirname "$CUBIST")/tests
try() {
    for program in test_extraction test_capacity; do
        echo "$1 threads, $2: $program"
        LP_NUM_THREADS=$1 "$tests/$program" >"$scratch/log" 2>&1 || {
            cat "$scratch/log"
            exit 1
        }
    done
}
scratch=$(mktemp -d)
busy=()
trap 'kill "${busy[@]}" 2>/dev/null || true; rm -rf "$scratch"' EXIT
for threads in 0 1 2 4 8 16; do
    try $threads "idle cores"
done
for _ in 1 2 3 4; do
    (while :; do :; done) &
    busy+=($!)
done
for threads in 2 8; do
    try $threads "busy cores"
done
