#include "volumes/formats/sidecar.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NAME_MOST 4096

// For kernels before 5.6 and for sandboxes that forbid the call. Opens one component of the path
// after the other and follows no symbolic link.
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

// Why a name must not be opened; NULL where it may be.
static const char *sidecar_is_forbidden(const char *name)
{
    if (!*name) {
        return "is empty";
    }
    if (name[0] == '/') {
        return "is absolute; expected one relative to the header";
    }
    if (strlen(name) >= NAME_MOST) {
        return "is too long";
    }
    for (const char *at = name; *at; at += strcspn(at, "/"), at += strspn(at, "/")) {
        if (strcspn(at, "/") == 2 && at[0] == '.' && at[1] == '.') {
            return "leads out of the header's folder; expected one beside the header or below";
        }
    }
    if (name[strlen(name) - 1] == '/') {
        return "is a folder";
    }
    return NULL;
}

bool sidecar_open(const char *header, const char *name, struct source *out, struct problem *problem)
{
    *out = (struct source){ .fd = -1 };
    const char *why = sidecar_is_forbidden(name);
    if (why) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s': the name of its data file, '%s', %s", header, name, why);
    }
    const char *slash = strrchr(header, '/');
    const int length = slash ? (int)(slash - header) + 1 : 0;
    char *folder = NULL, *path = NULL;
    if (asprintf(&folder, "%.*s.", length, header) < 0 ||
        asprintf(&path, "%.*s%s", length, header, name) < 0) {
        free(folder);
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory opening '%s'", name);
    }
    const int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int fd = at >= 0 ? sidecar_open_beneath(at, name) : -1;
    const int error = errno;
    if (at >= 0) {
        close(at);
    }
    free(folder);
    if (fd < 0) {
        problem_set(
            problem, PROBLEM_INPUT, "'%s' names the data file '%s': cannot open it: %s", header,
            name,
            error == EXDEV || error == ELOOP ? "a symbolic link leads out of the header's folder"
            : error == ENXIO                 ? "it is not a regular file"
                                             : strerror(error));
        free(path);
        return false;
    }
    if (!source_adopt(fd, path, out, problem)) {
        free(path);
        return false;
    }
    return true;
}

void sidecar_close(struct source *source)
{
    char *path = source->fd >= 0 ? (char *)source->path : NULL;
    source_close(source);
    free(path);
}

bool sidecar_list_add(
    struct sidecar_list *list, const char *name, size_t length, struct problem *problem)
{
    // The list grows at every power of two.
    if ((list->count & (list->count - 1)) == 0) {
        const size_t room = list->count ? 2 * list->count : 1;
        char **more = realloc(list->names, room * sizeof *more);
        if (!more) {
            return problem_set(
                problem, PROBLEM_HOST_MEMORY, "out of memory for the names of files");
        }
        list->names = more;
    }
    char *copy = strndup(name, length);
    if (!copy) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for the names of files");
    }
    list->names[list->count++] = copy;
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
    int64_t step, uint64_t most, struct problem *problem)
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
    if (count > most) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': the pattern '%s' names %" PRIu64 " files, more than the %" PRIu64
            " slices that they hold",
            header, format, count, most);
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

void sidecar_list_destroy(struct sidecar_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->names[i]);
    }
    free(list->names);
    *list = (struct sidecar_list){ 0 };
}
