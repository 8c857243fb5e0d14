#include "app/target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

bool target_is_stdout(const char *target)
{
    return target && strcmp(target, "-") == 0;
}

static bool folder_check(const char *target, struct problem *problem)
{
    const char *slash = strrchr(target, '/');
    if (!slash) {
        return true;
    }
    // With its last slash, so that "/x" asks for "/" and a file is no folder.
    char *folder = strndup(target, (size_t)(slash - target) + 1);
    if (!folder) {
        return problem_set(problem, PROBLEM_DEVICE, "out of memory");
    }
    struct stat there;
    const bool fine = stat(folder, &there) == 0;
    const int why = errno;
    free(folder);
    return fine || problem_set(
                       problem, PROBLEM_OUTPUT, "%.400s cannot be written: its folder: %s", target,
                       strerror(why));
}

bool target_check(
    const char *target, const char *extension, const char *input, struct problem *problem)
{
    if (target_is_stdout(target)) {
        return true;
    }
    struct stat there, source;
    const bool exists = stat(target, &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) {
        return problem_set(
            problem, PROBLEM_OUTPUT, "%.400s cannot be written: it is a folder", target);
    }
    const char *slash = strrchr(target, '/');
    const char *name = slash ? slash + 1 : target;
    const char *dot = strrchr(name, '.');
    if (extension && dot && dot != name && dot[1] && strcasecmp(dot, extension) != 0) {
        return problem_set(
            problem, PROBLEM_USAGE, "%.400s: unknown kind of file '%.40s', expected %s", target,
            dot, extension);
    }
    if (exists && S_ISREG(there.st_mode) && input && stat(input, &source) == 0 &&
        there.st_dev == source.st_dev && there.st_ino == source.st_ino) {
        return problem_set(
            problem, PROBLEM_USAGE, "%.400s is the input: the output needs a name of its own",
            target);
    }
    return exists || folder_check(target, problem);
}
