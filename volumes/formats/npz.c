// NumPy archives (.npz). An archive is a zip file. Its members are arrays, which are stored or
// deflated. The zip file has a checksum of each member. It is checked when the whole member has
// been read in order. It is not checked when only some slices are read.
#include "volumes/base/log.h"
#include "volumes/formats/npy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define END_SIZE       22 // of the record at the end, without its comment
#define MEMBERS_MOST   10000
#define DIRECTORY_MOST ((uint64_t)16 << 20) // bytes

struct npz_member {
    char *name;     // with its ".npy"
    uint32_t flags; // bit 0: encrypted
    uint32_t method, sum;
    uint64_t size, packed; // bytes; of them in the file
    uint64_t at;           // offset of the member's own head
    bool fits;             // `array` is set
    struct npy_array array;
};

struct npz {
    struct source *source;
    struct problem *problem;
    unsigned char *directory;
    uint64_t size, count;
    struct npz_member *members;
    size_t found;
};

static uint64_t npz_bits(const unsigned char *bytes, size_t size)
{
    return sample_bits(bytes, size, false);
}

static bool npz_refuse(const struct npz *npz, const char *why)
{
    return problem_set(npz->problem, PROBLEM_INPUT, "'%s' %s", npz->source->path, why);
}

// Reads the directory of the archive. The record at the end of the file says where it is. If its
// numbers do not fit into 32 bits, another record before it has them.
static bool npz_read_directory(struct npz *npz)
{
    unsigned char tail[END_SIZE + 65536], wide[56];
    struct source *source = npz->source;
    const size_t most = source->size < sizeof tail ? (size_t)source->size : sizeof tail;
    const uint64_t begin = source->size - most;
    const size_t got = source_peek_at(source, begin, tail, most);
    size_t at = got;
    do {
        if (at-- < END_SIZE || got < END_SIZE) {
            return npz_refuse(npz, "is a zip archive without its end: it is cut short");
        }
    } while (got - at < END_SIZE || memcmp(tail + at, "PK\5\6", 4) != 0 ||
             npz_bits(tail + at + 20, 2) != got - at - END_SIZE); // its comment ends the file
    npz->count = npz_bits(tail + at + 10, 2);
    npz->size = npz_bits(tail + at + 12, 4);
    uint64_t from = npz_bits(tail + at + 16, 4);
    if (at >= 20 && memcmp(tail + at - 20, "PK\6\7", 4) == 0 &&
        source_peek_at(source, npz_bits(tail + at - 12, 8), wide, 56) == 56 &&
        memcmp(wide, "PK\6\6", 4) == 0) {
        npz->count = npz_bits(wide + 32, 8);
        npz->size = npz_bits(wide + 40, 8);
        from = npz_bits(wide + 48, 8);
    }
    if (npz->size > DIRECTORY_MOST || npz->count > MEMBERS_MOST || from > source->size ||
        npz->size > source->size - from) {
        return npz_refuse(npz, "is a zip archive with a directory that is not valid");
    }
    npz->directory = malloc((size_t)npz->size + 1);
    npz->members = calloc((size_t)npz->count + 1, sizeof *npz->members);
    if (!npz->directory || !npz->members) {
        return problem_no_memory(npz->problem, "reading", source->path);
    }
    return source_peek_at(source, from, npz->directory, (size_t)npz->size) == npz->size ||
           npz_refuse(npz, "is a zip archive with a directory that is cut short");
}

// A number whose bits are all 1 stands in the extra field, with 64 bits. Reads these numbers.
static void npz_read_wide(struct npz_member *member, const unsigned char *extra, size_t size)
{
    while (size >= 4 && npz_bits(extra + 2, 2) <= size - 4) {
        const size_t length = (size_t)npz_bits(extra + 2, 2);
        if (npz_bits(extra, 2) == 1) {
            size_t at = 4;
            uint64_t *const wide[] = { &member->size, &member->packed, &member->at };
            for (int i = 0; i < 3; i++) {
                if (*wide[i] == UINT32_MAX && at + 8 <= length + 4) {
                    *wide[i] = npz_bits(extra + at, 8);
                    at += 8;
                }
            }
        }
        extra += 4 + length;
        size -= 4 + length;
    }
}

// Reads the members' names and places. Those that are no arrays are passed over.
static bool npz_read_members(struct npz *npz)
{
    const unsigned char *at = npz->directory;
    uint64_t left = npz->size;
    for (uint64_t i = 0; i < npz->count; i++) {
        const size_t name = left < 46 ? 0 : (size_t)npz_bits(at + 28, 2);
        const size_t extra = left < 46 ? 0 : (size_t)npz_bits(at + 30, 2);
        const size_t all = left < 46 ? 46 : 46 + name + extra + (size_t)npz_bits(at + 32, 2);
        if (all > left || memcmp(at, "PK\1\2", 4) != 0) {
            return npz_refuse(npz, "is a zip archive with a directory that is not valid");
        }
        if (name > 4 && memcmp(at + 46 + name - 4, ".npy", 4) == 0 && !memchr(at + 46, 0, name)) {
            struct npz_member *member = &npz->members[npz->found];
            *member = (struct npz_member){ .name = strndup((const char *)at + 46, name),
                                           .flags = (uint32_t)npz_bits(at + 8, 2),
                                           .method = (uint32_t)npz_bits(at + 10, 2),
                                           .sum = (uint32_t)npz_bits(at + 16, 4),
                                           .packed = npz_bits(at + 20, 4),
                                           .size = npz_bits(at + 24, 4),
                                           .at = npz_bits(at + 42, 4) };
            if (!member->name) {
                return problem_no_memory(npz->problem, "reading", npz->source->path);
            }
            npz_read_wide(member, at + 46 + name, extra);
            npz->found++;
        }
        at += all;
        left -= all;
    }
    return npz->found > 0 || npz_refuse(npz, "is a zip archive without NumPy arrays");
}

// Inflates the first bytes of a member.
static size_t npz_inflate(const unsigned char *bytes, size_t size, unsigned char *out, size_t most)
{
    z_stream stream = { .next_in = (unsigned char *)bytes, .avail_in = (uInt)size };
    if (inflateInit2(&stream, -15) != Z_OK) {
        return 0;
    }
    stream.next_out = out;
    stream.avail_out = (uInt)most;
    inflate(&stream, Z_SYNC_FLUSH);
    inflateEnd(&stream);
    return most - stream.avail_out;
}

// Finds where the samples of a member are, and describes its array.
static bool npz_describe(struct npz *npz, struct npz_member *member, struct problem *problem)
{
    unsigned char head[4096], inflated[NPY_HEAD];
    const uint64_t size = npz->source->size;
    const char *path = npz->source->path;
    const bool there = member->at < size &&
                       source_peek_at(npz->source, member->at, head, 30) == 30 &&
                       memcmp(head, "PK\3\4", 4) == 0;
    const uint64_t begin =
        there ? member->at + 30 + npz_bits(head + 26, 2) + npz_bits(head + 28, 2) : size;
    if (begin >= size || member->packed > size - begin) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s' is cut short: '%s' is not in it", path, member->name);
    }
    if (member->flags & 1 || (member->method != 0 && member->method != 8)) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': '%s' is encrypted, or compressed by another method than deflate", path,
            member->name);
    }
    const size_t most = member->packed < sizeof head ? (size_t)member->packed : sizeof head;
    size_t got = source_peek_at(npz->source, begin, head, most);
    if (member->method == 8) {
        got = npz_inflate(head, got, inflated, sizeof inflated);
    }
    struct payload *payload = &member->array.payload;
    if (!npy_describe(member->method ? inflated : head, got, path, &member->array, problem)) {
        return false;
    }
    payload->sum = (struct source_sum){ .expected = member->sum, .size = member->size };
    if (member->method) {
        payload->byte_skip = payload->offset;
        payload->offset = begin;
        payload->length = member->packed;
        payload->encoding = PAYLOAD_DEFLATE;
        payload->bare = true;
    } else {
        const bool seen = payload->offset <= got && payload->offset < member->packed;
        payload->sum.size = seen ? member->packed - payload->offset : 0;
        payload->sum.before = (uint32_t)crc32_z(0, head, seen ? payload->offset : 0);
        payload->length = member->packed > payload->offset ? member->packed - payload->offset : 1;
        payload->offset += begin;
    }
    payload->tail = true; // other members
    member->fits = true;
    return true;
}

// Lists the arrays, and selects the one that is asked for, or the first that is a volume.
static bool npz_select(
    struct npz *npz, const struct pick *pick, struct contents *contents, struct npz_member **out)
{
    const char *path = npz->source->path;
    struct problem why;
    size_t first = npz->found;
    for (size_t i = 0; i < npz->found; i++) {
        struct npz_member *member = &npz->members[i];
        const bool fits = npz_describe(npz, member, &why);
        member->name[strlen(member->name) - 4] = 0; // ".npy"
        struct contents_array *array = contents_add(
            contents, member->name, fits ? volume_type_name(member->array.payload.format.type) : "",
            path, npz->problem);
        if (!array) {
            return false;
        }
        for (size_t a = 0; a < 3 && fits; a++) {
            contents_add_axis(
                array, (const char *[]){ "x", "y", "z" }[a], member->array.payload.dim[a], 0, NULL);
        }
        first = fits && first == npz->found ? i : first;
    }
    const bool none = !pick->array && first == npz->found;
    if (!none && !contents_select(contents, pick->array, first, false, path, npz->problem)) {
        return false;
    }
    *out = &npz->members[contents->chosen];
    return (*out)->fits || npz_describe(npz, *out, npz->problem);
}

bool npz_matches(const struct file_head *head)
{
    const size_t length = head->size > 30 ? head->bytes[26] | head->bytes[27] << 8 : 0;
    return !head->gzip && file_head_has(head, 0, "PK\3\4", 4) && length > 4 &&
           file_head_has(head, 30 + length - 4, ".npy", 4);
}

bool npz_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    struct npz npz = { .source = source, .problem = problem };
    struct npz_member *member = NULL;
    bool fine = npz_read_directory(&npz) && npz_read_members(&npz) &&
                npz_select(&npz, &params->pick, &out->contents, &member);
    if (fine) {
        fine = payload_open(source, &member->array.payload, params, out, problem) &&
               npy_place(&member->array, out->path, &out->volume, problem);
    }
    for (size_t i = 0; i < npz.found; i++) {
        free(npz.members[i].name);
    }
    free(npz.members);
    free(npz.directory);
    return fine;
}
