#!/usr/bin/env bash
# ctest: long
# The heavy tests in the sanitized build, whole.
export CUBIST_WHOLE=1
exec bash "$CUBIST_SOURCE/tests/sanitized.sh" heavy
