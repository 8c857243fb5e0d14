#!/usr/bin/env bash
# ctest: long
# Everything that the extraction is held against, also through parts of one to three layers; the real
# volumes with the smallest budget that each can be extracted in.
set -eu
export CUBIST_EVERY_SLAB=1
for program in test_extraction test_capacity test_parts; do
    echo "$program"
    "$(dirname "$CUBIST")/tests/$program"
done
/usr/bin/python3 "$CUBIST_SOURCE/tests/test_cli_data.py" || [ $? = 77 ]
