#!/usr/bin/env bash
# ctest: long
# Every method on every volume; in the default tests the methods take turns.
set -eu
export CUBIST_EVERY_METHOD=1
"$(dirname "$CUBIST")/tests/test_extraction"
"$(dirname "$CUBIST")/tests/test_capacity"
/usr/bin/python3 "$CUBIST_SOURCE/tests/app/cli/test_cli_data.py" || [ $? = 77 ]
