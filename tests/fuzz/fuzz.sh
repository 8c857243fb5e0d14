#!/usr/bin/env bash
# fuzz.sh BUILD SECONDS [TARGET...]: runs each target of a CUBIST_FUZZ build for so long, from its
# seeds and from what earlier runs have found (BUILD/corpus/TARGET), and says how many inputs it
# tried. What fails is kept as BUILD/failures/TARGET-*; each one is a test to be: minimised
# (fuzz_TARGET -minimize_crash=1) it goes into crashers/TARGET. Exit code 1 where there is one.
# RUNS=N: so many inputs of each, in place of the time.
set -u
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
build=$(readlink -f "$1")
seconds=$2
shift 2
if [ $# = 0 ]; then
    set -- $(cd "$build/tests/fuzz" && ls -d fuzz_* | grep -v '[.]' | sed 's/^fuzz_//')
fi
python3 "$here/seeds.py" "$build/seeds" || exit 1
mkdir -p "$build/failures" "$build/logs" "$build/dictionaries"
limit=-max_total_time=$seconds
[ -z "${RUNS-}" ] || limit=-runs=$RUNS
failed=0
total=0
printf '%-14s %12s %10s %7s %9s\n' target executions 'per second' corpus failures
for target; do
    corpus=$build/corpus/$target
    mkdir -p "$corpus" "$build/seeds/$target"
    words=$build/dictionaries/$target
    if [ "$target" = ranges ] || [ "$target" = standard_input ]; then # every format
        for format in $(python3 "$here/seeds.py" --formats); do
            cat "$here/dictionaries/$format" 2>/dev/null
        done
    else
        cat "$here/dictionaries/$target" 2>/dev/null
    fi | sort -u >"$words"
    dictionary=
    [ ! -s "$words" ] || dictionary=-dict=$words
    crashers=$here/crashers/$target
    [ -d "$crashers" ] || crashers=
    # A seed that fails ends a run at once.
    before=$(find "$build/failures" -name "$target-*" | wc -l)
    "$build/tests/fuzz/fuzz_$target" -max_len=4096 -timeout=2 -rss_limit_mb=1024 \
        -malloc_limit_mb=256 "$limit" -reload=0 -print_final_stats=1 $dictionary \
        -artifact_prefix="$build/failures/$target-" "$corpus" "$build/seeds/$target" $crashers \
        >"$build/logs/$target" 2>&1
    code=$?
    failures=$(($(find "$build/failures" -name "$target-*" | wc -l) - before))
    [ "$code" = 0 ] || [ "$failures" -gt 0 ] || failures=1 # such as a leak that the end tells
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/logs/$target")
    rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$build/logs/$target")
    printf '%-14s %12s %10s %7s %9s\n' "$target" "${runs:-0}" "${rate:-0}" \
        "$(ls "$corpus" | wc -l)" "$failures"
    if [ "$failures" -gt 0 ]; then
        failed=$((failed + failures))
        grep -hE ' not .*: |^SUMMARY: ' "$build/logs/$target" | sed 's/^/    /'
    fi
    total=$((total + ${runs:-0}))
done
printf '%-14s %12s %10s %7s %9s\n' all "$total" '' '' "$failed"
[ "$failed" = 0 ] || echo "what failed is in $build/failures, what was said in $build/logs"
[ "$failed" = 0 ]
