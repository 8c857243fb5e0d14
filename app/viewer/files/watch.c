#include "app/viewer/files/watch.h"

#include <stdlib.h>
#include <string.h>

static const double POLL_SECONDS = 0.2;  // between two looks
static const double STILL_SECONDS = 0.3; // without a change, the files count as complete

void watch_end(struct watch *watch)
{
    source_files_free(&watch->files);
    free(watch->last);
    *watch = (struct watch){ 0 };
}

void watch_begin(struct watch *watch, struct source_files *files)
{
    struct source_stamp *last = calloc(files->count ? files->count : 1, sizeof *last);
    watch_end(watch);
    if (last) {
        watch->files = *files;
        watch->last = last;
        *files = (struct source_files){ 0 };
    } else {
        source_files_free(files);
    }
}

bool watch_is_due(const struct watch *watch, double now)
{
    return watch->files.count > 0 && now >= watch->looked + POLL_SECONDS;
}

bool watch_look(struct watch *watch, const struct source_stamp *stamps, double now)
{
    static const struct source_stamp none;
    const size_t size = watch->files.count * sizeof *stamps;
    bool all = true;
    watch->looked = now;
    for (size_t i = 0; i < watch->files.count; i++) {
        all &= memcmp(&stamps[i], &none, sizeof none) != 0;
    }
    if (!all || memcmp(stamps, watch->files.stamps, size) == 0) {
        watch->since = 0;
        return false;
    }
    if (watch->since == 0 || memcmp(stamps, watch->last, size) != 0) {
        memcpy(watch->last, stamps, size);
        watch->since = now;
        return false;
    }
    if (now < watch->since + STILL_SECONDS) {
        return false;
    }
    memcpy(watch->files.stamps, stamps, size); // report this change only once
    watch->since = 0;
    return true;
}

bool watch_poll(struct watch *watch, double now)
{
    struct source_stamp *stamps = calloc(watch->files.count, sizeof *stamps);
    for (size_t i = 0; stamps && i < watch->files.count; i++) {
        stamps[i] = source_stamp_at(watch->files.paths[i]);
    }
    const bool changed = stamps && watch_look(watch, stamps, now);
    free(stamps);
    return changed;
}
