#include "volumes/base/output_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_ATTEMPTS 100

// A sweep of another run may remove the folder between its creation and its lock. Then *lock is -1
// and the next name is tried.
static bool output_folder_lock(int parent, const char *name, int *lock)
{
    struct stat st;
    *lock = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (*lock < 0) {
        return errno == ENOENT;
    }
    flock(*lock, LOCK_EX | LOCK_NB); // without locks the name alone shows the owner
    if (fstat(*lock, &st) != 0 || st.st_nlink > 0) {
        return true;
    }
    close(*lock);
    *lock = -1;
    return true;
}

bool output_folder_make(
    const struct output *beside, mode_t mode, struct output_folder *out, struct problem *problem)
{
    char prefix[OUTPUT_HOST_PREFIX], name[OUTPUT_TEMPORARY] = "";
    *out = (struct output_folder){ .lock = -1 };
    output_host_prefix(prefix);
    bool fine = true;
    errno = EEXIST;
    for (unsigned i = 0; fine && out->lock < 0 && i < MAX_ATTEMPTS; i++) {
        output_temporary_name(prefix, (long)getpid(), i, name);
        fine = mkdirat(beside->folder, name, mode) == 0
                   ? output_folder_lock(beside->folder, name, &out->lock)
                   : errno == EEXIST;
    }
    int why = errno;
    char *parent = out->lock >= 0 ? realpath(beside->folder_path, NULL) : NULL;
    if (parent && snprintf(out->path, sizeof out->path, "%s/%s", parent, name) < PATH_MAX) {
        free(parent);
        return true;
    }
    if (out->lock >= 0) {
        why = parent ? ENAMETOOLONG : errno;
        unlinkat(beside->folder, name, AT_REMOVEDIR);
        close(out->lock);
    }
    free(parent);
    *out = (struct output_folder){ 0 };
    return problem_set(
        problem, PROBLEM_OUTPUT, "cannot write '%s': no folder can be made beside it: %s",
        beside->path, strerror(why));
}

bool output_folder_place(
    struct output_folder *folder, const struct output *beside, const char *name)
{
    if (!output_rename_to_free(beside->folder, basename(folder->path), name)) {
        return false;
    }
    fsync(beside->folder); // what names the folder's files is written after this
    close(folder->lock);
    *folder = (struct output_folder){ 0 };
    return true;
}

void output_folder_remove(struct output_folder *folder)
{
    if (folder->path[0]) {
        rmdir(folder->path);
        close(folder->lock);
        *folder = (struct output_folder){ 0 };
    }
}
