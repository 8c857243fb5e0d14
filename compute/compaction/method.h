// Methods of stream compaction: the row of a method, and the table of all rows.
//
// A file of methods/ holds a method: its kernels, its row `const struct method method_NAME`, and
// its own functions. CMake collects the rows; tests, bench, viewer and command line find them in
// the table. methods/README.md says how to add one.
#pragma once

#include "compute/gpu/run.h"
#include "shaders.h"
#include "shaders/shared/compaction.h"

enum method_order {
    ORDER_NONE,          // any order, which may differ from run to run
    ORDER_WITHIN_BLOCKS, // stream order in a block (a workgroup or less); blocks in any order
    ORDER_FIXED,         // not the stream's order, but always the same
    ORDER_STREAM,        // the stream's own order: stable
};

// In streams from STREAM_PIXELS on, the predicate also does work (shaders/lib/working.glsl).
enum stream {
    STREAM_BRICKS,
    STREAM_CELLS,
    STREAM_WORDS,
    STREAM_PIXELS,
    STREAM_MARCH,       // through an atlas in a buffer
    STREAM_MARCH_IMAGE, // through an atlas in an image
    STREAM_TRAVERSE,
    STREAM_INTERSECT,
    STREAM_INTERSECT_IMAGE,
    STREAM_LAYERS,
    STREAM_LAYERS_IMAGE,
    STREAMS
};

// Number of streams that all methods compact. Only `once` methods compact the later ones; these
// methods keep nothing from run to run and have no events.
#define STREAMS_OF_ALL (STREAM_WORDS + 1)

// How many lanes or workgroups a pass is dispatched for.
enum pass_shape {
    PASS_LANES,     // one lane per lane of the stream
    PASS_ITEMS,     // one lane per EACH stream lanes; cells: 4 * SHARED_FOURS rows per workgroup
    PASS_ONE_GROUP, // one workgroup
    PASS_RANGES,    // up to RANGES workgroups, each with a contiguous range of the stream
};

// A HistoPyramid: see shaders/lib/pyramid.glsl.
enum pyramid {
    PYRAMID_NONE,
    PYRAMID_COUNTS, // each of four siblings holds its count
    PYRAMID_SUMS,   // each of them holds the sum of the counts up to it
    PYRAMID_ATLAS,  // of cells, over the slices as tiles: lib/atlas_levels.glsl
};

#define METHOD_PASSES 8
#define METHOD_NOTES  8

struct compaction;
struct compaction_run;
struct cpu_run;

struct method_pass {
    const char *name;                      // NULL ends the list of passes
    const struct shader *shaders[STREAMS]; // NULL: not for this stream
    enum pass_shape shape;
};

// The shaders of a pass: one shader, built once per stream (shaders/CMakeLists.txt).
#define STREAM_SHADERS(name)                                                                       \
    {                                                                                              \
        [STREAM_BRICKS] = &shader_##name##_bricks, [STREAM_CELLS] = &shader_##name##_cells,        \
        [STREAM_WORDS] = &shader_##name##_words,                                                   \
    }

// The shaders of the pass of a `once` method that evaluates the predicate: for all streams.
#define ONCE_SHADERS(name)                                                                         \
    {                                                                                              \
        [STREAM_BRICKS] = &shader_##name##_bricks, [STREAM_CELLS] = &shader_##name##_cells,        \
        [STREAM_WORDS] = &shader_##name##_words, [STREAM_PIXELS] = &shader_##name##_pixels,        \
        [STREAM_MARCH] = &shader_##name##_march_buffer,                                            \
        [STREAM_MARCH_IMAGE] = &shader_##name##_march_image,                                       \
        [STREAM_TRAVERSE] = &shader_##name##_traverse,                                             \
        [STREAM_INTERSECT] = &shader_##name##_intersect_buffer,                                    \
        [STREAM_INTERSECT_IMAGE] = &shader_##name##_intersect_image,                               \
        [STREAM_LAYERS] = &shader_##name##_layers_buffer,                                          \
        [STREAM_LAYERS_IMAGE] = &shader_##name##_layers_image,                                     \
    }

// The largest size of a stream. Scratch is allocated for this size.
struct compaction_size {
    uint32_t lanes;    // lanes at most; 0: the stream is not used
    uint32_t capacity; // of its list, in elements; methods that remove need it
    // Cells only: texels of the volume's slices as tiles, along x and y (atlas_cols).
    uint32_t texels[2];
    // Block methods: compact blocks separately and concatenate them as the papers do, for timings.
    bool concatenate;
    bool in_place; // words only: the list is its own source
};

// Size of each scratch buffer, in words.
struct compaction_scratch {
    uint64_t masks, blocks, levels;
};

// The least work of a run. `auto` compares methods by it before anything has been measured.
struct method_cost {
    double reads;      // how many times the stream is read
    double lane, kept; // other bytes per lane, and per kept element
    double dispatches;
};

// State that some methods keep from run to run, in addition to the shared scratch. Rows with the
// same functions share one state. All functions are required.
struct method_state {
    // Called when a compaction is created. NULL with PROBLEM_HOST_MEMORY.
    void *(*create)(struct gpu *gpu, struct problem *problem);
    void (*destroy)(void *state);
    // Frees what `prepare` has allocated.
    void (*strip)(void *state);
    // Allocates memory for one of these streams. On false everything is as it was.
    bool (*prepare)(
        void *state, enum stream stream, const struct compaction_size size[STREAMS],
        struct problem *problem);
    // Called when another method writes the stream's list, or when the stream has changed.
    void (*forget)(void *state, enum stream stream);
    // Called when the recorded passes have run. `whole` is false if some list was too short:
    // results of that run may not be reused.
    void (*finished)(void *state, bool whole);
    // Device memory that `create` allocates, and that `prepare` allocates for all these streams.
    uint64_t (*created_bytes)(const struct gpu *gpu);
    uint64_t (*prepared_bytes)(const struct gpu *gpu, const struct compaction_size size[STREAMS]);
};

struct method {
    const char *name;    // "ink-collate"
    const char *summary; // one line for people
    const char *paper;   // source
    // How the method differs from the paper, as far as known. NULL ends the notes.
    const char *notes[METHOD_NOTES];
    // What the method promises. Tests check these promises for every method.
    enum method_order order;
    bool blocks;   // works in blocks of compaction_params.block elements
    bool in_place; // the list of a word stream may be its own source
    // A workgroup may wait for another one, for a few turns; then it does the other's work itself.
    bool waits;
    // Evaluates the predicate once per lane, in its first pass, by keep_if. So it can compact
    // streams that do work: keep_if does the work.
    bool once;
    bool has_events; // fills in struct compaction_events
    bool removes;    // removes elements from a kept list: needs a removal list
    // Writes the dispatch arguments of the pass that reads the list: HALO_ or CELLS_ARGUMENTS.
    bool writes_arguments;
    enum pyramid pyramid; // what it leaves in the scratch buffers `masks` and `levels`
    bool selects;         // has no passes: selector.h selects another method, which runs instead
    // The method runs on the CPU and never on the device: it compacts words in host memory (cpu.h)
    // and returns how many it kept. NULL: it runs on the device, by the passes below.
    uint32_t (*cpu)(struct cpu_run *run);
    // The most lanes of a stream, on any device; with more, counters get too large. 0: no limit.
    uint64_t largest;
    // A workgroup loops over the whole stream: all its loops together take at most `turns`
    // iterations for every `lanes` lanes, or elements of the list of a method that removes. 0: none
    // does. See traits.loop_turns.
    struct {
        uint32_t turns, lanes;
    } loop;
    uint32_t form; // FORM_: which steps of the same kernels it takes
    // Bytes of shared memory of a workgroup, if they are many. A device may have as few as 16 KiB,
    // and a driver may use some of it.
    uint32_t shared;
    struct method_cost cost; // zero: unknown
    struct method_pass passes[METHOD_PASSES];
    // All functions below may be NULL.
    //
    // Whether a stream of so many lanes needs the pass. NULL: all passes are needed.
    bool (*needs)(const struct gpu *gpu, uint32_t pass, enum stream stream, uint32_t lanes);
    // Whether the method supports the parameters of the compaction; otherwise PROBLEM_USAGE.
    bool (*check)(
        const struct method *method, const struct compaction *compaction, struct problem *problem);
    // Sets specialization constants of the method's own kernels.
    void (*constants)(
        const struct compaction *compaction, enum stream stream, uint32_t constants[CONSTANTS]);
    // Scratch for a stream of this size, with blocks of `block` elements. NULL: no scratch.
    struct compaction_scratch (*scratch)(
        const struct compaction_size *size, enum stream stream, uint32_t block);
    // Records a run. NULL: the passes are recorded in turn, each with a struct compact_push.
    void (*record)(
        const struct compaction *compaction, struct run *run, const struct compaction_run *what);
    const struct method_state *state;
};

// The rows are numbered in the order in which people see them. The first one is the default.
#define METHODS_MOST 40 // rows, at most
uint32_t method_count(void);
const struct method *method_at(uint32_t row);
uint32_t method_row(const struct method *method);
const struct method *method_default(void);

// for (const struct method *method = method_next(NULL); method; method = method_next(method))
const struct method *method_next(const struct method *method);

const struct method *method_find(const char *name); // NULL when unknown

// NULL if the method can run on the device; otherwise the reason. CPU methods cannot.
const char *method_unavailable(const struct method *method, const struct gpu *gpu);
// The most lanes of a stream on the device; for a method that removes, the most elements of its
// list. NULL: on every device. 0: no limit.
uint64_t method_longest(const struct method *method, const struct traits *traits);
// Like method_unavailable, but also gives a reason if a stream of so many lanes is too long. For a
// method that removes, `lanes` is the number of elements of its list.
const char *method_refuses(const struct method *method, const struct gpu *gpu, uint64_t lanes);

// Whether cells need the slices of a volume. So synthetic streams do not time it, and `auto` never
// selects it.
static inline bool method_tiles(const struct method *method)
{
    return method->pyramid == PYRAMID_ATLAS;
}

static inline bool method_stable(const struct method *method)
{
    return method->order == ORDER_STREAM;
}

static inline bool method_deterministic(const struct method *method)
{
    return method->order == ORDER_STREAM || method->order == ORDER_FIXED;
}
