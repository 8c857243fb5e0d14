// Three things identify the owner of a temporary file. The name of the file holds the host, because
// process ids and, on many shared file systems, locks are per machine. The name holds the process
// id. The owner holds an flock on the file, which ends with the owner. The lock is needed because
// containers of one machine may share the host's name, while each has its own process ids.
#include "volumes/base/output_names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PREFIX ".cubist-"
#define SUFFIX ".part"

// FNV-1a.
static uint32_t output_hash_on(uint32_t hash, const char *text)
{
    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT32_C(16777619);
    }
    return hash;
}

static uint32_t output_hash(const char *text)
{
    return output_hash_on(UINT32_C(2166136261), text);
}

void output_host_prefix(char out[OUTPUT_HOST_PREFIX])
{
    char host[256] = "", machine[64] = "", safe[OUTPUT_HOST + 1];
    gethostname(host, sizeof host - 1);
    const int fd = open("/etc/machine-id", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        const ssize_t got = read(fd, machine, sizeof machine - 1);
        machine[got > 0 ? got : 0] = 0;
        close(fd);
    }
    size_t length = 0;
    for (; host[length] && length < sizeof safe - 1; length++) {
        const char c = host[length];
        const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '.' || c == '-';
        safe[length] = fits ? c : '_';
    }
    safe[length] = 0;
    const uint32_t sum = output_hash_on(output_hash(host), machine);
    snprintf(out, OUTPUT_HOST_PREFIX, PREFIX "%s-%08" PRIx32 "-", safe, sum);
}

void output_temporary_name(
    const char *prefix, long pid, unsigned number, char out[OUTPUT_TEMPORARY])
{
    snprintf(out, OUTPUT_TEMPORARY, "%s%ld-%u" SUFFIX, prefix, pid, number);
}

// The process id in a temporary name of this host, 0 for any other name.
static long output_owner_of(const char *prefix, const char *name)
{
    if (strncmp(name, prefix, strlen(prefix)) != 0) {
        return 0;
    }
    long pid = 0;
    unsigned number;
    if (sscanf(name + strlen(prefix), "%9ld-%9u", &pid, &number) != 2) {
        return 0;
    }
    char again[OUTPUT_TEMPORARY];
    output_temporary_name(prefix, pid, number, again);
    return strcmp(again, name) == 0 && pid > 0 ? pid : 0;
}

// Removes a folder with the files in it, if its owner is gone. `fd`: the folder, open.
static void output_sweep_folder(int parent, const char *name, int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || st.st_uid != geteuid() || flock(fd, LOCK_EX | LOCK_NB) != 0) {
        return;
    }
    const int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = again >= 0 ? fdopendir(again) : NULL;
    if (!dir) {
        if (again >= 0) {
            close(again);
        }
        return;
    }
    for (struct dirent *entry; (entry = readdir(dir));) {
        unlinkat(fd, entry->d_name, 0); // fails for folders, so . and .. stay
    }
    closedir(dir);
    unlinkat(parent, name, AT_REMOVEDIR);
}

void output_sweep(int folder, const char *prefix)
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
        const long pid = output_owner_of(prefix, entry->d_name);
        if (pid == 0 || (pid != (long)getpid() && (kill((pid_t)pid, 0) == 0 || errno != ESRCH))) {
            continue; // the owner lives. Our own id, unlocked: an earlier process had the id
        }
        const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
        const int stale = openat(folder, entry->d_name, flags);
        struct stat st;
        const bool known = stale >= 0 && fstat(stale, &st) == 0;
        if (known && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
            flock(stale, LOCK_EX | LOCK_NB) == 0) {
            unlinkat(folder, entry->d_name, 0);
        } else if (known && S_ISDIR(st.st_mode)) {
            output_sweep_folder(folder, entry->d_name, stale);
        }
        if (stale >= 0) {
            close(stale);
        }
    }
    closedir(dir);
}

bool output_rename_to_free(int folder, const char *temporary, const char *name)
{
    if (syscall(SYS_renameat2, folder, temporary, folder, name, RENAME_NOREPLACE) == 0) {
        return true;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return false;
    }
    // The file system does not know RENAME_NOREPLACE. Most such file systems have hard links.
    if (linkat(folder, temporary, folder, name, 0) == 0) {
        unlinkat(folder, temporary, 0);
        return true;
    }
    struct stat st;
    if (errno == EEXIST || fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        errno = EEXIST;
        return false;
    }
    return renameat(folder, temporary, folder, name) == 0;
}
