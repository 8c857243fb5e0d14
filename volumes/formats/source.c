#include "volumes/formats/source.h"

#include "volumes/base/apart.h"
#include "volumes/base/input.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WINDOW_SIZE ((size_t)1 << 17)

static const char *source_kind_of(mode_t mode)
{
    return S_ISDIR(mode)    ? "a directory"
           : S_ISFIFO(mode) ? "a pipe"
           : S_ISSOCK(mode) ? "a socket"
                            : "a device";
}

static struct source_stamp source_stamp_of(const struct stat *st)
{
    return (struct source_stamp){
        .device = st->st_dev,
        .inode = st->st_ino,
        .size = (uint64_t)st->st_size,
        .seconds = st->st_mtim.tv_sec,
        .nanoseconds = st->st_mtim.tv_nsec,
    };
}

struct source_stamp source_stamp_at(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? source_stamp_of(&st) : (struct source_stamp){ 0 };
}

static bool source_same_stamp(
    const char *path, struct source_stamp now, const struct source_stamp *stamp,
    struct problem *problem)
{
    return memcmp(&now, stamp, sizeof now) == 0 ||
           problem_set(
               problem, PROBLEM_INPUT,
               "'%s' changed while it was read: open it again once nothing writes to it", path);
}

bool source_unchanged(
    const struct source *source, const struct source_stamp *stamp, struct problem *problem)
{
    struct stat st;
    const bool there = fstat(source->fd, &st) == 0;
    const struct source_stamp now = there ? source_stamp_of(&st) : (struct source_stamp){ 0 };
    return source_same_stamp(source->path, now, stamp, problem);
}

bool source_unchanged_at(
    const char *path, const struct source_stamp *stamp, struct problem *problem)
{
    return source_same_stamp(path, source_stamp_at(path), stamp, problem);
}

void source_files_free(struct source_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->paths[i]);
    }
    free(files->paths);
    free(files->stamps);
    *files = (struct source_files){ 0 };
}

bool source_files_unchanged(const struct source_files *files, struct problem *problem)
{
    bool fine = true;
    for (size_t i = 0; fine && i < files->count; i++) {
        fine = source_unchanged_at(files->paths[i], &files->stamps[i], problem);
    }
    return fine;
}

bool source_files_add(
    struct source_files *files, const char *path, const struct source_stamp *stamp)
{
    for (size_t i = 0; i < files->count; i++) {
        if (files->stamps[i].inode == stamp->inode && strcmp(files->paths[i], path) == 0) {
            return true;
        }
    }
    if (files->count == files->capacity) {
        const size_t capacity = files->capacity ? 2 * files->capacity : 8;
        char **paths = realloc(files->paths, capacity * sizeof *paths);
        files->paths = paths ? paths : files->paths;
        struct source_stamp *stamps = realloc(files->stamps, capacity * sizeof *stamps);
        files->stamps = stamps ? stamps : files->stamps;
        if (!paths || !stamps) {
            return false;
        }
        files->capacity = capacity;
    }
    char *copy = strdup(path);
    if (copy) {
        files->paths[files->count] = copy;
        files->stamps[files->count++] = *stamp;
    }
    return copy;
}

bool source_open(const char *path, struct source *out, struct problem *problem)
{
    *out = (struct source){ .fd = -1, .path = path };
    // With O_NONBLOCK a pipe without a writer does not hang the open. Regular files ignore it.
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        return problem_set(
            problem, PROBLEM_INPUT, "cannot open '%s': %s", path,
            errno == ENXIO ? "it is not a regular file" : strerror(errno));
    }
    return source_adopt(fd, path, out, problem);
}

// Fills `out` with a regular file. *links: how many names it has.
static bool
source_begin(int fd, const char *path, struct source *out, nlink_t *links, struct problem *problem)
{
    *out = (struct source){ .fd = -1, .path = path };
    struct stat st;
    if (fstat(fd, &st) != 0) {
        const int error = errno;
        close(fd);
        return problem_set(problem, PROBLEM_INPUT, "cannot open '%s': %s", path, strerror(error));
    }
    if (!S_ISREG(st.st_mode)) {
        close(fd);
        return problem_set(
            problem, PROBLEM_INPUT, "cannot read '%s': it is %s; expected a regular file", path,
            source_kind_of(st.st_mode));
    }
    out->fd = fd;
    out->size = (uint64_t)st.st_size;
    out->stamp = source_stamp_of(&st);
    *links = st.st_nlink;
    return true;
}

bool source_adopt_inside(int fd, const char *path, struct source *out, struct problem *problem)
{
    nlink_t links = 1;
    if (!source_begin(fd, path, out, &links, problem)) {
        return false;
    }
    if (links > 1 && !apart_input(fd, path, problem)) { // it may have a name in another folder
        source_close(out);
        return false;
    }
    return true;
}

bool source_adopt(int fd, const char *path, struct source *out, struct problem *problem)
{
    nlink_t links = 1;
    if (!source_begin(fd, path, out, &links, problem)) {
        return false;
    }
    if (!apart_input(fd, path, problem)) {
        source_close(out);
        return false;
    }
    if (input_files()) {
        source_files_add(input_files(), path, &out->stamp);
    }
    return true;
}

size_t source_read_at(int fd, uint64_t at, void *bytes, size_t size, int *error)
{
    size_t done = 0;
    ssize_t n = 1;
    while (done < size && n != 0) {
        n = pread(fd, (char *)bytes + done, size - done, (off_t)(at + done));
        if (n < 0 && errno != EINTR) {
            break;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    if (error) {
        *error = done < size && n < 0 ? errno : 0;
    }
    return done;
}

size_t source_peek_at(struct source *source, uint64_t at, void *bytes, size_t size)
{
    int error;
    if (source->head) {
        const size_t left = at < source->head_size ? source->head_size - (size_t)at : 0;
        memcpy(bytes, source->head + source->head_size - left, size < left ? size : left);
        return size < left ? size : left;
    }
    const size_t done = source_read_at(source->fd, at, bytes, size, &error);
    if (error || (done < size && at + done < source->size)) {
        source->peek_error = error ? error : ENODATA; // the file shrank
        source->peek_error_at = at + done;
    }
    return done;
}

bool source_sound(const struct source *source, struct problem *problem)
{
    if (source->peek_error == ENOMEM) {
        return problem_no_memory(problem, "reading", source->path);
    }
    return source->peek_error == 0 ||
           problem_set(
               problem, PROBLEM_INPUT, "cannot read '%s' at byte %" PRIu64 ": %s", source->path,
               source->peek_error_at,
               source->peek_error == ENODATA ? "the file shrank while it was read"
                                             : strerror(source->peek_error));
}

size_t source_peek(struct source *source, void *bytes, size_t size)
{
    return source_peek_at(source, 0, bytes, size);
}

void source_confine(struct source *source, uint64_t at, uint64_t end)
{
    assert(!source->packed && source->taken == 0 && at <= end && end <= source->size);
    source->begin = at;
    source->taken = at;
    source->size = end;
}

bool source_is_gzip(struct source *source)
{
    unsigned char magic[3];
    return source_peek(source, magic, 3) == 3 && memcmp(magic, "\x1f\x8b\x08", 3) == 0;
}

bool source_gzip_size(struct source *source, uint32_t *size)
{
    unsigned char end[4];
    if (source->size < 18 || source_peek_at(source, source->size - 4, end, 4) != 4) {
        return false;
    }
    *size =
        (uint32_t)end[0] | (uint32_t)end[1] << 8 | (uint32_t)end[2] << 16 | (uint32_t)end[3] << 24;
    return true;
}

bool source_inflate(struct source *source, struct problem *problem)
{
    assert(!source->packed && source->taken == source->begin);
    source->window = malloc(WINDOW_SIZE);
    if (!source->window || inflateInit2(&source->stream, source->bare ? -15 : 15 + 32) != Z_OK) {
        free(source->window);
        source->window = NULL;
        return problem_no_memory(problem, "reading", source->path);
    }
    source->packed = true;
    source->between = true;
    return true;
}

bool source_unpack(struct source *source, struct problem *problem)
{
    struct source again = *source; // shares the descriptor
    const size_t most = ((size_t)1 << 20) + (1 << 14);
    unsigned char *head = malloc(most);
    size_t got;
    if (!head) {
        return problem_no_memory(problem, "reading", source->path);
    }
    bool fine = source_inflate(&again, problem);
    if (fine) {
        fine = source_read(&again, head, most, &got, problem);
        inflateEnd(&again.stream);
        free(again.window);
    }
    if (!fine) {
        free(head);
        return false;
    }
    source->head = head;
    source->head_size = got;
    return true;
}

void source_seek(struct source *source, uint64_t at)
{
    assert(at <= source->size - source->begin && (at == 0 || !source->packed));
    source->taken = source->begin + at;
    if (source->packed) {
        inflateReset(&source->stream);
        source->stream.avail_in = 0;
        source->ended = false;
        source->between = true;
    }
}

// Adds the bytes from byte `at` of all on to the sum, which is checked with the last.
static bool source_add_to_sum(
    struct source *source, uint64_t at, const void *bytes, size_t size, struct problem *problem)
{
    struct source_sum *sum = &source->sum;
    if (sum->size == 0 || (at != 0 && at != sum->count)) {
        return true;
    }
    sum->now = (uint32_t)crc32_z(at == 0 ? sum->before : sum->now, bytes, size);
    sum->count = at + size;
    if (sum->count < sum->size) {
        return true;
    }
    const bool fine = sum->count == sum->size && sum->now == sum->expected;
    sum->size = fine ? 0 : sum->size;
    return fine || problem_set(
                       problem, PROBLEM_INPUT,
                       "'%s': its samples do not have the bytes of their checksum", source->path);
}

// Reads bytes without inflating, up to the size that the file had when it was opened.
static bool source_read_plain(
    struct source *source, void *bytes, size_t size, size_t *got, struct problem *problem)
{
    const uint64_t left = source->size - source->taken;
    const size_t wanted = size < left ? size : (size_t)left;
    int error;
    const size_t done = source_read_at(source->fd, source->taken, bytes, wanted, &error);
    if (error) {
        return problem_set(
            problem, PROBLEM_INPUT, "cannot read '%s' at byte %" PRIu64 ": %s", source->path,
            source->taken + done, strerror(error));
    }
    if (done < wanted) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "short read of '%s' at byte %" PRIu64 " of %" PRIu64
            ": the file shrank while it was read",
            source->path, source->taken + done, source->size);
    }
    const uint64_t at = source->taken - source->begin;
    source->taken += done;
    *got = done;
    return source->packed || source_add_to_sum(source, at, bytes, done, problem);
}

uint64_t source_taken(const struct source *source)
{
    return source->taken - source->begin - source->stream.avail_in;
}

static bool source_broken(struct source *source, const char *how, struct problem *problem)
{
    return problem_set(
        problem, PROBLEM_INPUT, "'%s' %s: %s (near byte %" PRIu64 " of %" PRIu64 ")", source->path,
        source->begin || !source->members ? "has no valid compressed samples"
                                          : "is not a valid gzip file",
        how, source->begin + source_taken(source), source->size);
}

static bool source_fill_window(struct source *source, struct problem *problem)
{
    size_t got = 0;
    if (!input_go_on(source->path, problem) ||
        !source_read_plain(source, source->window, WINDOW_SIZE, &got, problem)) {
        return false;
    }
    source->stream.next_in = source->window;
    source->stream.avail_in = (uInt)got;
    return true;
}

static bool source_read_packed(
    struct source *source, void *bytes, size_t size, size_t *got, struct problem *problem)
{
    z_stream *stream = &source->stream;
    size_t done = 0;
    while (done < size && !source->ended) {
        if (stream->avail_in == 0) {
            if (!source_fill_window(source, problem)) {
                return false;
            }
            if (stream->avail_in == 0) {
                if (!source->between || stream->total_in == 0) {
                    return source_broken(source, "it ends too early", problem);
                }
                source->ended = true;
                break;
            }
        }
        const size_t most = size - done < UINT_MAX ? size - done : UINT_MAX;
        const bool again = source->between && stream->total_in > 0;
        stream->next_out = (unsigned char *)bytes + done;
        stream->avail_out = (uInt)most;
        if (again) {
            // A member is complete. Another may follow, because gzip files can be concatenated.
            // Anything else is padding, which gzip itself ignores.
            if (stream->next_in[0] != 0x1f) {
                source->ended = true;
                break;
            }
            inflateReset(stream);
        }
        if (stream->total_in == 0) {
            source->members = !source->bare && stream->next_in[0] == 0x1f;
        }
        source->between = false;
        const uint64_t at = stream->total_out;
        const int result = inflate(stream, Z_NO_FLUSH);
        const size_t out = most - stream->avail_out;
        if (!source_add_to_sum(source, at, (char *)bytes + done, out, problem)) {
            return false;
        }
        done += out;
        if (result == Z_STREAM_END) {
            source->between = source->members;
            source->ended = !source->members;
        } else if (result == Z_MEM_ERROR) {
            return problem_no_memory(problem, "reading", source->path);
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            return source_broken(
                source, stream->msg ? stream->msg : "its data are corrupt", problem);
        }
    }
    *got = done;
    return true;
}

bool source_read(
    struct source *source, void *bytes, size_t size, size_t *got, struct problem *problem)
{
    *got = 0;
    if (!source_sound(source, problem) || !input_go_on(source->path, problem)) {
        return false;
    }
    return source->packed ? source_read_packed(source, bytes, size, got, problem)
                          : source_read_plain(source, bytes, size, got, problem);
}

bool source_skip(struct source *source, uint64_t bytes, uint64_t *missing, struct problem *problem)
{
    unsigned char scratch[1 << 14];
    const uint64_t left = source->size - source->taken;
    if (!source->packed) {
        const uint64_t n = bytes < left ? bytes : left;
        *missing = bytes - n;
        source->taken += n;
        return true;
    }
    size_t got = 1;
    while (bytes > 0 && got > 0) {
        const size_t n = bytes < sizeof scratch ? (size_t)bytes : sizeof scratch;
        if (!source_read(source, scratch, n, &got, problem)) {
            return false;
        }
        bytes -= got;
    }
    *missing = bytes;
    return true;
}

struct source source_take(struct source *source)
{
    const struct source taken = *source;
    assert(!source->packed && source->taken == 0);
    *source = (struct source){ .fd = -1 };
    return taken;
}

void source_close(struct source *source)
{
    if (source->packed) {
        inflateEnd(&source->stream);
    }
    free(source->window);
    free(source->head);
    if (source->path && source->fd >= 0) {
        close(source->fd);
    }
    free(source->owned_path);
    *source = (struct source){ .fd = -1 };
}
