#include "tests/fuzz/files.h"
#include "tests/fuzz/target.h"
#include "volumes/base/problem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FIRST 100000 // descriptors of ours count on from here
#define OPEN  64     // of them at the same time

struct file {
    char name[FILES_NAME];
    const unsigned char *bytes; // of a file that is read
    size_t size;
    unsigned char *own; // of one that is written
    size_t room;
};

enum kind { CLOSED, READ, WRITTEN, FOLDER };

struct descriptor {
    enum kind kind;
    unsigned file; // of READ: its index; of WRITTEN: the same, in `written`
    size_t at;
    char folder[FILES_NAME]; // relative to ours, "" or with a slash at its end
};

static struct file files[FILES_MOST];
static size_t file_count;
static struct file written[8]; // [0]: standard output
static unsigned written_count = 1;
static struct descriptor descriptors[OPEN];
static size_t shrunk;
static uint32_t interrupts;
static uint32_t failure; // calls to go, with the one that fails
static bool failed;
static const unsigned char *piped; // standard input, where it is ours
static size_t piped_size;

// The C library's own.
int __real_open(const char *path, int flags, ...);
int __real_openat(int folder, const char *path, int flags, ...);
int __real_stat(const char *path, struct stat *out);
int __real_fstat(int fd, struct stat *out);
int __wrap_fstat(int fd, struct stat *out);
ssize_t __real_read(int fd, void *bytes, size_t size);
ssize_t __real_pread(int fd, void *bytes, size_t size, off_t at);
ssize_t __real_write(int fd, const void *bytes, size_t size);
off_t __real_lseek(int fd, off_t at, int whence);
int __real_close(int fd);
int __real_dup(int fd);
int __real_poll(struct pollfd *polled, nfds_t count, int timeout);
int __real_isatty(int fd);
int __real_fcntl(int fd, int command, ...);
long __real_syscall(long number, ...);
DIR *__real_opendir(const char *path);
struct dirent *__real_readdir(DIR *dir);
int __real_closedir(DIR *dir);
int __real_dirfd(DIR *dir);
void *__real_realloc(void *old, size_t size);

static int fail(int error)
{
    errno = error;
    return -1;
}

void files_clear(void)
{
    for (int i = 0; i < OPEN; i++) {
        if (descriptors[i].kind != CLOSED) {
            fprintf(stderr, "a file was not closed\n");
            abort();
        }
    }
    file_count = 0;
    for (unsigned i = 0; i < written_count; i++) {
        written[i].size = 0;
    }
    written_count = 1;
    shrunk = 0;
    interrupts = 0;
    failure = 0;
    piped = NULL;
}

bool files_add(const char *name, const void *bytes, size_t size)
{
    if (file_count == FILES_MOST) {
        return false;
    }
    struct file *file = &files[file_count++];
    *file = (struct file){ .bytes = bytes, .size = size };
    snprintf(file->name, sizeof file->name, "%s", name);
    return true;
}

void files_shrink(size_t bytes)
{
    shrunk = bytes;
}

void files_interrupt(uint32_t seed)
{
    interrupts = seed;
}

bool files_fail(uint32_t n)
{
    const bool was = failed;
    failure = n;
    failed = false;
    return was;
}

// Whether the call at hand is the one that fails.
static bool fails(void)
{
    failed |= failure == 1;
    return failure > 0 && --failure == 0;
}

void files_standard_input(const void *bytes, size_t size)
{
    piped = bytes;
    piped_size = size;
}

const unsigned char *files_written(size_t *size)
{
    *size = written[0].size;
    return written[0].own;
}

static struct descriptor *descriptor_at(int fd)
{
    const bool ours = fd >= FIRST && fd < FIRST + OPEN && descriptors[fd - FIRST].kind != CLOSED;
    return ours ? &descriptors[fd - FIRST] : NULL;
}

static int open_new(struct descriptor made)
{
    for (int i = 0; i < OPEN; i++) {
        if (descriptors[i].kind == CLOSED) {
            descriptors[i] = made;
            return FIRST + i;
        }
    }
    return fail(EMFILE);
}

// The path relative to our folder; NULL where it is not below it.
static const char *ours(const char *path)
{
    const size_t length = strlen(FILES_FOLDER);
    if (strncmp(path, FILES_FOLDER, length) != 0 || (path[length] && path[length] != '/')) {
        return NULL;
    }
    path += length;
    return path + strspn(path, "/");
}

static const struct file *file_named(const char *name, size_t length)
{
    for (size_t i = 0; i < file_count; i++) {
        if (strlen(files[i].name) == length && memcmp(files[i].name, name, length) == 0) {
            return &files[i];
        }
    }
    return NULL;
}

// What stands at a path relative to our folder: the kind and the index of a file, or the name of a
// folder, "" or with a slash at its end; CLOSED with errno.
static enum kind look_up(const char *path, unsigned *index, char folder[FILES_NAME])
{
    size_t length = 0;
    folder[0] = 0;
    while (*path) { // without "." and doubled slashes
        const size_t part = strcspn(path, "/");
        const bool dot = part == 1 && path[0] == '.';
        if (length > 0 && file_named(folder, length - 1)) {
            errno = ENOTDIR;
            return CLOSED;
        }
        if (!dot && length + part + 2 > FILES_NAME) {
            errno = ENOENT;
            return CLOSED;
        }
        if (!dot) {
            memcpy(folder + length, path, part);
            length += part;
            folder[length++] = '/';
            folder[length] = 0;
        }
        path += part;
        path += strspn(path, "/");
    }
    if (length == 0) {
        return FOLDER;
    }
    const struct file *file = file_named(folder, length - 1);
    if (file) {
        *index = (unsigned)(file - files);
        return READ;
    }
    for (size_t i = 0; i < file_count; i++) {
        if (strncmp(files[i].name, folder, length) == 0) {
            return FOLDER;
        }
    }
    errno = ENOENT;
    return CLOSED;
}

static int open_ours(const char *path, int flags)
{
    struct descriptor made = { 0 };
    made.kind = look_up(path, &made.file, made.folder);
    if (made.kind == CLOSED) {
        return -1;
    }
    return made.kind == READ && (flags & O_DIRECTORY) ? fail(ENOTDIR) : open_new(made);
}

static int open_below(const struct descriptor *folder, const char *name, int flags)
{
    char path[2 * FILES_NAME];
    if (folder->kind != FOLDER) {
        return fail(ENOTDIR);
    }
    const int length = snprintf(path, sizeof path, "%s%s", folder->folder, name);
    return (size_t)length < sizeof path ? open_ours(path, flags) : fail(ENOENT);
}

static int open_written(unsigned file)
{
    return open_new((struct descriptor){ .kind = WRITTEN, .file = file });
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const int mode = va_arg(list, int);
    va_end(list);
    if ((flags & O_TMPFILE) == O_TMPFILE) {
        const unsigned most = sizeof written / sizeof *written;
        return written_count == most ? fail(ENOSPC) : open_written(written_count++);
    }
    const char *own = ours(path);
    int fd;
    if (sscanf(path, PROBLEM_STANDARD_INPUT "%d", &fd) == 1 && descriptor_at(fd)) {
        struct descriptor again = *descriptor_at(fd);
        again.at = 0;
        return open_new(again);
    }
    return own ? open_ours(own, flags) : __real_open(path, flags, mode);
}

int __wrap_openat(int folder, const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const int mode = va_arg(list, int);
    va_end(list);
    const struct descriptor *own = descriptor_at(folder);
    return own ? open_below(own, path, flags) : __real_openat(folder, path, flags, mode);
}

// Of another call than openat2 more arguments are read than there may be.
__attribute__((no_sanitize_address)) long __wrap_syscall(long number, ...)
{
    va_list list;
    va_start(list, number);
    long a[6];
    for (int i = 0; i < (number == SYS_openat2 ? 4 : 6); i++) {
        a[i] = va_arg(list, long);
    }
    va_end(list);
    const struct descriptor *own = number == SYS_openat2 ? descriptor_at((int)a[0]) : NULL;
    if (own) {
        // Every other time as a kernel without the call.
        return interrupts % 2 ? fail(ENOSYS) : open_below(own, (const char *)a[1], 0);
    }
    return number == SYS_openat2 ? __real_syscall(number, a[0], a[1], a[2], a[3])
                                 : __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static int describe(enum kind kind, unsigned file, size_t size, struct stat *out)
{
    memset(out, 0, sizeof *out);
    out->st_mode = kind == FOLDER ? S_IFDIR | 0700 : S_IFREG | 0600;
    out->st_dev = 1;
    out->st_ino = kind == FOLDER ? 1 : kind == READ ? file + 2 : file + 1000;
    out->st_nlink = 1;
    out->st_size = (off_t)size;
    return 0;
}

static struct file *file_of(const struct descriptor *descriptor)
{
    return descriptor->kind == WRITTEN ? &written[descriptor->file] : &files[descriptor->file];
}

int __wrap_fstat(int fd, struct stat *out)
{
    if (fd == STDIN_FILENO && piped) {
        memset(out, 0, sizeof *out);
        out->st_mode = S_IFIFO;
        return 0;
    }
    const struct descriptor *own = descriptor_at(fd);
    return own ? describe(own->kind, own->file, own->kind == FOLDER ? 0 : file_of(own)->size, out)
               : __real_fstat(fd, out);
}

int __wrap_stat(const char *path, struct stat *out)
{
    const char *own = ours(path);
    int fd;
    if (sscanf(path, PROBLEM_STANDARD_INPUT "%d", &fd) == 1 && descriptor_at(fd)) {
        return __wrap_fstat(fd, out);
    }
    if (!own) {
        return __real_stat(path, out);
    }
    char folder[FILES_NAME];
    unsigned file = 0;
    const enum kind kind = look_up(own, &file, folder);
    return kind == CLOSED ? -1 : describe(kind, file, kind == READ ? files[file].size : 0, out);
}

static ssize_t take(const struct descriptor *own, void *bytes, size_t size, size_t at)
{
    if (own->kind == FOLDER) {
        return fail(EISDIR);
    }
    if (fails()) {
        return fail(EIO);
    }
    if (interrupts && size > 0) {
        interrupts = interrupts * 1664525u + 1013904223u;
        if (interrupts >> 29 == 0) {
            return fail(EINTR);
        }
        size = interrupts >> 29 < 4 ? 1 + (interrupts >> 8) % size : size;
    }
    const struct file *file = file_of(own);
    const size_t end = own->kind == WRITTEN  ? file->size
                       : file->size > shrunk ? file->size - shrunk
                                             : 0;
    if (at >= end) {
        return 0;
    }
    size = size < end - at ? size : end - at;
    memcpy(bytes, (own->kind == WRITTEN ? file->own : file->bytes) + at, size);
    return (ssize_t)size;
}

ssize_t __wrap_read(int fd, void *bytes, size_t size)
{
    if (fd == STDIN_FILENO && piped) {
        size = size < piped_size ? size : piped_size;
        size = size > 1 && draw() % 2 ? 1 + draw() % size : size;
        memcpy(bytes, piped, size);
        piped += size;
        piped_size -= size;
        return fails() ? fail(EIO) : (ssize_t)size;
    }
    struct descriptor *own = descriptor_at(fd);
    if (!own) {
        return __real_read(fd, bytes, size);
    }
    const ssize_t got = take(own, bytes, size, own->at);
    own->at += got > 0 ? (size_t)got : 0;
    return got;
}

ssize_t __wrap_pread(int fd, void *bytes, size_t size, off_t at)
{
    const struct descriptor *own = descriptor_at(fd);
    return !own     ? __real_pread(fd, bytes, size, at)
           : at < 0 ? fail(EINVAL)
                    : take(own, bytes, size, (size_t)at);
}

ssize_t __wrap_write(int fd, const void *bytes, size_t size)
{
    struct descriptor *own = descriptor_at(fd);
    if (!own) {
        return __real_write(fd, bytes, size);
    }
    if (own->kind != WRITTEN) {
        return fail(EBADF);
    }
    if (fails()) {
        return fail(ENOSPC);
    }
    struct file *file = file_of(own);
    if (file->size + size > file->room) {
        file->room = 2 * (file->size + size);
        file->own = __real_realloc(file->own, file->room);
        if (!file->own) {
            abort();
        }
    }
    memcpy(file->own + file->size, bytes, size);
    file->size += size;
    return (ssize_t)size;
}

off_t __wrap_lseek(int fd, off_t at, int whence)
{
    struct descriptor *own = descriptor_at(fd);
    if (!own) {
        return __real_lseek(fd, at, whence);
    }
    at += whence == SEEK_CUR ? (off_t)own->at : whence == SEEK_END ? (off_t)file_of(own)->size : 0;
    if (at < 0 || fails()) {
        return fail(at < 0 ? EINVAL : EIO);
    }
    own->at = (size_t)at;
    return at;
}

int __wrap_poll(struct pollfd *polled, nfds_t count, int timeout)
{
    if (count == 1 && polled->fd == STDIN_FILENO && piped) {
        polled->revents = POLLIN;
        return 1;
    }
    return __real_poll(polled, count, timeout);
}

int __wrap_isatty(int fd)
{
    return !(fd == STDIN_FILENO && piped) && __real_isatty(fd);
}

int __wrap_close(int fd)
{
    struct descriptor *own = descriptor_at(fd);
    if (!own) {
        return __real_close(fd);
    }
    own->kind = CLOSED;
    return 0;
}

int __wrap_dup(int fd)
{
    const struct descriptor *own = descriptor_at(fd);
    return own ? open_new(*own) : __real_dup(fd);
}

int __wrap_fcntl(int fd, int command, ...)
{
    va_list list;
    va_start(list, command);
    const long argument = va_arg(list, long);
    va_end(list);
    const bool copy = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
    const struct descriptor *own = descriptor_at(fd);
    if (fd == STDOUT_FILENO && copy) {
        return open_written(0);
    }
    return own ? copy ? open_new(*own) : fail(EINVAL) : __real_fcntl(fd, command, argument);
}

DIR *__wrap_opendir(const char *path)
{
    const char *own = ours(path);
    if (!own) {
        return __real_opendir(path);
    }
    const int fd = open_ours(own, O_DIRECTORY);
    return fd < 0 ? NULL : (DIR *)descriptor_at(fd);
}

static struct descriptor *folder_of(DIR *dir)
{
    struct descriptor *own = (struct descriptor *)dir;
    return own >= descriptors && own < descriptors + OPEN ? own : NULL;
}

struct dirent *__wrap_readdir(DIR *dir)
{
    static struct dirent entry;
    struct descriptor *own = folder_of(dir);
    if (!own) {
        return __real_readdir(dir);
    }
    const size_t length = strlen(own->folder);
    while (own->at < file_count) {
        const struct file *file = &files[own->at++];
        if (strncmp(file->name, own->folder, length) == 0) {
            const char *name = file->name + length;
            const size_t part = strcspn(name, "/");
            memset(&entry, 0, sizeof entry);
            memcpy(entry.d_name, name, part);
            entry.d_type = name[part] ? DT_DIR : DT_REG;
            return &entry;
        }
    }
    return NULL;
}

int __wrap_closedir(DIR *dir)
{
    struct descriptor *own = folder_of(dir);
    if (!own) {
        return __real_closedir(dir);
    }
    own->kind = CLOSED;
    return 0;
}

int __wrap_dirfd(DIR *dir)
{
    struct descriptor *own = folder_of(dir);
    return own ? FIRST + (int)(own - descriptors) : __real_dirfd(dir);
}
