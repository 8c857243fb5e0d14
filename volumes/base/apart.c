#include "volumes/base/apart.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A file that is read or will be written. A file system gives the inode of a deleted file to a new
// one, so the time of birth tells them apart; 0 where the file system has none.
struct apart_file {
    uint64_t device, inode, birth;
    bool regular, written;
    char path[]; // as the caller gave it
};

// The name of an output, for folders that are read later.
struct apart_name {
    struct apart_name *next;
    char path[];
};

static struct {
    void *files; // a tree of tsearch
    struct apart_name *outputs;
    bool folders; // a folder is registered
    pthread_mutex_t lock;
} apart = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int apart_compare(const void *left, const void *right)
{
    const struct apart_file *a = left, *b = right;
    const uint64_t left_keys[] = { a->device, a->inode, a->birth };
    const uint64_t right_keys[] = { b->device, b->inode, b->birth };
    int order = 0;
    for (int i = 0; order == 0 && i < 3; i++) {
        order = (left_keys[i] > right_keys[i]) - (left_keys[i] < right_keys[i]);
    }
    return order;
}

// Looks at the open file `fd`, or at the one at `path` if `fd` is AT_FDCWD. "-" is standard output.
static bool apart_look(int fd, const char *path, struct apart_file *out)
{
    struct statx st;
    const int of = fd == AT_FDCWD && strcmp(path, "-") == 0 ? STDOUT_FILENO : fd;
    const unsigned wanted = STATX_TYPE | STATX_INO | STATX_BTIME;
    if (statx(of, of == AT_FDCWD ? path : "", of == AT_FDCWD ? 0 : AT_EMPTY_PATH, wanted, &st)) {
        return false;
    }
    *out = (struct apart_file){
        .device = (uint64_t)st.stx_dev_major << 32 | st.stx_dev_minor,
        .inode = st.stx_ino,
        .regular = S_ISREG(st.stx_mode),
    };
    if (st.stx_mask & STATX_BTIME) {
        out->birth = (uint64_t)st.stx_btime.tv_sec * 1000000000 + st.stx_btime.tv_nsec;
    }
    return true;
}

// Returns NULL if the file is not registered. The caller holds the lock.
static struct apart_file *apart_find(const struct apart_file *key)
{
    void *const *found = tfind(key, &apart.files, apart_compare);
    struct apart_file *file = found ? *found : NULL;
    // The entry of a replaced output is stale: its inode may belong to a new file by now.
    struct apart_file now;
    if (file && file->written &&
        (!apart_look(AT_FDCWD, file->path, &now) || apart_compare(&now, key) != 0)) {
        tdelete(file, &apart.files, apart_compare);
        free(file);
        file = NULL;
    }
    return file;
}

static bool apart_refuse(const char *output, const char *input, struct problem *problem)
{
    if (strcmp(input, output) == 0) {
        return problem_set(
            problem, PROBLEM_USAGE, "'%s' is part of the input: the output needs a name of its own",
            input);
    }
    return problem_set(
        problem, PROBLEM_USAGE,
        "the output '%s' is part of the input, as '%s': the output needs a name of its own",
        strcmp(output, "-") == 0 ? "standard output" : output, input);
}

// The lock is held.
static bool
apart_add(const struct apart_file *key, const char *path, bool written, struct problem *problem)
{
    const size_t size = strlen(path) + 1;
    struct apart_file *file = malloc(sizeof *file + size);
    if (file) {
        *file = *key;
        file->written = written;
        memcpy(file->path, path, size);
        if (tsearch(file, &apart.files, apart_compare)) {
            return true;
        }
    }
    free(file);
    return problem_no_memory(problem, "opening", path);
}

// Registers a file that is read, or will be written, under this path.
static bool
apart_note(const struct apart_file *key, const char *path, bool written, struct problem *problem)
{
    pthread_mutex_lock(&apart.lock);
    const struct apart_file *file = apart_find(key);
    const bool fine = !file                      ? apart_add(key, path, written, problem)
                      : file->written == written ? true
                      : written                  ? apart_refuse(path, file->path, problem)
                                                 : apart_refuse(file->path, path, problem);
    pthread_mutex_unlock(&apart.lock);
    return fine;
}

// The folder that is registered and has the file at `path` in it or below; NULL: none. The path
// may not exist. The lock is held.
static const struct apart_file *apart_find_folder(const char *path)
{
    char at[PATH_MAX], real[PATH_MAX];
    struct apart_file look, before = { 0 };
    bool there = false;
    const char *from = realpath(path, real); // a link counts as what it leads to
    if (strcmp(path, "-") == 0 ||
        (size_t)snprintf(at, sizeof at, "%s", from ? from : path) >= sizeof at) {
        return NULL;
    }
    for (;;) {
        char *slash = strrchr(at, '/');
        if (there) {
            if (strlen(at) + 4 > sizeof at) {
                return NULL;
            }
            strcat(at, "/..");
        } else if (slash > at) { // the name of the file, or of a folder that does not exist yet
            *slash = 0;
        } else {
            snprintf(at, sizeof at, "%s", slash ? "/" : ".");
        }
        there = apart_look(AT_FDCWD, at, &look);
        if (there && apart_compare(&look, &before) == 0) {
            return NULL; // the root
        }
        const struct apart_file *folder = there ? apart_find(&look) : NULL;
        if (folder) {
            return folder;
        }
        if (there) {
            before = look;
        } else if (strcmp(at, ".") == 0 || strcmp(at, "/") == 0) {
            return NULL;
        }
    }
}

static bool apart_refuse_inside(const char *path, const char *folder, struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_USAGE, "the output '%s' is part of the input, as it is in the folder '%s'",
        path, folder);
}

bool apart_outside(const char *path, struct problem *problem)
{
    pthread_mutex_lock(&apart.lock);
    const struct apart_file *folder = apart.folders ? apart_find_folder(path) : NULL;
    const bool fine = !folder || apart_refuse_inside(path, folder->path, problem);
    pthread_mutex_unlock(&apart.lock);
    return fine;
}

bool apart_folder(const char *path, struct problem *problem)
{
    struct apart_file look;
    if (!apart_look(AT_FDCWD, path, &look)) {
        return true; // the caller finds out
    }
    bool fine = apart_note(&look, path, false, problem);
    pthread_mutex_lock(&apart.lock);
    apart.folders |= fine;
    for (const struct apart_name *name = apart.outputs; fine && name; name = name->next) {
        const struct apart_file *folder = apart_find_folder(name->path);
        fine = !folder || apart_refuse_inside(name->path, folder->path, problem);
    }
    pthread_mutex_unlock(&apart.lock);
    return fine;
}

// Keeps the name of an output.
static bool apart_keep(const char *path, struct problem *problem)
{
    const size_t size = strlen(path) + 1;
    struct apart_name *name = malloc(sizeof *name + size);
    if (!name) {
        return problem_no_memory(problem, "opening", path);
    }
    memcpy(name->path, path, size);
    pthread_mutex_lock(&apart.lock);
    name->next = apart.outputs;
    apart.outputs = name;
    pthread_mutex_unlock(&apart.lock);
    return true;
}

bool apart_output(const char *path, struct problem *problem)
{
    struct apart_file look;
    if (!apart_keep(path, problem) || !apart_outside(path, problem)) {
        return false;
    }
    return !apart_look(AT_FDCWD, path, &look) || !look.regular ||
           apart_note(&look, path, true, problem);
}

bool apart_input(int fd, const char *path, struct problem *problem)
{
    struct apart_file look;
    return !apart_look(fd, path, &look) || apart_note(&look, path, false, problem);
}

bool apart_replace(int fd, const char *path, struct problem *problem)
{
    struct apart_file look;
    if (!apart_look(fd, path, &look)) {
        return true;
    }
    pthread_mutex_lock(&apart.lock);
    const struct apart_file *file = apart_find(&look);
    const bool fine = !file || file->written || apart_refuse(path, file->path, problem);
    pthread_mutex_unlock(&apart.lock);
    return fine;
}

void apart_end(void)
{
    pthread_mutex_lock(&apart.lock);
    tdestroy(apart.files, free);
    apart.files = NULL;
    for (struct apart_name *name = apart.outputs, *next; name; name = next) {
        next = name->next;
        free(name);
    }
    apart.outputs = NULL;
    apart.folders = false;
    pthread_mutex_unlock(&apart.lock);
}
