// A folder for the files of a test: one per program, removed when it ends.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch_folder[64];

static inline void scratch_remove(const char *path)
{
    struct stat st;
    if (lstat(path, &st) != 0) {
        return;
    }
    if (!S_ISDIR(st.st_mode)) {
        unlink(path);
        return;
    }
    chmod(path, 0700);
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            char *inner = NULL;
            if (asprintf(&inner, "%s/%s", path, entry->d_name) >= 0) {
                scratch_remove(inner);
            }
            free(inner);
        }
    }
    if (dir) {
        closedir(dir);
    }
    rmdir(path);
}

static inline void scratch_end(void)
{
    if (scratch_folder[0]) {
        scratch_remove(scratch_folder);
    }
}

// The path of `name` in the folder; valid for the next seven calls.
static inline const char *scratch(const char *name)
{
    static char paths[8][8192];
    static int next;
    if (!scratch_folder[0]) {
        const char *base = getenv("TMPDIR");
        snprintf(
            scratch_folder, sizeof scratch_folder, "%s/cubist-test-XXXXXX",
            base && strlen(base) < 32 ? base : "/tmp");
        if (!mkdtemp(scratch_folder)) {
            perror("mkdtemp");
            exit(1);
        }
        atexit(scratch_end);
    }
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", scratch_folder, name);
    return path;
}

// Writes a file and returns its path.
static inline const char *scratch_write(const char *name, const void *bytes, size_t size)
{
    const char *path = scratch(name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
    return path;
}

// The bytes of a file, which the caller frees; NULL if it cannot be read.
static inline unsigned char *scratch_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    unsigned char *bytes = malloc(*size + 1);
    rewind(file);
    if (!bytes || fread(bytes, 1, *size, file) != *size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return bytes;
}

// The number of entries of a folder.
static inline int scratch_count(const char *path)
{
    int count = 0;
    DIR *dir = opendir(path);
    while (dir && readdir(dir)) {
        count++;
    }
    if (dir) {
        closedir(dir);
    }
    return count - 2;
}

// Captures what is written to stderr between the two calls. The text is valid until the next pair
// of calls.
static int scratch_stderr = -1;

static inline void scratch_listen(void)
{
    fflush(stderr);
    scratch_stderr = dup(STDERR_FILENO);
    const int fd = open(scratch("stderr"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(fd, STDERR_FILENO);
    close(fd);
}

static inline const char *scratch_heard(void)
{
    static char text[4096];
    fflush(stderr);
    const ssize_t n = pread(STDERR_FILENO, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = 0;
    dup2(scratch_stderr, STDERR_FILENO);
    close(scratch_stderr);
    unlink(scratch("stderr"));
    return text;
}
