#include "app/base/user_folder.h"

#include <stdio.h>
#include <stdlib.h>

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
