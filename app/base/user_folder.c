#include "app/base/user_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

void user_folder_prune(const char *path, size_t digits, const char *ending, uint32_t most)
{
    char folder[PATH_MAX], oldest[sizeof((struct dirent *)0)->d_name] = "";
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    DIR *list = opendir(folder);
    struct timespec least = { 0 };
    uint32_t count = 0;
    for (struct dirent *entry; list && (entry = readdir(list));) {
        struct stat there;
        if (strlen(entry->d_name) != digits + strlen(ending) ||
            strcmp(entry->d_name + digits, ending) != 0 ||
            fstatat(dirfd(list), entry->d_name, &there, AT_SYMLINK_NOFOLLOW) != 0) {
            continue;
        }
        const struct timespec time = there.st_mtim;
        if (count++ == 0 || time.tv_sec < least.tv_sec ||
            (time.tv_sec == least.tv_sec && time.tv_nsec < least.tv_nsec)) {
            least = time;
            snprintf(oldest, sizeof oldest, "%s", entry->d_name);
        }
    }
    if (count > most) {
        unlinkat(dirfd(list), oldest, 0);
    }
    if (list) {
        closedir(list);
    }
}
