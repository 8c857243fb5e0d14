// Reads a volume and its facts in a thread of its own, while the viewer goes on.
#pragma once

#include "volumes/facts.h"
#include "volumes/volume.h"

struct loader;

enum loader_state { LOADER_BUSY, LOADER_DONE, LOADER_FAILED };

// Starts reading `path` (NULL: generating the default volume). `params` is copied.
bool loader_start(
    const char *path, const struct volume_params *params, struct loader **out,
    struct problem *problem);

// Asks it to give up, waits for it and frees it. Takes NULL.
void loader_destroy(struct loader *loader);

void loader_cancel(struct loader *loader); // it then fails with PROBLEM_CANCELLED, soon
const char *loader_path(const struct loader *loader);
double loader_share(const struct loader *loader); // 0..1
double loader_ms(const struct loader *loader);    // that reading took; once it is done
bool loader_busy(const struct loader *loader);

// When it is done the volume is moved to the caller; when it failed the problem says why.
enum loader_state loader_take(
    struct loader *loader, struct volume *volume, struct volume_facts *facts,
    struct problem *problem);
