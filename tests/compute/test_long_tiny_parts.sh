#!/usr/bin/env bash
# ctest: long
# All tests of the extraction, also with parts of one to three layers; and the real volumes, each with
# the smallest budget that it can be extracted in.
set -eu
export CUBIST_EVERY_PART=1
for program in test_extraction test_capacity test_parts test_part_size test_rows; do
    echo "$program"
    "$(dirname "$CUBIST")/tests/$program"
done
/usr/bin/python3 "$CUBIST_SOURCE/tests/app/cli/test_cli_data.py" || [ $? = 77 ]
