// A file on its way out. Who owns a temporary file is told twice: by the process id in its name and
// by an flock that dies with its owner, so that a sweep from another pid namespace (a container on
// the same folder) does not take a live one.
#include "volumes/output.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define BUFFER_SIZE  ((size_t)1 << 18)
#define PIECE        (UINT64_C(32) << 20)
#define PREFIX       ".cubist-"
#define SUFFIX       ".part"
#define MAX_LINKS    40 // as the kernel
#define MAX_ATTEMPTS 100

// Temporary names that a signal handler may have to unlink.
enum { SLOT_FREE, SLOT_TAKEN, SLOT_ARMED };
static struct {
    atomic_int state;
    int folder;
    char name[64];
} slots[8];

static atomic_uint counter;

static int slot_arm(int folder, const char *name)
{
    for (int i = 0; i < (int)(sizeof slots / sizeof *slots); i++) {
        int expected = SLOT_FREE;
        if (atomic_compare_exchange_strong(&slots[i].state, &expected, SLOT_TAKEN)) {
            slots[i].folder = folder;
            snprintf(slots[i].name, sizeof slots[i].name, "%s", name);
            atomic_store(&slots[i].state, SLOT_ARMED);
            return i;
        }
    }
    return -1;
}

static void slot_disarm(int slot)
{
    if (slot >= 0) {
        atomic_store(&slots[slot].state, SLOT_FREE);
    }
}

void output_unlink_pending(void)
{
    const int kept = errno;
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        if (atomic_load(&slots[i].state) == SLOT_ARMED) {
            unlinkat(slots[i].folder, slots[i].name, 0);
        }
    }
    errno = kept;
}

// The process id in a temporary name of ours, 0 for any other name.
static long owner_of(const char *name)
{
    if (strncmp(name, PREFIX, strlen(PREFIX)) != 0) {
        return 0;
    }
    long pid = 0;
    int used = 0;
    unsigned number;
    if (sscanf(name + strlen(PREFIX), "%9ld-%9u" SUFFIX "%n", &pid, &number, &used) != 2) {
        return 0;
    }
    char again[64];
    snprintf(again, sizeof again, PREFIX "%ld-%u" SUFFIX, pid, number);
    return strcmp(again, name) == 0 && pid > 0 ? pid : 0;
}

// Unlinks what killed runs of this user left in the folder.
static void sweep(int folder)
{
    const int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (!dir) {
        if (fd >= 0) {
            close(fd);
        }
        return;
    }
    for (struct dirent *entry; (entry = readdir(dir));) {
        const long pid = owner_of(entry->d_name);
        if (pid == 0 || (pid != (long)getpid() && (kill((pid_t)pid, 0) == 0 || errno != ESRCH))) {
            continue; // a name with our own id is of an earlier owner of the id, unless locked
        }
        const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
        const int stale = openat(folder, entry->d_name, flags);
        struct stat st;
        if (stale >= 0 && fstat(stale, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
            flock(stale, LOCK_EX | LOCK_NB) == 0) {
            unlinkat(folder, entry->d_name, 0);
        }
        if (stale >= 0) {
            close(stale);
        }
    }
    closedir(dir);
}

static bool refuse(struct problem *problem, const char *path, const char *why)
{
    return problem_set(problem, PROBLEM_OUTPUT, "cannot write '%s': %s", path, why);
}

static char *text_copy(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

// The number N of /dev/stdout, /dev/fd/N, /proc/self/fd/N; -1 for other paths.
static int descriptor_of(const char *path)
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

// A link that the kernel resolves by itself (/proc/PID/fd/N): its text is no path.
static bool is_magic_link(const char *path)
{
    const int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    struct statfs fs;
    const bool magic = fd >= 0 && fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
    if (fd >= 0) {
        close(fd);
    }
    return magic;
}

// Follows symbolic links in the last component of `path`, also to a name that does not exist yet.
// Returns an allocated path; NULL with errno.
static char *resolve(const char *path)
{
    char *at = text_copy(path, strlen(path));
    for (int i = 0; at; i++) {
        struct stat st;
        if (lstat(at, &st) != 0 || !S_ISLNK(st.st_mode) || is_magic_link(at)) {
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
        const size_t head = link[0] == '/' || !slash ? 0 : (size_t)(slash - at) + 1;
        char *next = malloc(head + (size_t)length + 1);
        if (next) {
            memcpy(next, at, head);
            memcpy(next + head, link, (size_t)length + 1);
        }
        free(at);
        at = next;
    }
    errno = ENOMEM;
    return NULL;
}

// Creates the temporary file in out->folder, locked. `old` is the file to replace, NULL for none.
static bool create_temporary(struct output *out, const struct stat *old, struct problem *problem)
{
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
        const unsigned number = atomic_fetch_add(&counter, 1) % 1000000;
        snprintf(
            out->temporary, sizeof out->temporary, PREFIX "%ld-%u" SUFFIX, (long)getpid(), number);
        out->pending = slot_arm(out->folder, out->temporary);
        const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
        do {
            out->fd = openat(out->folder, out->temporary, flags, 0666);
        } while (out->fd < 0 && errno == EINTR);
        if (out->fd < 0) {
            const int error = errno;
            slot_disarm(out->pending);
            out->pending = -1;
            out->temporary[0] = 0;
            if (error == EEXIST) {
                continue;
            }
            return problem_set(
                problem, PROBLEM_OUTPUT,
                "cannot write '%s': no new file can be made in its folder: %s", out->path,
                strerror(error));
        }
        struct stat st;
        flock(out->fd, LOCK_EX | LOCK_NB); // where a filesystem has no locks the pid must do
        if (fstat(out->fd, &st) == 0 && st.st_nlink == 0) {
            close(out->fd); // swept between creation and lock
            out->fd = -1;
            slot_disarm(out->pending);
            out->pending = -1;
            out->temporary[0] = 0;
            continue;
        }
        if (old) {
            // Best effort: the new file looks like the one it replaces.
            if ((old->st_uid != st.st_uid || old->st_gid != st.st_gid) &&
                fchown(out->fd, old->st_uid, old->st_gid) != 0) {
                errno = 0;
            }
            fchmod(out->fd, old->st_mode & 0777);
        }
        return true;
    }
    return refuse(problem, out->path, "no free temporary name in its folder");
}

// Opens what is not replaced but written into: `path` exists and is no regular file.
static bool open_straight(struct output *out, const char *path, struct problem *problem)
{
    const int number = descriptor_of(path);
    if (number >= 0) {
        // The same description: its offset and append mode stay as the shell set them.
        out->fd = fcntl(number, F_DUPFD_CLOEXEC, 0);
    } else {
        out->fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    }
    if (out->fd < 0 && errno == EINTR) {
        return problem_set(
            problem, PROBLEM_CANCELLED, "interrupted while waiting for a reader of '%s'",
            out->path);
    }
    return out->fd >= 0 || refuse(problem, out->path, strerror(errno));
}

static bool
open_beside(struct output *out, const char *target, const struct stat *old, struct problem *problem)
{
    const char *slash = strrchr(target, '/');
    const char *name = slash ? slash + 1 : target;
    const size_t head = slash == target ? 1 : slash ? (size_t)(slash - target) : 0;
    char *folder = head ? text_copy(target, head) : text_copy(".", 1);
    out->name = text_copy(name, strlen(name));
    bool ok = false;
    if (!folder || !out->name) {
        problem_set(problem, PROBLEM_DEVICE, "out of memory while opening '%s'", out->path);
    } else if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        refuse(problem, out->path, "it names a directory; give a file name");
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
        sweep(out->folder);
        ok = create_temporary(out, old, problem);
    }
    free(folder);
    return ok;
}

bool output_open(const char *path, struct output *out, struct problem *problem)
{
    *out = (struct output){ .fd = -1, .folder = -1, .pending = -1 };
    char *target = NULL;
    if (!*path) {
        return problem_set(
            problem, PROBLEM_USAGE, "the output path is empty; give a file name, or - for stdout");
    }
    out->path = text_copy(path, strlen(path));
    out->buffer = malloc(BUFFER_SIZE);
    if (!out->path || !out->buffer) {
        problem_set(problem, PROBLEM_DEVICE, "out of memory while opening '%s'", path);
        goto fail;
    }
    struct stat st;
    if (strcmp(path, "-") == 0 || descriptor_of(path) >= 0) {
        if (!open_straight(out, strcmp(path, "-") == 0 ? "/dev/stdout" : path, problem)) {
            goto fail;
        }
        return true;
    }
    target = resolve(path);
    if (!target) {
        refuse(problem, path, strerror(errno));
        goto fail;
    }
    const bool exists = stat(target, &st) == 0;
    bool ok;
    if (exists && S_ISDIR(st.st_mode)) {
        ok = refuse(problem, path, "it is a directory; give a file name");
    } else if (exists && (!S_ISREG(st.st_mode) || is_magic_link(target))) {
        ok = open_straight(out, target, problem);
    } else if (!exists && errno != ENOENT) {
        ok = refuse(problem, path, strerror(errno));
    } else {
        ok = open_beside(out, target, exists ? &st : NULL, problem);
    }
    if (!ok) {
        goto fail;
    }
    free(target);
    return true;
fail:
    free(target);
    output_abort(out);
    return false;
}

static bool
write_all(struct output *out, const unsigned char *bytes, size_t size, struct problem *problem)
{
    while (size > 0) {
        const ssize_t done = write(out->fd, bytes, size);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return refuse(problem, out->path, done < 0 ? strerror(errno) : "nothing was taken");
        }
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

// Sends what is written on to the disk piece by piece, and waits for the piece before: the flush at
// the end, which no signal ends, finds little left to do. Where the system cannot, it does it all.
static void send_on(struct output *out, uint64_t written)
{
    const off_t piece = PIECE;
    while (out->name && written - out->on_disk >= PIECE) {
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

static bool flush(struct output *out, struct problem *problem)
{
    const size_t filled = out->filled;
    out->filled = 0;
    if (!write_all(out, out->buffer, filled, problem)) {
        return false;
    }
    send_on(out, out->written);
    return true;
}

bool output_write(struct output *out, const void *bytes, size_t size, struct problem *problem)
{
    assert(out->fd >= 0);
    if (size > BUFFER_SIZE - out->filled && !flush(out, problem)) {
        return false;
    }
    out->written += size;
    if (size >= BUFFER_SIZE) {
        return write_all(out, bytes, size, problem);
    }
    if (size > 0) {
        memcpy(out->buffer + out->filled, bytes, size);
        out->filled += size;
    }
    return true;
}

bool output_commit(struct output *out, struct problem *problem)
{
    assert(out->fd >= 0);
    if (!flush(out, problem)) {
        goto fail;
    }
    if (out->name && fsync(out->fd) != 0) {
        refuse(problem, out->path, strerror(errno));
        goto fail;
    }
    const int fd = out->fd;
    out->fd = -1;
    if (close(fd) != 0 && errno != EINTR) {
        refuse(problem, out->path, strerror(errno));
        goto fail;
    }
    if (out->name) {
        if (renameat(out->folder, out->temporary, out->folder, out->name) != 0) {
            refuse(problem, out->path, strerror(errno));
            goto fail;
        }
        slot_disarm(out->pending);
        out->pending = -1;
        out->temporary[0] = 0;
        fsync(out->folder); // the file is in place; that its name outlives a power cut is a bonus
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
        return; // closed; so that a zeroed one is too
    }
    if (out->temporary[0]) {
        unlinkat(out->folder, out->temporary, 0);
    }
    slot_disarm(out->pending);
    if (out->fd >= 0) {
        close(out->fd);
    }
    if (out->folder >= 0) {
        close(out->folder);
    }
    free(out->path);
    free(out->name);
    free(out->buffer);
    *out = (struct output){ .fd = -1, .folder = -1, .pending = -1 };
}
