#!/usr/bin/env bash
# afl.sh SOURCE SHADERS [SECONDS [TARGET...]]: fuzzes the same targets with AFL++, which mutates in
# other ways than libFuzzer. Without sanitizers: only the targets' own checks.
set -eu
build=$PWD/fuzz-afl
source=$1 shaders=$2 seconds=${3-10}
shift "$(($# < 3 ? $# : 3))"
[ $# -gt 0 ] || set -- vti tiff slices nrrd ranges
command -v afl-fuzz afl-clang-fast >/dev/null || { echo "no afl-fuzz"; exit 77; }
export AFL_QUIET=1 AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1
export AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
cmake -G Ninja -S "$source" -B "$build" -DCMAKE_C_COMPILER=afl-clang-fast \
    -DCMAKE_CXX_COMPILER=afl-clang-fast++ -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS='-O2 -g' \
    -DCUBIST_FUZZ=ON -DCUBIST_SHADERS="$shaders" >/dev/null ||
    { echo "clang has no OpenMP"; exit 77; }
ninja -C "$build" $(printf 'fuzz_%s ' "$@") >"$build/log" || { cat "$build/log"; exit 1; }
python3 "$source/tests/fuzz/seeds.py" "$build/seeds"
failed=0
for target; do
    rm -rf "$build/found/$target"
    mkdir -p "$build/found"
    afl-fuzz -i "$build/seeds/$target" -o "$build/found/$target" -V "$seconds" -t 2000 -m none \
        -- "$build/tests/fuzz/fuzz_$target" >"$build/found/$target.log" 2>&1 || true
    stats=$build/found/$target/default/fuzzer_stats
    runs=$(sed -n 's/^execs_done *: *//p' "$stats" || true)
    [ -n "$runs" ] || { cat "$build/found/$target.log"; exit 1; }
    bad=$(find "$build/found/$target/default/crashes" "$build/found/$target/default/hangs" \
        -name 'id:*' | wc -l)
    printf '%-14s %10s executions %3s failures\n' "$target" "$runs" "$bad"
    failed=$((failed + bad))
done
[ "$failed" = 0 ]
