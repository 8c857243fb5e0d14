#include "volumes/base/apart.h"

#include <limits.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A file that is read or will be written.
struct apart_file {
    dev_t device;
    ino_t inode;
    bool written;
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
    const int order = (a->device > b->device) - (a->device < b->device);
    return order ? order : (a->inode > b->inode) - (a->inode < b->inode);
}

static bool apart_stat(const char *path, struct stat *out)
{
    return (strcmp(path, "-") == 0 ? fstat(STDOUT_FILENO, out) : stat(path, out)) == 0;
}

// Returns NULL if the file is not registered. The caller holds the lock.
static struct apart_file *apart_find(const struct stat *st)
{
    const struct apart_file key = { .device = st->st_dev, .inode = st->st_ino };
    void *const *found = tfind(&key, &apart.files, apart_compare);
    struct apart_file *file = found ? *found : NULL;
    // The entry of a replaced output is stale: its inode may belong to a new file by now.
    struct stat now;
    if (file && file->written &&
        (!apart_stat(file->path, &now) || now.st_dev != st->st_dev || now.st_ino != st->st_ino)) {
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
apart_add(const struct stat *st, const char *path, bool written, struct problem *problem)
{
    const size_t size = strlen(path) + 1;
    struct apart_file *file = malloc(sizeof *file + size);
    if (file) {
        *file = (struct apart_file){ st->st_dev, st->st_ino, written };
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
apart_note(const struct stat *st, const char *path, bool written, struct problem *problem)
{
    pthread_mutex_lock(&apart.lock);
    const struct apart_file *file = apart_find(st);
    const bool fine = !file                      ? apart_add(st, path, written, problem)
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
    struct stat st, before = { 0 };
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
        there = stat(at, &st) == 0;
        if (there && st.st_dev == before.st_dev && st.st_ino == before.st_ino) {
            return NULL; // the root
        }
        const struct apart_file *folder = there ? apart_find(&st) : NULL;
        if (folder) {
            return folder;
        }
        if (there) {
            before = st;
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
    struct stat st;
    if (stat(path, &st) != 0) {
        return true; // the caller finds out
    }
    bool fine = apart_note(&st, path, false, problem);
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
    struct stat st;
    if (!apart_keep(path, problem) || !apart_outside(path, problem)) {
        return false;
    }
    return !apart_stat(path, &st) || !S_ISREG(st.st_mode) || apart_note(&st, path, true, problem);
}

bool apart_input(int fd, const char *path, struct problem *problem)
{
    struct stat st;
    return fstat(fd, &st) != 0 || apart_note(&st, path, false, problem);
}

bool apart_replace(const char *path, const struct stat *old, struct problem *problem)
{
    pthread_mutex_lock(&apart.lock);
    const struct apart_file *file = apart_find(old);
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
