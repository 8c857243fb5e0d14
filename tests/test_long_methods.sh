#!/usr/bin/env bash
# ctest: long
# Where the default tests let the methods take turns: every method on every volume.
set -eu
export CUBIST_EVERY_METHOD=1
"$(dirname "$CUBIST")/tests/test_extraction"
"$(dirname "$CUBIST")/tests/test_capacity"
/usr/bin/python3 "$CUBIST_SOURCE/tests/test_cli_data.py" || [ $? = 77 ]
