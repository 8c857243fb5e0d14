// The chunks of an array in a store: from the file of a chunk, or from its place in a shard, to
// samples in the order of a volume.
#include "volumes/base/input.h"
#include "volumes/base/size.h"
#include "volumes/formats/sidecar.h"
#include "volumes/formats/zarr.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INDEX_BYTES ((uint64_t)64 << 20) // indices of shards that are kept, in all
#define INDEX_SLOTS 256                  // of them, at most
#define MISSING     UINT64_MAX           // offset of a chunk that a shard does not have

struct zarr_index {
    uint64_t number; // 1 + the number of the shard's file; 0: none
    unsigned char *entries;
};

struct zarr_chunks {
    struct zarr_reading reading;
    int folder;         // of the array
    uint64_t files[3];  // files along x, y, z
    uint64_t *seen;     // for each file that was read: a sum of its stamp; 0: it was not read
    uint64_t box[3];    // what is kept of a chunk: no more than the volume has along an axis
    size_t size, whole; // bytes of a sample, and of a whole chunk in the form of the file
    bool straight;      // the samples of a whole chunk are those that are kept, in their order
    uint64_t entries;   // chunks of a shard
    struct zarr_index *indices;
    size_t index_slots, index_size;
    unsigned char *packed, *spare, *samples; // a chunk as read; between codecs; decoded
    size_t packed_room;
};

// The file of a chunk while it is read.
struct zarr_file {
    struct source source; // closed: there is no such file
    uint64_t number;
    char name[ZARR_AXES * 21 + 4];
};

void zarr_reading_free(struct zarr_reading *reading)
{
    free(reading->store);
    free(reading->path);
    source_files_free(&reading->watched);
    *reading = (struct zarr_reading){ 0 };
}

static void zarr_chunks_close(void *user)
{
    struct zarr_chunks *chunks = user;
    for (size_t i = 0; chunks->indices && i < chunks->index_slots; i++) {
        free(chunks->indices[i].entries);
    }
    if (chunks->folder >= 0) {
        close(chunks->folder);
    }
    zarr_reading_free(&chunks->reading);
    free(chunks->indices);
    free(chunks->seen);
    free(chunks->packed);
    free(chunks->spare);
    free(chunks->samples);
    free(chunks);
}

static bool zarr_chunks_unchanged(const void *user, struct problem *problem)
{
    return source_files_unchanged(&((const struct zarr_chunks *)user)->reading.watched, problem);
}

static bool zarr_chunks_refuse(
    const struct zarr_chunks *chunks, const struct zarr_file *file, struct problem *problem,
    const char *why)
{
    return problem_set(
        problem, PROBLEM_INPUT, "'%s/%s%s': the chunk %s", chunks->reading.store,
        chunks->reading.path, file->name, why);
}

// Names the file that has the chunk with these indices along the axes of the array.
static void zarr_chunks_name_file(
    const struct zarr_array *array, const uint64_t index[ZARR_AXES], struct zarr_file *file)
{
    int at = snprintf(file->name, sizeof file->name, "%s", array->prefix);
    for (size_t i = 0; i < array->axes; i++) {
        const size_t a = array->n5 ? array->axes - 1 - i : i;
        const struct zarr_axis *axis = &array->axis[a];
        const char before[2] = { i > 0 ? array->separator : 0, 0 };
        at += snprintf(
            file->name + at, sizeof file->name - (size_t)at, "%s%" PRIu64, before,
            index[a] * axis->chunk / axis->shard);
    }
}

// A sum of the stamp, never 0.
static uint64_t zarr_chunks_sum(const struct source_stamp *stamp)
{
    const uint64_t parts[] = { stamp->device, stamp->inode, stamp->size, (uint64_t)stamp->seconds,
                               (uint64_t)stamp->nanoseconds };
    uint64_t sum = 0xcbf29ce484222325;
    for (size_t i = 0; i < 5; i++) {
        sum = (sum ^ parts[i]) * 0x9e3779b97f4a7c15;
        sum ^= sum >> 29;
    }
    return sum | 1;
}

// Opens the file. Fails where it is not what it was when it was read before.
static bool
zarr_chunks_open_file(struct zarr_chunks *chunks, struct zarr_file *file, struct problem *problem)
{
    const char *const store = chunks->reading.store, *const path = chunks->reading.path;
    uint64_t *seen = &chunks->seen[file->number];
    bool there;
    if (!sidecar_open_in(chunks->folder, store, path, file->name, &file->source, &there, problem)) {
        return false;
    }
    const struct source_stamp none = { 0 };
    const uint64_t sum = zarr_chunks_sum(there ? &file->source.stamp : &none);
    if (*seen && *seen != sum) {
        source_close(&file->source);
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s/%s%s' changed while it was read: open it again once nothing writes to it", store,
            path, file->name);
    }
    *seen = sum;
    return true;
}

// Reads bytes of the file that must be there.
static bool zarr_chunks_read(
    struct zarr_chunks *chunks, struct zarr_file *file, uint64_t at, void *out, size_t size,
    struct problem *problem)
{
    int error;
    if (source_read_at(file->source.fd, at, out, size, &error) == size) {
        return true;
    }
    return zarr_chunks_refuse(chunks, file, problem, error ? strerror(error) : "is cut short");
}

// The index of a shard, from where it is kept or from the file; NULL with a problem.
static const unsigned char *
zarr_chunks_take_index(struct zarr_chunks *chunks, struct zarr_file *file, struct problem *problem)
{
    const struct zarr_array *array = &chunks->reading.array;
    struct zarr_index *slot = &chunks->indices[file->number % chunks->index_slots];
    const size_t size = chunks->index_size, sum = array->index_summed ? 4 : 0;
    if (slot->number == file->number + 1) {
        return slot->entries;
    }
    slot->number = 0;
    slot->entries = slot->entries ? slot->entries : malloc(size + sum);
    if (!slot->entries) {
        problem_no_memory(problem, "reading", chunks->reading.store);
        return NULL;
    }
    if (file->source.size < size + sum) {
        zarr_chunks_refuse(chunks, file, problem, "is cut short: it is a shard without its index");
        return NULL;
    }
    const uint64_t at = array->index_first ? 0 : file->source.size - size - sum;
    if (!zarr_chunks_read(chunks, file, at, slot->entries, size + sum, problem)) {
        return NULL;
    }
    if (sum && codec_crc32c(slot->entries, size) !=
                   (uint32_t)sample_bits(slot->entries + size, 4, false)) {
        zarr_chunks_refuse(chunks, file, problem, "has an index that does not have its checksum");
        return NULL;
    }
    slot->number = file->number + 1;
    return slot->entries;
}

// Where the chunk is in its file. *at is MISSING where it is not there.
static bool zarr_chunks_find(
    struct zarr_chunks *chunks, struct zarr_file *file, const uint64_t index[ZARR_AXES],
    uint64_t *at, uint64_t *size, struct problem *problem)
{
    const struct zarr_array *array = &chunks->reading.array;
    *at = 0;
    *size = file->source.size;
    if (!array->sharded) {
        return true;
    }
    const unsigned char *entry = zarr_chunks_take_index(chunks, file, problem);
    uint64_t number = 0;
    for (size_t a = 0; a < array->axes; a++) {
        const uint64_t many = array->axis[a].shard / array->axis[a].chunk;
        number = number * many + index[a] % many;
    }
    if (!entry) {
        return false;
    }
    *at = sample_bits(entry + 16 * number, 8, false);
    *size = sample_bits(entry + 16 * number + 8, 8, false);
    if (*at == UINT64_MAX && *size == UINT64_MAX) {
        return true;
    }
    return (*at < file->source.size && *size <= file->source.size - *at) ||
           zarr_chunks_refuse(chunks, file, problem, "has an index that leads beyond its end");
}

// Reads the head of an N5 block: two numbers, then the samples along each axis, fastest first.
static bool zarr_chunks_read_head(
    const struct zarr_chunks *chunks, const struct zarr_file *file, const uint64_t index[ZARR_AXES],
    size_t size, uint64_t layout[ZARR_AXES], size_t *head, struct problem *problem)
{
    const struct zarr_array *array = &chunks->reading.array;
    *head = 4 + 4 * array->axes;
    if (size < *head) {
        return zarr_chunks_refuse(chunks, file, problem, "is cut short");
    }
    if (sample_bits(chunks->packed, 2, true) != 0 ||
        sample_bits(chunks->packed + 2, 2, true) != array->axes) {
        return zarr_chunks_refuse(
            chunks, file, problem, "is of another kind than samples of one size");
    }
    for (size_t i = 0; i < array->axes; i++) {
        const size_t a = array->axes - 1 - i;
        const struct zarr_axis *axis = &array->axis[a];
        const uint64_t left = axis->size - index[a] * axis->chunk;
        layout[a] = sample_bits(chunks->packed + 4 + 4 * i, 4, true);
        if (layout[a] > axis->chunk || layout[a] < (left < axis->chunk ? left : axis->chunk)) {
            return zarr_chunks_refuse(chunks, file, problem, "does not have the size of a block");
        }
    }
    return true;
}

#define ZARR_COPY(type)                                                                            \
    for (uint64_t i = 0; i < n; i++) {                                                             \
        ((type *)to)[i] = ((const type *)from)[i * stride];                                        \
    }

// Copies a row of samples that lie `stride` samples apart.
static void
zarr_chunks_copy_row(void *to, const void *from, uint64_t n, uint64_t stride, size_t size)
{
    if (stride == 1) {
        memcpy(to, from, n * size);
    } else if (size == 1) {
        ZARR_COPY(uint8_t)
    } else if (size == 2) {
        ZARR_COPY(uint16_t)
    } else if (size == 4) {
        ZARR_COPY(uint32_t)
    } else {
        ZARR_COPY(uint64_t)
    }
}

// Copies the samples of the volume out of a whole chunk, which has `layout` samples along each
// axis.
static void zarr_chunks_keep(
    const struct zarr_chunks *chunks, const uint64_t layout[ZARR_AXES], const unsigned char *from,
    unsigned char *out)
{
    const struct zarr_array *array = &chunks->reading.array;
    uint64_t stride[ZARR_AXES], step = 1, n[3];
    for (size_t i = array->axes; i-- > 0;) {
        stride[array->stored[i]] = step;
        step *= layout[array->stored[i]];
    }
    bool spatial[ZARR_AXES] = { false };
    for (int v = 0; v < 3; v++) {
        const uint8_t a = chunks->reading.axis[v];
        spatial[a] = true;
        n[v] = chunks->box[v] < layout[a] ? chunks->box[v] : layout[a];
    }
    for (size_t a = 0; a < array->axes; a++) {
        const uint64_t at = chunks->reading.at[a] % array->axis[a].chunk;
        from += spatial[a] ? 0 : at * stride[a] * chunks->size;
    }
    const uint8_t *axis = chunks->reading.axis;
    for (uint64_t z = 0; z < n[2]; z++) {
        for (uint64_t y = 0; y < n[1]; y++) {
            zarr_chunks_copy_row(
                out + (z * chunks->box[1] + y) * chunks->box[0] * chunks->size,
                from + (z * stride[axis[2]] + y * stride[axis[1]]) * chunks->size, n[0],
                stride[axis[0]], chunks->size);
        }
    }
}

static void zarr_chunks_put_fill(const struct zarr_chunks *chunks, unsigned char *out)
{
    const size_t all = (size_t)(chunks->box[0] * chunks->box[1] * chunks->box[2]) * chunks->size;
    memcpy(out, chunks->reading.array.fill, chunks->size);
    for (size_t done = chunks->size; done < all; done *= 2) {
        memcpy(out + done, out, done < all - done ? done : all - done);
    }
}

// Memory for a chunk as it is in the file.
static bool
zarr_chunks_make_room(struct zarr_chunks *chunks, uint64_t size, struct problem *problem)
{
    if (size > chunks->packed_room) {
        free(chunks->packed);
        chunks->packed = malloc((size_t)size);
        chunks->packed_room = chunks->packed ? (size_t)size : 0;
    }
    if (!chunks->spare && chunks->reading.array.codecs.count > 1) {
        chunks->spare = malloc(2 * codecs_spare(chunks->whole));
    }
    if (!chunks->samples && !chunks->straight) {
        chunks->samples = malloc(chunks->whole);
    }
    return (chunks->packed && (chunks->spare || chunks->reading.array.codecs.count < 2) &&
            (chunks->samples || chunks->straight)) ||
           problem_no_memory(problem, "reading", chunks->reading.store);
}

// Reads the chunk at these bytes of its file and decodes it.
static bool zarr_chunks_decode(
    struct zarr_chunks *chunks, struct zarr_file *file, const uint64_t index[ZARR_AXES],
    uint64_t at, uint64_t size, unsigned char *out, struct problem *problem)
{
    const struct zarr_array *array = &chunks->reading.array;
    uint64_t layout[ZARR_AXES];
    size_t head = 0, expected = chunks->size, got;
    if (chunks->straight && array->codecs.count == 0 && !array->n5 && size == chunks->whole) {
        return zarr_chunks_read(chunks, file, at, out, chunks->whole, problem);
    }
    if (size > 2 * (uint64_t)codecs_spare(chunks->whole)) {
        return zarr_chunks_refuse(chunks, file, problem, "has more bytes than its samples take");
    }
    if (!zarr_chunks_make_room(chunks, size + !size, problem) ||
        !zarr_chunks_read(chunks, file, at, chunks->packed, (size_t)size, problem)) {
        return false;
    }
    for (size_t a = 0; a < array->axes; a++) {
        layout[a] = array->axis[a].chunk;
    }
    if (array->n5 &&
        !zarr_chunks_read_head(chunks, file, index, (size_t)size, layout, &head, problem)) {
        return false;
    }
    bool whole = true; // the chunk is not cut
    for (size_t a = 0; a < array->axes; a++) {
        whole &= layout[a] == array->axis[a].chunk;
        expected *= layout[a];
    }
    if (!whole && !chunks->samples && !(chunks->samples = malloc(chunks->whole))) {
        return problem_no_memory(problem, "reading", chunks->reading.store);
    }
    unsigned char *to = chunks->straight && whole ? out : chunks->samples;
    const char *why = codecs_undo(
        &array->codecs, chunks->packed + head, (size_t)size - head, chunks->spare, to, expected,
        &got);
    if (why == codecs_no_memory) {
        return problem_no_memory(problem, "reading", chunks->reading.store);
    }
    if (why || got != expected) {
        return zarr_chunks_refuse(
            chunks, file, problem, why ? why : "has fewer samples than expected");
    }
    if (to != out) {
        zarr_chunks_keep(chunks, layout, to, out);
    }
    return true;
}

static bool
zarr_chunks_read_chunk(void *user, const uint64_t at[3], void *out, struct problem *problem)
{
    struct zarr_chunks *chunks = user;
    const struct zarr_array *array = &chunks->reading.array;
    uint64_t index[ZARR_AXES], begin, size, place[3];
    struct zarr_file file = { .source.fd = -1 };
    for (size_t a = 0; a < array->axes; a++) {
        index[a] = chunks->reading.at[a] / array->axis[a].chunk;
    }
    for (int v = 0; v < 3; v++) {
        const struct zarr_axis *axis = &array->axis[chunks->reading.axis[v]];
        index[chunks->reading.axis[v]] = at[v];
        place[v] = at[v] * axis->chunk / axis->shard;
    }
    file.number = place[0] + chunks->files[0] * (place[1] + chunks->files[1] * place[2]);
    zarr_chunks_name_file(array, index, &file);
    if (!input_go_on(chunks->reading.store, problem) ||
        !zarr_chunks_open_file(chunks, &file, problem)) {
        return false;
    }
    begin = MISSING;
    bool fine =
        file.source.fd < 0 || zarr_chunks_find(chunks, &file, index, &begin, &size, problem);
    if (fine && begin == MISSING) {
        zarr_chunks_put_fill(chunks, out);
    } else if (fine) {
        fine = zarr_chunks_decode(chunks, &file, index, begin, size, out, problem) &&
               source_unchanged(&file.source, &file.source.stamp, problem);
    }
    source_close(&file.source);
    return fine;
}

// Counts bytes, files and entries of an index, and sees whether they are too many.
static bool zarr_chunks_measure(
    struct zarr_chunks *chunks, const struct volume_params *params, struct problem *problem)
{
    const struct zarr_array *array = &chunks->reading.array;
    const uint64_t most = size_limit(params->max_bytes), host = size_limit(0);
    uint64_t bytes = chunks->size, entries = 1;
    bool fine = true;
    for (size_t a = 0; a < array->axes; a++) {
        fine = fine && size_product(bytes, array->axis[a].chunk, &bytes) &&
               size_product(entries, array->axis[a].shard / array->axis[a].chunk, &entries);
    }
    if (!fine || bytes > (most < host ? most : host) || entries > INDEX_BYTES) {
        return problem_set(
            problem, PROBLEM_LIMIT, "'%s': one of its chunks takes more than memory",
            chunks->reading.store);
    }
    chunks->whole = (size_t)bytes;
    chunks->entries = entries;
    chunks->index_size = (size_t)(16 * entries);
    chunks->index_slots = (size_t)(INDEX_BYTES / chunks->index_size);
    chunks->index_slots = chunks->index_slots > INDEX_SLOTS ? INDEX_SLOTS
                          : chunks->index_slots             ? chunks->index_slots
                                                            : 1;
    // Whether the order of a whole chunk is that of a volume, with nothing beside it.
    chunks->straight = bytes == chunks->box[0] * chunks->box[1] * chunks->box[2] * chunks->size;
    const uint8_t *last = NULL;
    for (int v = 2; v >= 0; v--) {
        const uint8_t *at = memchr(array->stored, chunks->reading.axis[v], array->axes);
        chunks->straight &= last < at;
        last = at;
    }
    return true;
}

bool zarr_chunks_open(
    const struct zarr_reading *reading, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    struct zarr_chunks *chunks = calloc(1, sizeof *chunks);
    struct chunks of = {
        .path = out->path,
        .format = reading->array.format,
        .read = zarr_chunks_read_chunk,
        .unchanged = zarr_chunks_unchanged,
        .close = zarr_chunks_close,
        .user = chunks,
    };
    if (!chunks) {
        struct zarr_reading copy = *reading;
        zarr_reading_free(&copy);
        return problem_no_memory(problem, "reading", out->path);
    }
    chunks->reading = *reading;
    chunks->size = sample_size(&of.format);
    chunks->folder = -1;
    uint64_t files = 1;
    for (int v = 0; v < 3; v++) {
        const struct zarr_axis *axis = &reading->array.axis[reading->axis[v]];
        of.dim[v] = axis->size;
        of.chunk[v] = chunks->box[v] = axis->chunk < axis->size ? axis->chunk : axis->size;
        chunks->files[v] = axis->size / axis->shard + (axis->size % axis->shard > 0);
    }
    // Checks the dims, so it comes before they are multiplied.
    if (!chunks_open(&of, params, out, problem)) {
        return false;
    }
    if (!zarr_chunks_measure(chunks, params, problem)) {
        return false;
    }
    for (int v = 0; v < 3; v++) {
        files *= chunks->files[v];
    }
    chunks->seen = calloc(files, sizeof *chunks->seen);
    chunks->indices = calloc(chunks->index_slots, sizeof *chunks->indices);
    if (!chunks->seen || !chunks->indices) {
        return problem_no_memory(problem, "reading", out->path);
    }
    return sidecar_open_folder(reading->store, reading->path, &chunks->folder, problem);
}
