#include "app/base/file_source.h"

#include "volumes/base/interrupt.h"

#include <string.h>

bool file_source_instead(const char *path, const struct problem *why)
{
    return (why->kind == PROBLEM_HOST_MEMORY || why->kind == PROBLEM_LIMIT) && path &&
           strcmp(path, "-") != 0;
}

static bool file_source_goes_on(void *user, double share)
{
    (void)user;
    (void)share;
    return !interrupted;
}

static bool
file_source_read(void *user, uint32_t z, uint32_t count, void *samples, struct problem *problem)
{
    const struct progress progress = { .report = file_source_goes_on };
    return volume_file_read(user, z, count, samples, &progress, problem);
}

struct atlas_source file_source(struct volume_file *file)
{
    return (struct atlas_source){ file_source_read, file };
}
