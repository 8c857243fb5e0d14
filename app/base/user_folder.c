#include "app/base/user_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *user_folder_path(const char *variable, const char *in_home, const char *name)
{
    // A relative path counts as none, as the XDG standard requires.
    const char *own = getenv(variable), *home = getenv("HOME");
    char *path = NULL;
    int length = -1;
    if (own && *own == '/') {
        length = asprintf(&path, "%s/cubist/%s", own, name);
    } else if (home && *home == '/') {
        length = asprintf(&path, "%s/%s/cubist/%s", home, in_home, name);
    }
    return length < 0 ? NULL : path;
}

bool user_folder_make(char *path, struct problem *problem)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        const bool fine =
            mkdir(path, 0700) == 0 || errno == EEXIST ||
            problem_set(problem, PROBLEM_OUTPUT, "%s cannot be made: %s", path, strerror(errno));
        *slash = '/';
        if (!fine) {
            return false;
        }
    }
    return true;
}
