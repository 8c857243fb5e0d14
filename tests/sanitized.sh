#!/usr/bin/env bash
# Runs the tests of build-asan, which ./run test builds beside this one with AddressSanitizer,
# UndefinedBehaviorSanitizer and LeakSanitizer. With "heavy": those that take too long for the
# default run.
set -eu
build=$CUBIST_SOURCE/build-asan
if [ ! -x "$build/cubist" ]; then
    echo "skipped: there is no sanitized build; ./run test makes one in build-asan"
    exit 77
fi
if [ "${1-}" = heavy ]; then
    exec ctest --test-dir "$build" --no-tests=error --output-on-failure -L '^heavy$' -LE '^(long|sweep|data|plain)$'
fi
exec ctest --test-dir "$build" --no-tests=error --output-on-failure -LE '^(long|sweep|data|plain|heavy)$'
