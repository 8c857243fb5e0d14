// Files that a header names. A header is untrusted: a file is opened only if it lies beside the
// header or below (no absolute path, no "..", no symbolic link that leads out), and only if it is a
// regular file.
#pragma once

#include "volumes/formats/source.h"

#include <stdint.h>

// Opens `name` relative to the folder of `header`. `out->path` is an allocated copy of the joined
// path: close with sidecar_close. PROBLEM_INPUT. On false `out` is closed.
bool sidecar_open(
    const char *header, const char *name, struct source *out, struct problem *problem);

void sidecar_close(struct source *source);

// Names in order. Zero-initialised means empty; release with sidecar_list_destroy.
struct sidecar_list {
    char **names;
    size_t count;
};

bool sidecar_list_add(
    struct sidecar_list *list, const char *name, size_t length, struct problem *problem);

// The names that a printf-like `format` with one integer conversion (%d, %i, %u; flag 0 and a width
// up to 9 are allowed; %% too) makes of first, first + step, ... up to `last`. PROBLEM_INPUT for
// any other conversion, a step of 0 or in the wrong direction, or more than `most` names. `header`
// is for messages.
bool sidecar_list_pattern(
    struct sidecar_list *list, const char *header, const char *format, int64_t first, int64_t last,
    int64_t step, uint64_t most, struct problem *problem);

void sidecar_list_destroy(struct sidecar_list *list);
