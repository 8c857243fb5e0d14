// Reads a volume, its facts and its cubes in a thread of its own, while the viewer continues. A
// volume that does not fit into memory, or is to stay in its file, is only scanned for them.
#pragma once

#include "app/viewer/work/document.h"
#include "volumes/formats/source.h"

struct loader;

enum loader_state { LOADER_BUSY, LOADER_DONE, LOADER_FAILED };

// Starts to read `path` (NULL: to generate the default volume). `params` is copied. `in_file`: the
// samples stay in the file if they can be read slice by slice.
bool loader_start(
    const char *path, const struct volume_params *params, bool in_file, struct loader **out,
    struct problem *problem);

// Cancels it, waits for it and frees it. NULL is allowed.
void loader_destroy(struct loader *loader);

void loader_cancel(struct loader *loader); // it soon fails with PROBLEM_INTERRUPTED

const char *loader_path(const struct loader *loader);
double loader_share(const struct loader *loader); // 0..1
double loader_ms(const struct loader *loader);    // time of reading, when it is done
bool loader_busy(const struct loader *loader);

// When it is done or has failed: the files that were opened, which the caller then owns.
struct source_files loader_files(struct loader *loader);

// When it is done, moves the result to the caller. If it failed, the problem says why.
enum loader_state loader_take(struct loader *loader, struct loaded *out, struct problem *problem);
