// Reads a volume and its facts in a thread of its own, while the viewer goes on. What does not fit
// into memory, or shall not, is looked through and left in its file.
#pragma once

#include "volumes/formats/volume_file.h"

struct loader;

enum loader_state { LOADER_BUSY, LOADER_DONE, LOADER_FAILED };

// What has been read. Release with loaded_destroy.
struct loaded {
    struct volume volume; // without samples where they stay in the file
    struct volume_facts facts;
    struct volume_file file;    // open then, else closed
    struct slice_range *ranges; // of its slices then, else NULL
};

void loaded_destroy(struct loaded *loaded);

// Starts reading `path` (NULL: generating the default volume). `params` is copied. `in_file`: the
// samples stay in the file if they can be read slice by slice.
bool loader_start(
    const char *path, const struct volume_params *params, bool in_file, struct loader **out,
    struct problem *problem);

// Asks it to give up, waits for it and frees it. Takes NULL.
void loader_destroy(struct loader *loader);

void loader_cancel(struct loader *loader); // it then fails with PROBLEM_INTERRUPTED, soon
// The last part of a path, within it.
const char *loader_file_name(const char *path);

const char *loader_path(const struct loader *loader);
double loader_share(const struct loader *loader); // 0..1
double loader_ms(const struct loader *loader);    // that reading took; once it is done
bool loader_busy(const struct loader *loader);

// When it is done what was read is moved to the caller; when it failed the problem says why.
enum loader_state loader_take(struct loader *loader, struct loaded *out, struct problem *problem);
