#!/usr/bin/env bash
# Runs the tests of build-asan, the build with AddressSanitizer, UndefinedBehaviorSanitizer and
# LeakSanitizer that ./run test makes beside this one.
set -eu
build=$CUBIST_SOURCE/build-asan
if [ ! -x "$build/cubist" ]; then
    echo "skipped: there is no sanitized build; ./run test makes one in build-asan"
    exit 77
fi
exec ctest --test-dir "$build" --output-on-failure -LE '^(long|data|plain)$'
