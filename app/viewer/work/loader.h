// Reads a volume, its facts and its cubes in a thread, while the viewer continues. If the volume
// does not fit into memory, or must stay in its file, it is only scanned for its facts and cubes.
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

// Cancels the loader, waits for its thread and frees it. NULL is allowed.
void loader_destroy(struct loader *loader);

void loader_cancel(struct loader *loader); // it soon fails with PROBLEM_INTERRUPTED

const char *loader_path(const struct loader *loader);
double loader_share(const struct loader *loader); // 0..1
double loader_ms(const struct loader *loader);    // time of reading, when it is done
bool loader_busy(const struct loader *loader);

// The files that were opened. The caller owns them. Only after LOADER_DONE or LOADER_FAILED.
struct source_files loader_files(struct loader *loader);

// LOADER_DONE: moves the result to *out. LOADER_FAILED: the problem says why.
enum loader_state loader_take(struct loader *loader, struct loaded *out, struct problem *problem);
