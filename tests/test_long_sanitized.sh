#!/usr/bin/env bash
# ctest: long
# The heavy tests in the sanitized build.
exec bash "$CUBIST_SOURCE/tests/sanitized.sh" heavy
