// A file that is being written. output_names.c says how the owner of a temporary file is found.
#include "volumes/base/output.h"

#include "volumes/base/apart.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#define BUFFER_SIZE  ((size_t)1 << 18)
#define PIECE        (UINT64_C(32) << 20)
#define MAX_LINKS    40 // the kernel's limit
#define MAX_ATTEMPTS 100
#define MAX_NUMBER   99999 // the highest number that is put into a name

enum { SLOT_FREE, SLOT_TAKEN, SLOT_ARMED };
static struct {
    struct {
        atomic_int state;
        int folder;
        char name[OUTPUT_TEMPORARY];
    } slots[8];         // the temporary files that a signal handler must unlink
    atomic_uint number; // number in the next temporary name
} temporaries;
#define SLOTS (sizeof temporaries.slots / sizeof *temporaries.slots)

static int output_slot_arm(int folder, const char *name)
{
    for (int i = 0; i < (int)SLOTS; i++) {
        int expected = SLOT_FREE;
        if (atomic_compare_exchange_strong(&temporaries.slots[i].state, &expected, SLOT_TAKEN)) {
            temporaries.slots[i].folder = folder;
            snprintf(temporaries.slots[i].name, sizeof temporaries.slots[i].name, "%s", name);
            atomic_store(&temporaries.slots[i].state, SLOT_ARMED);
            return i;
        }
    }
    return -1;
}

static void output_slot_disarm(int slot)
{
    if (slot >= 0) {
        atomic_store(&temporaries.slots[slot].state, SLOT_FREE);
    }
}

void output_unlink_pending(void)
{
    const int kept = errno;
    for (size_t i = 0; i < SLOTS; i++) {
        if (atomic_load(&temporaries.slots[i].state) == SLOT_ARMED) {
            unlinkat(temporaries.slots[i].folder, temporaries.slots[i].name, 0);
        }
    }
    errno = kept;
}

static bool output_refuse(struct problem *problem, const char *path, const char *why)
{
    return problem_set(problem, PROBLEM_OUTPUT, "cannot write '%s': %s", path, why);
}

// The number N of /dev/stdout, /dev/fd/N, /proc/self/fd/N; -1 for other paths.
static int output_descriptor_of(const char *path)
{
    if (strcmp(path, "/dev/stdout") == 0) {
        return STDOUT_FILENO;
    }
    if (strcmp(path, "/dev/stderr") == 0) {
        return STDERR_FILENO;
    }
    int number = -1;
    int used = 0;
    if (sscanf(path, "/dev/fd/%9d%n", &number, &used) == 1 && path[used] == 0) {
        return number;
    }
    if (sscanf(path, "/proc/self/fd/%9d%n", &number, &used) == 1 && path[used] == 0) {
        return number;
    }
    return -1;
}

// Whether the kernel resolves this link itself (/proc/PID/fd/N). Its text is then not a path.
static bool output_is_magic_link(const char *path)
{
    const int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    struct statfs fs;
    const bool magic = fd >= 0 && fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
    if (fd >= 0) {
        close(fd);
    }
    return magic;
}

// Follows symbolic links in the last component of `path`. The last link may name a file that does
// not exist yet. Returns an allocated path; NULL with errno.
static char *output_resolve(const char *path)
{
    char *at = strdup(path);
    for (int i = 0; at; i++) {
        struct stat st;
        if (lstat(at, &st) != 0 || !S_ISLNK(st.st_mode) || output_is_magic_link(at)) {
            return at;
        }
        char link[4097];
        const ssize_t length = readlink(at, link, sizeof link - 1);
        if (length < 0 || i == MAX_LINKS) {
            const int kept = length < 0 ? errno : ELOOP;
            free(at);
            errno = kept;
            return NULL;
        }
        link[length] = 0;
        const char *slash = strrchr(at, '/');
        const int head = link[0] == '/' || !slash ? 0 : (int)(slash - at) + 1;
        char *next;
        const bool joined = asprintf(&next, "%.*s%s", head, at, link) >= 0;
        free(at);
        at = joined ? next : NULL;
    }
    errno = ENOMEM;
    return NULL;
}

// Creates a temporary file in `folder` and locks it. Sets its name and the name's slot. -1 with
// errno on failure: EEXIST when no name was free.
static int output_create_named(
    int folder, int access_mode, mode_t mode, char name[OUTPUT_TEMPORARY], int *slot)
{
    char prefix[OUTPUT_HOST_PREFIX];
    output_host_prefix(prefix);
    output_sweep(folder, prefix);
    int error = EEXIST;
    for (int i = 0; i < MAX_ATTEMPTS && error == EEXIST; i++) {
        const unsigned number = atomic_fetch_add(&temporaries.number, 1) % 1000000;
        output_temporary_name(prefix, (long)getpid(), number, name);
        *slot = output_slot_arm(folder, name);
        const int flags = access_mode | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
        const int fd = (int)TEMP_FAILURE_RETRY(openat(folder, name, flags, mode));
        if (fd >= 0) {
            // If the file system has no locks, the name alone shows the owner. If another process
            // has the lock, it is a sweep that began before this lock and removes the file.
            struct stat st;
            const bool swept = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
            if (!swept && (fstat(fd, &st) != 0 || st.st_nlink > 0)) {
                return fd;
            }
            unlinkat(folder, name, 0);
            close(fd);
        } else {
            error = errno;
        }
        output_slot_disarm(*slot);
        *slot = -1;
        name[0] = 0;
    }
    errno = error;
    return -1;
}

int output_nameless(const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0) {
        return fd;
    }
    // Not every file system can make a file without a name. This file loses its name at once.
    const int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened >= 0) {
        char name[OUTPUT_TEMPORARY];
        int slot;
        fd = output_create_named(opened, O_RDWR, 0600, name, &slot);
        if (fd >= 0) {
            unlinkat(opened, name, 0);
            output_slot_disarm(slot);
        }
        const int kept = errno;
        close(opened);
        errno = kept;
    }
    return fd;
}

static bool output_is_kept(const char *attribute)
{
    // Do not copy attributes that describe the old content (security.ima) or give the file rights
    // (security.capability).
    return strncmp(attribute, "user.", 5) == 0 || strncmp(attribute, "system.", 7) == 0 ||
           strcmp(attribute, "security.selinux") == 0;
}

// Copies the extended attributes of the file `target` to the new file, as far as they can be read
// and written.
static void output_copy_attributes(const char *target, int fd)
{
    const ssize_t size = listxattr(target, NULL, 0);
    char *names = size > 0 ? malloc((size_t)size) : NULL;
    const ssize_t got = names ? listxattr(target, names, (size_t)size) : 0;
    for (ssize_t at = 0; at < got; at += (ssize_t)strlen(names + at) + 1) {
        const char *name = names + at;
        const ssize_t length = output_is_kept(name) ? getxattr(target, name, NULL, 0) : -1;
        char *value = length >= 0 ? malloc((size_t)length + 1) : NULL;
        if (value && getxattr(target, name, value, (size_t)length) == length) {
            fsetxattr(fd, name, value, (size_t)length, 0);
        }
        free(value);
    }
    free(names);
}

// Gives the new file the mode, owner and attributes of `target`, which it replaces, where possible.
static void output_look_alike(const char *target, const struct stat *old, int fd)
{
    struct stat st;
    if (fstat(fd, &st) == 0 && (old->st_uid != st.st_uid || old->st_gid != st.st_gid) &&
        fchown(fd, old->st_uid, old->st_gid) != 0) {
        errno = 0;
    }
    fremovexattr(fd, "system.posix_acl_access"); // may be inherited from the folder
    fchmod(fd, old->st_mode & 0777);
    output_copy_attributes(target, fd);
}

// Creates the temporary file in out->folder.
static bool output_create_temporary(struct output *out, mode_t mode, struct problem *problem)
{
    out->fd = output_create_named(out->folder, O_WRONLY, mode, out->temporary, &out->pending);
    if (out->fd >= 0) {
        return true;
    }
    return errno == EEXIST
               ? output_refuse(problem, out->path, "no free temporary name in its folder")
               : problem_set(
                     problem, PROBLEM_OUTPUT,
                     "cannot write '%s': no new file can be made in its folder: %s", out->path,
                     strerror(errno));
}

// Opens a target that is written into, not replaced: `path` exists and is not a regular file.
static bool output_open_straight(struct output *out, const char *path, struct problem *problem)
{
    const int number = output_descriptor_of(path);
    if (number >= 0) {
        // The duplicate shares the offset and the append mode that the shell has set.
        out->fd = fcntl(number, F_DUPFD_CLOEXEC, 0);
    } else {
        out->fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    }
    if (out->fd < 0 && errno == EINTR) {
        return problem_set(
            problem, PROBLEM_INTERRUPTED, "interrupted while waiting for a reader of '%s'",
            out->path);
    }
    if (out->fd < 0) {
        return output_refuse(problem, out->path, strerror(errno));
    }
    struct stat st; // a regular file where the shell has redirected standard output
    return fstat(out->fd, &st) != 0 || !S_ISREG(st.st_mode) ||
           apart_replace(out->fd, out->path, problem);
}

// `old`: the file that is replaced, or NULL. `secret`: only the user may read the new file.
static bool output_open_beside(
    struct output *out, const char *target, const struct stat *old, bool secret,
    struct problem *problem)
{
    const char *slash = strrchr(target, '/');
    const char *name = slash ? slash + 1 : target;
    const size_t head = slash == target ? 1 : slash ? (size_t)(slash - target) : 0;
    char *folder = head ? strndup(target, head) : strdup(".");
    out->folder_path = folder;
    out->name = strdup(name);
    bool ok = false;
    if (!folder || !out->name) {
        problem_no_memory(problem, "while opening", out->path);
    } else if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        output_refuse(problem, out->path, "it names a directory; give a file name");
    } else if (old && access(target, W_OK) != 0) {
        problem_set(
            problem, PROBLEM_OUTPUT, "cannot write '%s': the file is read-only (%s)", out->path,
            strerror(errno));
    } else if (
        (out->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0 &&
        (out->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0) {
        problem_set(
            problem, PROBLEM_OUTPUT, "cannot write '%s': its folder '%s' cannot be opened: %s%s",
            out->path, folder, strerror(errno), errno == ENOENT ? "; create the folder first" : "");
    } else {
        ok = output_create_temporary(out, secret ? 0600 : 0666, problem);
        if (ok && old && !secret) {
            output_look_alike(target, old, out->fd);
        }
    }
    return ok;
}

static bool output_begin(const char *path, struct output *out, struct problem *problem)
{
    *out = (struct output){ .fd = -1, .folder = -1, .lock = -1, .pending = -1 };
    if (!*path) {
        return problem_set(
            problem, PROBLEM_USAGE, "the output path is empty; give a file name, or - for stdout");
    }
    out->path = strdup(path);
    out->buffer = out->path ? malloc(BUFFER_SIZE) : NULL;
    if (!out->buffer) {
        output_abort(out);
        return problem_no_memory(problem, "while opening", path);
    }
    return true;
}

bool output_open_new(
    const char *path, char placed[OUTPUT_PLACED], struct output *out, struct problem *problem)
{
    if (!output_begin(path, out, problem)) {
        return false;
    }
    if ((size_t)snprintf(placed, OUTPUT_PLACED, "%s", path) >= OUTPUT_PLACED - NAME_MAX) {
        output_refuse(problem, path, strerror(ENAMETOOLONG));
    } else if (output_open_beside(out, path, NULL, false, problem)) {
        out->placed = placed;
        return true;
    }
    output_abort(out);
    return false;
}

// How the program uses a file that it opens for writing.
enum output_use {
    OUTPUT_RESULT, // replaces nothing that was read
    OUTPUT_AGAIN,  // may have been read
    OUTPUT_SECRET, // may have been read; only its user may read it
};

static bool
output_open_as(const char *path, enum output_use use, struct output *out, struct problem *problem)
{
    struct stat st;
    if (!output_begin(path, out, problem)) {
        return false;
    }
    const bool standard = strcmp(path, "-") == 0;
    const bool straight = standard || output_descriptor_of(path) >= 0;
    char *target = straight ? NULL : output_resolve(path);
    const bool exists = target && stat(target, &st) == 0;
    bool ok;
    if (straight) {
        ok = output_open_straight(out, standard ? "/dev/stdout" : path, problem);
    } else if (!target) {
        ok = errno == ENOMEM ? problem_no_memory(problem, "while opening", path)
                             : output_refuse(problem, path, strerror(errno));
    } else if (exists && S_ISDIR(st.st_mode)) {
        ok = output_refuse(problem, path, "it is a directory; give a file name");
    } else if (exists && (!S_ISREG(st.st_mode) || output_is_magic_link(target))) {
        ok = output_open_straight(out, target, problem);
    } else if (!exists && errno != ENOENT) {
        ok = output_refuse(problem, path, strerror(errno));
    } else {
        ok = (use != OUTPUT_RESULT || (apart_outside(target, problem) &&
                                       (!exists || apart_replace(AT_FDCWD, path, problem)))) &&
             output_open_beside(out, target, exists ? &st : NULL, use == OUTPUT_SECRET, problem);
    }
    free(target);
    if (!ok) {
        output_abort(out);
    }
    return ok;
}

bool output_open(const char *path, struct output *out, struct problem *problem)
{
    return output_open_as(path, OUTPUT_RESULT, out, problem);
}

bool output_open_again(const char *path, bool secret, struct output *out, struct problem *problem)
{
    return output_open_as(path, secret ? OUTPUT_SECRET : OUTPUT_AGAIN, out, problem);
}

// Flags for opening a file that several processes write. Linux's NFS client writes whole pages,
// with stale bytes where other hosts wrote, unless the file is open with O_DSYNC.
static int output_flags_of_several(int folder)
{
    struct statfs fs;
    const bool nfs = fstatfs(folder, &fs) == 0 && fs.f_type == NFS_SUPER_MAGIC;
    return O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (nfs ? O_DSYNC : 0);
}

bool output_temporary_path(struct output *out, char path[OUTPUT_SHARED], struct problem *problem)
{
    assert(out->written == 0);
    if (!out->temporary[0]) {
        return output_refuse(problem, out->path, "several processes can only write a file");
    }
    if (snprintf(path, OUTPUT_SHARED, "%s/%s", out->folder_path, out->temporary) >= OUTPUT_SHARED) {
        return output_refuse(problem, out->path, strerror(ENAMETOOLONG));
    }
    const int flags = output_flags_of_several(out->folder);
    if (flags & O_DSYNC) {
        out->lock = out->fd;
        out->fd = openat(out->folder, out->temporary, flags);
    }
    return out->fd >= 0 || output_refuse(problem, out->path, strerror(errno));
}

// Opens the folder and the file in it.
static bool output_open_joined(struct output *out, const char *temporary, struct problem *problem)
{
    const char *slash = strrchr(temporary, '/');
    const char *name = slash ? slash + 1 : temporary;
    struct stat st;
    out->folder_path = slash ? strndup(temporary, (size_t)(slash - temporary) + 1) : strdup(".");
    if (!out->folder_path) {
        return problem_no_memory(problem, "while opening", out->path);
    }
    out->folder = open(out->folder_path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    out->fd =
        out->folder >= 0 ? openat(out->folder, name, output_flags_of_several(out->folder)) : -1;
    if (out->fd < 0 || fstat(out->fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        return problem_set(
            problem, PROBLEM_OUTPUT,
            "cannot write '%s': its temporary file '%s', which another process has made, cannot be "
            "opened here: %s; all processes must see the same folder",
            out->path, temporary, out->fd < 0 ? strerror(errno) : "it is not a file");
    }
    if (strlen(name) < OUTPUT_TEMPORARY) {
        out->pending = output_slot_arm(out->folder, name);
    }
    return true;
}

bool output_join(
    const char *path, const char *temporary, struct output *out, struct problem *problem)
{
    if (!output_begin(path, out, problem)) {
        return false;
    }
    out->joined = true;
    if (!output_open_joined(out, temporary, problem)) {
        output_abort(out);
        return false;
    }
    return true;
}

// Whether the file is standard output, whatever its name.
static bool output_is_standard(const struct output *out)
{
    struct stat own, standard;
    return fstat(out->fd, &own) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
           own.st_dev == standard.st_dev && own.st_ino == standard.st_ino;
}

bool output_put(int fd, const void *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        errno = 0;
        const ssize_t done = write(fd, (const char *)bytes + at, size - at);
        if (done <= 0 && errno != EINTR) {
            return false;
        }
        at += done > 0 ? (size_t)done : 0;
    }
    return true;
}

static bool
output_write_all(struct output *out, const void *bytes, size_t size, struct problem *problem)
{
    if (output_put(out->fd, bytes, size)) {
        return true;
    }
    return errno == EPIPE && output_is_standard(out)
               ? problem_set(problem, PROBLEM_NO_READER, "nobody reads standard output any more")
               : output_refuse(
                     problem, out->path, errno ? strerror(errno) : "it accepted no bytes");
}

// Starts writing each complete chunk to the disk, and waits for the chunk before it. Then little is
// left for the final flush, which no signal can interrupt.
static void output_send_on(struct output *out, uint64_t written)
{
    const off_t piece = PIECE;
    while ((out->name || out->joined) && written - out->on_disk >= PIECE) {
        const off_t at = (off_t)out->on_disk;
        sync_file_range(out->fd, at, piece, SYNC_FILE_RANGE_WRITE);
        if (at >= piece) {
            sync_file_range(
                out->fd, at - piece, piece,
                SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
        }
        out->on_disk += PIECE;
    }
}

static bool output_flush(struct output *out, struct problem *problem)
{
    const size_t filled = out->filled;
    out->filled = 0;
    if (!output_write_all(out, out->buffer, filled, problem)) {
        return false;
    }
    output_send_on(out, out->written);
    return true;
}

bool output_write(struct output *out, const void *bytes, size_t size, struct problem *problem)
{
    assert(out->fd >= 0);
    if (size > BUFFER_SIZE - out->filled && !output_flush(out, problem)) {
        return false;
    }
    out->written += size;
    if (size >= BUFFER_SIZE) {
        return output_write_all(out, bytes, size, problem);
    }
    if (size > 0) {
        memcpy(out->buffer + out->filled, bytes, size);
        out->filled += size;
    }
    return true;
}

bool output_seek(struct output *out, uint64_t at, struct problem *problem)
{
    assert(out->fd >= 0);
    if (at == out->written) {
        return true;
    }
    if (!output_flush(out, problem)) {
        return false;
    }
    if (lseek(out->fd, (off_t)at, SEEK_SET) < 0) {
        return output_refuse(problem, out->path, strerror(errno));
    }
    out->written = at;
    out->on_disk = at;
    return true;
}

void output_number(const char *name, int number, char *out, size_t size)
{
    const char *last = basename(name);
    const char *dot = strrchr(last, '.');
    const char *extension = dot && dot != last ? dot : "";
    const int stem = (int)(strlen(name) - strlen(extension));
    if (number > 1) {
        snprintf(out, size, "%.*s-%d%s", stem, name, number, extension);
    } else {
        snprintf(out, size, "%s", name);
    }
}

// Renames the file to its own name, or to the first numbered name that is free.
static bool output_place_new(struct output *out)
{
    const size_t head = strlen(out->path) - strlen(out->name);
    for (int number = 1; number <= MAX_NUMBER; number++) {
        char name[NAME_MAX + 16];
        output_number(out->name, number, name, sizeof name);
        if (output_rename_to_free(out->folder, out->temporary, name)) {
            snprintf(out->placed + head, OUTPUT_PLACED - head, "%s", name);
            return true;
        }
        if (errno != EEXIST) {
            return false;
        }
    }
    return false;
}

bool output_sync(struct output *out, struct problem *problem)
{
    return output_flush(out, problem) && ((!out->name && !out->joined) || fsync(out->fd) == 0 ||
                                          output_refuse(problem, out->path, strerror(errno)));
}

bool output_commit(struct output *out, struct problem *problem)
{
    assert(out->fd >= 0);
    if (!output_sync(out, problem)) {
        goto fail;
    }
    const int fd = out->fd;
    if (out->name && out->lock < 0) {
        out->lock = fcntl(fd, F_DUPFD_CLOEXEC, 0); // keeps the lock until the file is renamed
    }
    out->fd = -1;
    if (close(fd) != 0 && errno != EINTR) {
        output_refuse(problem, out->path, strerror(errno));
        goto fail;
    }
    if (out->name) {
        if (out->placed ? !output_place_new(out)
                        : renameat(out->folder, out->temporary, out->folder, out->name) != 0) {
            output_refuse(problem, out->path, strerror(errno));
            goto fail;
        }
        output_slot_disarm(out->pending);
        out->pending = -1;
        out->temporary[0] = 0;
        fsync(out->folder); // errors are ignored: the file has its final name already
    }
    output_abort(out);
    return true;
fail:
    output_abort(out);
    return false;
}

void output_abort(struct output *out)
{
    if (!out->path) {
        return; // closed already, or zeroed
    }
    if (out->temporary[0]) {
        unlinkat(out->folder, out->temporary, 0);
    }
    output_slot_disarm(out->pending);
    if (out->fd >= 0) {
        close(out->fd);
    }
    if (out->lock >= 0) {
        close(out->lock);
    }
    if (out->folder >= 0) {
        close(out->folder);
    }
    free(out->path);
    free(out->name);
    free(out->folder_path);
    free(out->buffer);
    *out = (struct output){ .fd = -1, .folder = -1, .lock = -1, .pending = -1 };
}
