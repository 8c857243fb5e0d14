#include "app/base/target.h"

#include "volumes/base/apart.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

bool target_is_stdout(const char *target)
{
    return target && strcmp(target, "-") == 0;
}

void target_here(const char *name, char *out, size_t size)
{
    char *folder = getcwd(NULL, 0);
    const bool root = folder && strcmp(folder, "/") == 0;
    if (!folder || (size_t)snprintf(out, size, "%s/%s", root ? "" : folder, name) >= size) {
        snprintf(out, size, "%s", name);
    }
    free(folder);
}

static bool target_check_folder(const char *target, struct problem *problem)
{
    const char *slash = strrchr(target, '/');
    if (!slash) {
        return true;
    }
    // Keep the last slash: so "/x" checks "/", and a file in place of the folder is refused.
    char *folder = strndup(target, (size_t)(slash - target) + 1);
    if (!folder) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory");
    }
    struct stat there;
    const bool fine = stat(folder, &there) == 0;
    const int why = errno;
    free(folder);
    return fine || problem_set(
                       problem, PROBLEM_OUTPUT, "%.400s cannot be written: its folder: %s", target,
                       strerror(why));
}

bool target_check(const char *target, const char *extension, struct problem *problem)
{
    if (!apart_output(target, problem)) {
        return false;
    }
    if (target_is_stdout(target)) {
        return true;
    }
    struct stat there;
    const bool exists = stat(target, &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) {
        return problem_set(
            problem, PROBLEM_OUTPUT, "%.400s cannot be written: it is a folder", target);
    }
    const char *name = basename(target);
    const char *dot = strrchr(name, '.');
    if (extension && dot && dot != name && dot[1] && strcasecmp(dot, extension) != 0) {
        return problem_set(
            problem, PROBLEM_USAGE, "%.400s: unknown kind of file '%.40s', expected %s", target,
            dot, extension);
    }
    return exists || target_check_folder(target, problem);
}
