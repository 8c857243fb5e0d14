#include "volumes/formats/sidecar.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#define NAME_MOST  4096
#define MOST_LINKS 40 // the kernel's limit

// Does without openat2, for kernels before 5.6 and sandboxes that forbid it: opens one component of
// the path after the other and follows no symbolic link.
static int sidecar_open_by_steps(int folder, const char *name)
{
    char step[NAME_MOST];
    int at = dup(folder);
    while (at >= 0) {
        name += strspn(name, "/");
        const size_t length = strcspn(name, "/");
        const bool last = !name[length];
        memcpy(step, name, length);
        step[length] = 0;
        const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
        const int next = openat(at, step, last ? flags : flags | O_DIRECTORY);
        const int error = errno;
        close(at);
        errno = error;
        if (last || next < 0) {
            return next;
        }
        at = next;
        name += length;
    }
    return -1;
}

static int sidecar_open_beneath(int folder, const char *name)
{
    struct open_how how = {
        .flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
    };
    const long fd = syscall(SYS_openat2, folder, name, &how, sizeof how);
    if (fd < 0 && (errno == ENOSYS || errno == EPERM || errno == E2BIG || errno == EINVAL)) {
        return sidecar_open_by_steps(folder, name);
    }
    return (int)fd;
}

bool sidecar_is_elsewhere(const char *name)
{
    bool out = name[0] == '/';
    for (const char *at = name; *at && !out; at += strcspn(at, "/"), at += strspn(at, "/")) {
        out = strcspn(at, "/") == 2 && at[0] == '.' && at[1] == '.';
    }
    return out;
}

// Why a name must not be opened; NULL where it may be.
static const char *sidecar_is_forbidden(const char *name, bool anywhere)
{
    if (!*name) {
        return "is empty";
    }
    if (strlen(name) >= NAME_MOST) {
        return "is too long";
    }
    if (sidecar_is_elsewhere(name) && !anywhere) {
        return "leads out of the header's folder; open the header itself by its name to allow that";
    }
    if (name[strlen(name) - 1] == '/') {
        return "is a folder";
    }
    return NULL;
}

// If this resolved path is an object of a store: the length of the store's root, with its last '/'.
// Otherwise 0.
static size_t sidecar_store_root(const char *path)
{
    static const char annex[] = "/annex/objects/", digits[] = "0123456789abcdef";
    const char *last = strrchr(path, '/'), *at = NULL;
    const char *before = last ? memrchr(path, '/', (size_t)(last - path)) : NULL;
    if (!before) {
        return 0;
    }
    const size_t folder = (size_t)(last - before) - 1; // the length of the last folder's name
    for (const char *next = path; (next = strstr(next, annex)); next++) {
        at = next + sizeof annex - 1;
    }
    if (at && at <= before && strlen(last + 1) == folder &&
        memcmp(before + 1, last + 1, folder) == 0) {
        return (size_t)(at - path);
    }
    const bool dvc = folder == 2 && strspn(before + 1, digits) == 2 && strlen(last + 1) == 30 &&
                     strspn(last + 1, digits) == 30;
    return dvc ? (size_t)(before + 1 - path) : 0;
}

// Opens the file at `path`, beside the header at `place`, if both are objects of one store.
// Otherwise returns -1.
static int sidecar_open_stored(const char *place, const char *path)
{
    char *header = realpath(place, NULL), *data = realpath(path, NULL);
    const size_t root = header && data ? sidecar_store_root(header) : 0;
    int fd = -1;
    if (root > 0 && sidecar_store_root(data) == root && strncmp(header, data, root) == 0) {
        header[root] = 0;
        const int store = open(header, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        fd = store >= 0 ? sidecar_open_beneath(store, data + root) : -1;
        if (store >= 0) {
            close(store);
        }
    }
    free(header);
    free(data);
    return fd;
}

static bool sidecar_leads_out(int error)
{
    return error == EXDEV || error == ELOOP || error == ENOTDIR;
}

// The path of `name` beside `place`; NULL: out of memory.
static char *sidecar_join(const char *place, const char *name)
{
    const char *slash = name[0] == '/' ? NULL : strrchr(place, '/');
    char *path;
    const int length = slash ? (int)(slash - place) + 1 : 0;
    return asprintf(&path, "%.*s%s", length, place, name) < 0 ? NULL : path;
}

// Opens `name` in the folder `folder` of the header at `place`; `path` is the joined path. -1 with
// errno.
static int
sidecar_open_beside(const char *place, const char *folder, const char *name, const char *path)
{
    if (sidecar_is_elsewhere(name)) {
        return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    }
    const int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int fd = at >= 0 ? sidecar_open_beneath(at, name) : -1;
    const int error = errno;
    if (at >= 0) {
        close(at);
    }
    errno = 0;
    if (fd < 0 && sidecar_leads_out(error)) {
        fd = sidecar_open_stored(place, path);
    }
    errno = errno == ENOMEM ? ENOMEM : error;
    return fd;
}

// Whether `place` is a link. Then sets *place to the path that the link names, or to NULL if memory
// is out. Links in /proc are open files and are not followed.
static bool sidecar_follow(char **place, const char *folder)
{
    char target[PATH_MAX];
    struct statfs system;
    const ssize_t size = readlink(*place, target, sizeof target - 1);
    if (size <= 0 || statfs(folder, &system) != 0 || system.f_type == PROC_SUPER_MAGIC) {
        return false;
    }
    target[size] = 0;
    char *next = target[0] == '/' ? strdup(target) : sidecar_join(*place, target);
    free(*place);
    *place = next;
    return true;
}

// Looks beside the header, and then beside each file along its links. Returns the file and its
// allocated path, or -1 with ENOMEM or the error beside the header.
static int sidecar_search(const char *header, const char *name, char **path)
{
    char *place = strdup(header), *folder = NULL;
    struct stat linked = { 0 }; // the target of the name where it is a link that leads out
    struct stat found;
    int fd = -1, error = ENOMEM, first = 0;
    bool goes_on = true;
    *path = NULL;
    for (int links = 0; goes_on && links < MOST_LINKS; links++) {
        free(folder);
        free(*path);
        folder = place ? sidecar_join(place, ".") : NULL;
        *path = place ? sidecar_join(place, name) : NULL;
        if (!folder || !*path) {
            first = ENOMEM;
            break;
        }
        fd = sidecar_open_beside(place, folder, name, *path);
        error = fd < 0 ? errno : 0;
        first = first && error != ENOMEM ? first : error;
        const bool leads = sidecar_leads_out(error);
        const bool there = fd >= 0 ? fstat(fd, &found) == 0 : leads && stat(*path, &found) == 0;
        const bool same = linked.st_ino == 0 ||
                          (there && found.st_dev == linked.st_dev && found.st_ino == linked.st_ino);
        goes_on = error == ENOENT || (leads && there && same);
        if (fd >= 0 && !same) {
            close(fd);
            fd = -1;
        } else if (leads && there) {
            linked = found;
        }
        goes_on = goes_on && sidecar_follow(&place, folder);
    }
    free(folder);
    free(place);
    errno = first;
    return fd;
}

bool sidecar_open(
    const char *header, const char *name, bool anywhere, struct source *out,
    struct problem *problem)
{
    *out = (struct source){ .fd = -1 };
    const char *why = sidecar_is_forbidden(name, anywhere);
    if (why) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s': the name of its data file, '%s', %s", header, name, why);
    }
    char *path;
    const int fd = sidecar_search(header, name, &path);
    const int error = errno;
    if (fd < 0) {
        free(path);
        return error == ENOMEM
                   ? problem_no_memory(problem, "opening", name)
                   : problem_set(
                         problem, PROBLEM_INPUT,
                         "'%s' names the data file '%s': cannot open it: %s", header, name,
                         error == EXDEV || error == ELOOP
                             ? "a symbolic link leads out of the header's folder"
                         : error == ENXIO ? "it is not a regular file"
                                          : strerror(error));
    }
    if (!source_adopt(fd, path, out, problem)) {
        free(path);
        return false;
    }
    out->owned_path = path;
    return true;
}

bool sidecar_open_folder(const char *store, const char *path, int *fd, struct problem *problem)
{
    char name[NAME_MOST];
    const bool fits = snprintf(name, sizeof name, "%s.", path) < NAME_MOST;
    const int at = open(store, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *fd = at >= 0 && fits ? sidecar_open_beneath(at, name) : -1;
    const int error = fits ? errno : ENAMETOOLONG;
    if (at >= 0) {
        close(at);
    }
    return *fd >= 0 || problem_set(
                           problem, PROBLEM_INPUT, "cannot open the folder '%s/%s': %s", store,
                           path, strerror(error));
}

bool sidecar_open_in(
    int fd, const char *store, const char *path, const char *name, struct source *out, bool *there,
    struct problem *problem)
{
    const int file = sidecar_open_beneath(fd, name);
    *out = (struct source){ .fd = -1 };
    *there = file >= 0 || errno != ENOENT;
    if (file >= 0) {
        return source_adopt_inside(file, store, out, problem);
    }
    if (!*there) {
        return true;
    }
    char whole[NAME_MOST], place[NAME_MOST];
    return snprintf(whole, sizeof whole, "%s%s", path, name) < NAME_MOST &&
                   snprintf(place, sizeof place, "%s/.", store) < NAME_MOST
               ? sidecar_open(place, whole, false, out, problem)
               : problem_set(problem, PROBLEM_INPUT, "'%s': a path in it is too long", store);
}

bool sidecar_list_add(
    struct sidecar_list *list, const char *name, size_t length, struct problem *problem)
{
    char **names = list->names;
    if ((list->count & (list->count - 1)) == 0) { // the list grows at every power of two
        names = realloc(names, (list->count ? 2 * list->count : 1) * sizeof *names);
        list->names = names ? names : list->names;
    }
    char *copy = names ? strndup(name, length) : NULL;
    if (!copy) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the names of files");
    }
    list->names[list->count++] = copy;
    return true;
}

bool sidecar_list_read(struct sidecar_list *list, struct text *text, struct problem *problem)
{
    for (bool more = true; more;) {
        if (!text_next(text, &more, problem)) {
            return false;
        }
        const char *name = text_trim(text->line);
        if (*name && list->count >= SIDECAR_FILES_MOST) {
            return text_refuse(text, problem, "more than %d data files", SIDECAR_FILES_MOST);
        }
        if (*name && !sidecar_list_add(list, name, strlen(name), problem)) {
            return false;
        }
    }
    return true;
}

// Finds the only integer conversion in `format` and its length (with %) in *length. NULL where
// there is another kind of conversion, none, or more than one.
static const char *sidecar_conversion(const char *format, size_t *length)
{
    const char *found = NULL;
    for (const char *at = strchr(format, '%'); at; at = strchr(at, '%')) {
        if (at[1] == '%') {
            at += 2;
            continue;
        }
        size_t size = 1;
        size += strspn(at + size, "0");
        size += at[size] >= '1' && at[size] <= '9';
        if (found || !at[size] || !strchr("diu", at[size])) {
            return NULL;
        }
        found = at;
        *length = size + 1;
        at += size + 1;
    }
    return found;
}

// Copies text without conversions; %% becomes %.
static size_t sidecar_copy_plain(char *out, size_t size, const char *from, const char *end)
{
    size_t n = 0;
    for (; from < end && n + 1 < size; from++) {
        out[n++] = *from;
        from += from[0] == '%'; // %%
    }
    out[n] = 0;
    return n;
}

bool sidecar_list_pattern(
    struct sidecar_list *list, const char *header, const char *format, int64_t first, int64_t last,
    int64_t step, struct problem *problem)
{
    size_t length = 0;
    const char *at = sidecar_conversion(format, &length);
    if (!at || strlen(format) >= NAME_MOST) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': the pattern '%s' is not understood; expected one %%d in it, as slice%%03d.raw",
            header, format);
    }
    if (step == 0 || first < 0 || last < 0 || first > INT32_MAX || last > INT32_MAX ||
        step < -INT32_MAX || step > INT32_MAX || (last - first) / step < 0 ||
        (last != first && (last > first) != (step > 0))) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': numbers from %" PRId64 " to %" PRId64 " in steps of %" PRId64
            " name no files for '%s'",
            header, first, last, step, format);
    }
    const uint64_t count = (uint64_t)((last - first) / step) + 1;
    if (count > SIDECAR_FILES_MOST) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': the pattern '%s' names %" PRIu64
            " files, more than the %d slices that they hold",
            header, format, count, SIDECAR_FILES_MOST);
    }
    // The flag and the width of "%03d" are parsed into numbers. So a file's text is never used as a
    // format here.
    const bool zeros = at[1] == '0';
    const char digit = at[length - 2];
    const int width = digit >= '1' && digit <= '9' ? digit - '0' : 0;
    for (uint64_t i = 0; i < count; i++) {
        char name[NAME_MOST + 64];
        const int number = (int)(first + (int64_t)i * step);
        size_t n = sidecar_copy_plain(name, NAME_MOST, format, at);
        n += (size_t)snprintf(name + n, 16, zeros ? "%0*d" : "%*d", width, number);
        n += sidecar_copy_plain(name + n, NAME_MOST, at + length, format + strlen(format));
        if (!sidecar_list_add(list, name, n, problem)) {
            return false;
        }
    }
    return true;
}

void sidecar_list_keep(struct sidecar_list *list, size_t first, size_t count)
{
    for (size_t i = 0; i < list->count; i++) {
        if (i < first || i - first >= count) {
            free(list->names[i]);
        } else {
            list->names[i - first] = list->names[i];
        }
    }
    list->count = count;
}

void sidecar_list_destroy(struct sidecar_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->names[i]);
    }
    free(list->names);
    *list = (struct sidecar_list){ 0 };
}
