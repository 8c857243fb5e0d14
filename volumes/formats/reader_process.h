// Formats that programs of their own read: reader processes. README.md has the protocol.
#pragma once

#include "volumes/formats/reader_answer.h"

// Opens the file or folder at `path` with cubist-read-`row->process`. PROBLEM_INPUT where that
// program is not installed, names the package that has it.
bool reader_process_open(
    const struct reader *row, const char *path, const struct volume_params *params,
    struct volume_file *out, struct problem *problem);

// Asks the readers that the user has added for the first that takes the file, or the folder where
// head->size is 0, and opens it with that one; *fine: whether it could. False: none takes it.
bool reader_process_open_added(
    const struct file_head *head, const struct volume_params *params, struct volume_file *out,
    bool *fine, struct problem *problem);
