// A program that answers on its standard output what it is asked on its standard input. It cannot
// harm the caller: it has three descriptors, a process group and a limit of memory of its own, and
// it is killed when it is closed, and when the caller ends in any way.
//
// Each problem is PROBLEM_INPUT with one line that begins with `who`, or PROBLEM_INTERRUPTED as
// from input_go_on, which is asked ten times a second. After PROBLEM_INPUT the process has ended.
// All later calls fail with the same line.
#pragma once

#include "volumes/base/problem.h"

#include <limits.h>
#include <stddef.h>

#define PROCESS_WHO (PATH_MAX + 200) // bytes of `who`

struct process;

// Starts the program argv[0] (a path) with these arguments, ended by NULL. `path` is the file that
// it reads, for input_go_on; it is borrowed. `who`: see process_rename. NULL with a problem.
struct process *
process_start(const char *const argv[], const char *path, const char *who, struct problem *problem);

// What lines about the process begin with: "'a.dcm': the DICOM reader". It is copied.
void process_rename(struct process *process, const char *who);

// Sends a text that is shorter than a page.
bool process_ask(struct process *process, const char *text, struct problem *problem);

// Reads one line. *line is valid until the next call, and has no line break. PROBLEM_INPUT where it
// is longer than `most` bytes.
bool process_line(
    struct process *process, size_t most, const char **line, size_t *length,
    struct problem *problem);

// Reads `size` bytes. *got: how many have come, also after false. If no byte comes for 30 s in
// which the process neither runs nor reads, it is killed. This holds for process_line, too.
bool process_read(
    struct process *process, void *bytes, size_t size, size_t *got, struct problem *problem);

// Kills the process and sets the line about it: `who` and then this. Returns false.
bool process_blame(struct process *process, struct problem *problem, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Kills the process, if it still runs, and frees it. It may be NULL.
void process_end(struct process *process);
