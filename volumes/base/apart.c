#include "volumes/base/apart.h"

#include <pthread.h>
#include <search.h>
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

static struct {
    void *files; // a tree of tsearch
    pthread_mutex_t lock;
} apart = { NULL, PTHREAD_MUTEX_INITIALIZER };

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

bool apart_output(const char *path, struct problem *problem)
{
    struct stat st;
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
    pthread_mutex_unlock(&apart.lock);
}
