#include "volumes/formats/chunks.h"

#include "volumes/base/input.h"
#include "volumes/base/log.h"
#include "volumes/base/size.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RANGE ((uint64_t)4 << 20) // bytes of samples that are converted at a time

// A decoded chunk; the chunks of every second layer share a place.
struct chunks_slot {
    unsigned char *bytes; // NULL: not allocated
    uint64_t number;      // 1 + the number of the chunk; 0: none
};

struct chunks_reader {
    struct chunks chunks;      // of runs: as if they were a volume of bytes, 1 x 1 x all
    uint64_t grid[3];          // chunks along each axis
    uint64_t unit;             // what a slice is along z: 1, or bytes
    size_t size;               // bytes of a sample, or 1
    uint64_t slice, bytes;     // bytes of a slice of the volume, and of a chunk
    uint64_t depth;            // slices that are converted at a time
    struct chunks_slot *slots; // those of two layers
    uint64_t slot_count;
    unsigned char *staged; // `depth` slices, unless they are read in place
    bool warned;
};

static void chunks_close(void *state)
{
    struct chunks_reader *reader = state;
    for (uint64_t i = 0; reader->slots && i < reader->slot_count; i++) {
        free(reader->slots[i].bytes);
    }
    free(reader->slots);
    free(reader->staged);
    reader->chunks.close(reader->chunks.user);
    free(reader);
}

static bool chunks_unchanged(const void *state, struct problem *problem)
{
    const struct chunks_reader *reader = state;
    return reader->chunks.unchanged(reader->chunks.user, problem);
}

// The decoded chunk, from its slot or from the file.
static const unsigned char *
chunks_take(struct chunks_reader *reader, const uint64_t at[3], struct problem *problem)
{
    const uint64_t number = 1 + at[0] + reader->grid[0] * (at[1] + reader->grid[1] * at[2]);
    struct chunks_slot *slot = &reader->slots[(number - 1) % reader->slot_count];
    if (slot->number == number) {
        return slot->bytes;
    }
    slot->bytes = slot->bytes ? slot->bytes : malloc(reader->bytes);
    slot->number = 0;
    if (!slot->bytes) {
        problem_no_memory(problem, "reading", reader->chunks.path);
        return NULL;
    }
    if (!reader->chunks.read(reader->chunks.user, at, slot->bytes, problem)) {
        return NULL;
    }
    slot->number = number;
    return slot->bytes;
}

static uint64_t chunks_less(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// Copies what a chunk has of the slices from `z` up to `end` to its place in them.
static bool chunks_copy(
    struct chunks_reader *reader, const uint64_t at[3], uint64_t z, uint64_t end,
    unsigned char *slices, struct problem *problem)
{
    const uint64_t *dim = reader->chunks.dim, *chunk = reader->chunks.chunk;
    const uint64_t x = at[0] * chunk[0], y = at[1] * chunk[1], low = at[2] * chunk[2];
    const uint64_t row = chunks_less(chunk[0], dim[0] - x) * reader->size;
    const uint64_t rows = chunks_less(chunk[1], dim[1] - y);
    const unsigned char *from = chunks_take(reader, at, problem);
    for (uint64_t k = z > low ? z : low; from && k < chunks_less(end, low + chunk[2]); k++) {
        for (uint64_t j = 0; j < rows; j++) {
            memcpy(
                slices + (((k - z) * dim[1] + y + j) * dim[0] + x) * reader->size,
                from + ((k - low) * chunk[1] + j) * chunk[0] * reader->size, row);
        }
    }
    return from;
}

// Fills the slices (or bytes) from `z` up to `end`, in the form of the file.
static bool chunks_fetch(
    struct chunks_reader *reader, uint64_t z, uint64_t end, unsigned char *slices,
    struct problem *problem)
{
    const uint64_t *dim = reader->chunks.dim, *chunk = reader->chunks.chunk;
    const bool full = chunk[0] == dim[0] && chunk[1] == dim[1];
    for (uint64_t layer = z / chunk[2]; layer * chunk[2] < end; layer++) {
        const uint64_t low = layer * chunk[2];
        uint64_t at[3] = { 0, 0, layer };
        if (full && low >= z && low + chunk[2] <= end) { // decode into place
            unsigned char *to = slices + (low - z) * dim[0] * dim[1] * reader->size;
            if (!reader->chunks.read(reader->chunks.user, at, to, problem)) {
                return false;
            }
            continue;
        }
        for (at[1] = 0; at[1] < reader->grid[1]; at[1]++) {
            for (at[0] = 0; at[0] < reader->grid[0]; at[0]++) {
                if (!chunks_copy(reader, at, z, end, slices, problem)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool chunks_read(
    void *state, uint32_t z, uint32_t count, void *out, const struct progress *progress,
    struct problem *problem)
{
    struct chunks_reader *reader = state;
    const struct sample_format *format = &reader->chunks.format;
    const uint64_t each = reader->slice / sample_size(format);
    struct samples samples = {
        .path = reader->chunks.path,
        .format = *format,
        .to = out,
        .count = count * each,
        .first = z * each,
    };
    bool fine = chunks_unchanged(reader, problem);
    for (uint64_t done = 0; fine && done < count;) {
        const uint64_t n = chunks_less(reader->depth, count - done), from = z + done;
        unsigned char *to = reader->staged;
        to = to ? to : (unsigned char *)out + done * reader->slice;
        done += n;
        fine = chunks_fetch(reader, from * reader->unit, (from + n) * reader->unit, to, problem) &&
               samples_put(&samples, to, (size_t)(n * each), problem) &&
               progress_report(progress, samples.path, done, count, problem);
    }
    if (fine && !reader->warned) {
        samples_end(&samples);
        reader->warned = samples.overflows > 0;
    }
    return fine && chunks_unchanged(reader, problem);
}

static const struct slice_reader chunks_slices = {
    .read = chunks_read,
    .unchanged = chunks_unchanged,
    .close = chunks_close,
};

// Sets how many chunks are kept: two layers, or what fits into `most` bytes (0: half of the free
// memory). Returns whether it is at least a layer.
static bool chunks_fit(struct chunks_reader *reader, uint64_t most)
{
    const uint64_t layer = reader->grid[0] * reader->grid[1];
    const uint64_t fit = (most ? most : size_memory_free() / 2) / reader->bytes;
    reader->slot_count = fit >= 2 * layer ? 2 * layer : fit >= layer ? layer : fit + !fit;
    if (fit < layer && layer > 1) {
        log_warn(
            "'%s': a layer of its chunks takes %" PRIu64 " MiB, more than memory: chunks are "
            "decoded more than once",
            reader->chunks.path, layer * reader->bytes >> 20);
    }
    return fit >= layer;
}

bool chunks_open(
    const struct chunks *chunks, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    const uint64_t *dim = chunks->dim;
    struct chunks_reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        chunks->close(chunks->user);
        return problem_no_memory(problem, "reading", chunks->path);
    }
    reader->chunks = *chunks;
    out->reader = &chunks_slices;
    out->state = reader;
    out->seekable = true;
    const struct sample_format *format = &chunks->format;
    if (!samples_describe(chunks->path, dim, format, params->max_bytes, &out->volume, problem)) {
        return false;
    }
    reader->size = chunks->run ? 1 : sample_size(format);
    reader->slice = dim[0] * dim[1] * sample_size(format);
    reader->unit = chunks->run ? reader->slice : 1;
    if (chunks->run) {
        const uint64_t all = reader->slice * dim[2];
        memcpy(reader->chunks.dim, (uint64_t[]){ 1, 1, all }, sizeof reader->chunks.dim);
        memcpy(
            reader->chunks.chunk, (uint64_t[]){ 1, 1, chunks_less(chunks->run, all) },
            sizeof reader->chunks.chunk);
    }
    const uint64_t *chunk = reader->chunks.chunk;
    reader->bytes = chunk[0] * chunk[1] * chunk[2] * reader->size;
    for (int i = 0; i < 3; i++) {
        reader->grid[i] = (reader->chunks.dim[i] + chunk[i] - 1) / chunk[i];
    }
    const bool fits = chunks_fit(reader, chunks->cache);
    const uint64_t layer = chunks->run ? dim[2] : chunk[2];
    // A layer is read at once where that takes no more memory: where it is one chunk, or where
    // memory cannot hold its chunks.
    const bool once = !fits || (!chunks->run && reader->grid[0] * reader->grid[1] == 1);
    reader->depth =
        once && sample_stays(format) ? layer : chunks_less(RANGE / reader->slice + 1, layer);
    reader->slots = calloc(reader->slot_count, sizeof *reader->slots);
    reader->staged = sample_stays(format) ? NULL : malloc(reader->depth * reader->slice);
    return (reader->slots && (reader->staged || sample_stays(format))) ||
           problem_no_memory(problem, "reading", chunks->path);
}
