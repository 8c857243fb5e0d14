// Methods of stream compaction: what a row says, and the table of all rows.
//
// A file of methods/ holds a method: its kernels, its row `const struct method method_NAME`, and
// what it does by itself. CMake collects the rows; tests, bench, viewer and command line find them
// in the table. How to add one: methods/README.md.
#pragma once

#include "compute/gpu/run.h"
#include "shaders/shared/compaction.h"

enum method_order {
    ORDER_NONE,          // any order, not always the same
    ORDER_WITHIN_BLOCKS, // stream order inside a workgroup's block, blocks as they finish
    ORDER_FIXED,         // not the stream's, but always the same
    ORDER_STREAM,        // the stream's own order: stable
};

enum stream { STREAM_BRICKS, STREAM_CELLS, STREAM_WORDS, STREAMS };

// How far a pass of a method is dispatched.
enum pass_shape {
    PASS_LANES,     // one lane per lane of the stream
    PASS_ITEMS,     // one per ITEM_LANES lanes of the stream, of the cell stream per ITEM_ROWS
    PASS_ONE_GROUP, // one workgroup
    PASS_RANGES,    // up to RANGES workgroups, each with a contiguous range of the stream
};

#define METHOD_PASSES 8

struct compaction;
struct compaction_run;
struct cpu_run;

struct method_pass {
    // One per stream; NULL ends the list. Without code: not for this stream.
    const struct kernel_info *kernels;
    enum pass_shape shape;
};

// How much there can be of a stream: what scratch is sized for.
struct compaction_size {
    uint32_t lanes; // at most; 0: the stream is not used
    uint32_t room;  // elements that its list has room for: what methods that remove have to know
    // Block methods: concatenate separately compacted blocks as the papers do, to measure that.
    bool concatenate;
};

// Words of each scratch buffer.
struct compaction_scratch {
    uint64_t masks, blocks, levels;
};

// What a run moves at least, by which `auto` goes before anything has been measured.
struct method_cost {
    double reads;      // how often the stream itself is read
    double lane, kept; // further bytes per lane, and per kept element
    double dispatches;
};

// What some methods keep from run to run, beside the scratch that all share. Rows that point at the
// same functions share what these keep. All must be there.
struct method_state {
    // When a compaction is created. NULL with PROBLEM_HOST_MEMORY.
    void *(*create)(struct gpu *gpu, struct problem *problem);
    void (*destroy)(void *state);
    // Gives back what `prepare` has made.
    void (*strip)(void *state);
    // Room for one stream of these. On false everything is as it was.
    bool (*prepare)(
        void *state, enum stream stream, const struct compaction_size size[STREAMS],
        struct problem *problem);
    // Another method writes the stream's list, or the stream is another one.
    void (*forget)(void *state, enum stream stream);
    // What has been recorded has run. Not whole, because some list was too short: whatever was
    // learnt in that run is of no use.
    void (*finished)(void *state, bool whole);
    // Device memory that `create` takes; and that `prepare` takes for all these streams.
    uint64_t (*created_bytes)(const struct gpu *gpu);
    uint64_t (*prepared_bytes)(const struct gpu *gpu, const struct compaction_size size[STREAMS]);
};

struct method {
    const char *name;    // "ink-collate"
    const char *summary; // one line for people
    const char *paper;   // source
    // What it promises. Tests hold every method to these.
    enum method_order order;
    bool blocks;           // works in blocks of compaction_params.block elements
    bool in_place;         // a word stream's list may be its source
    bool waits;            // a workgroup may wait for another: a few turns, then it helps itself
    bool has_events;       // fills in struct compaction_events
    bool removes;          // takes elements out of a kept list: needs a removal list
    bool writes_arguments; // says how many groups classify the bricks: compaction_run.groups
    bool selects;          // has no passes: another of the table runs instead, chosen by choose.h
    // On the CPU, and never on the device: compacts words in the host's memory (cpu.h) and returns
    // how many it kept. NULL: the passes below, on the device.
    uint32_t (*cpu)(struct cpu_run *run);
    // Lanes of a stream at most, where loops would get too long beyond, or counters too large;
    // 0: no such limit. Of a method that removes: elements of the list.
    uint64_t largest;
    // Bytes of shared memory that its workgroups take, where that is more than a little. A device
    // may have as few as 16 KiB, and a driver may want some for itself.
    uint32_t shared;
    struct method_cost cost; // zero: unknown
    struct method_pass passes[METHOD_PASSES];
    // All below may be NULL.
    //
    // Which passes a stream of so many lanes needs. NULL: all.
    bool (*needs)(const struct gpu *gpu, uint32_t pass, enum stream stream, uint32_t lanes);
    // Whether the method can do what the compaction was created for; otherwise PROBLEM_USAGE.
    bool (*check)(
        const struct method *method, const struct compaction *compaction, struct problem *problem);
    // Sets specialization constants that only the method's own kernels have.
    void (*constants)(const struct compaction *compaction, uint32_t constants[CONSTANTS]);
    // Scratch for a stream of this size, in blocks of so many elements. NULL: none.
    struct compaction_scratch (*scratch)(
        const struct compaction_size *size, enum stream stream, uint32_t block);
    // Records a run. NULL: the passes in turn, each with a struct compact_push.
    void (*record)(
        const struct compaction *compaction, struct run *run, const struct compaction_run *what);
    const struct method_state *state;
};

// The rows are numbered in the order in which people see them; the first is the default.
#define METHODS_MOST 40 // rows, at most
uint32_t method_count(void);
const struct method *method_at(uint32_t row);
uint32_t method_row(const struct method *method);
const struct method *method_default(void);

// for (const struct method *method = method_next(NULL); method; method = method_next(method))
const struct method *method_next(const struct method *method);

const struct method *method_find(const char *name); // NULL when unknown

// NULL: usable on the device; otherwise why not. Methods of the CPU never are.
const char *method_unavailable(const struct method *method, const struct gpu *gpu);
// The same for a stream of so many lanes (a method that removes: a list of so many elements): one
// may be too long for a method.
const char *method_refuses(const struct method *method, const struct gpu *gpu, uint64_t lanes);

static inline bool method_stable(const struct method *method)
{
    return method->order == ORDER_STREAM;
}

static inline bool method_deterministic(const struct method *method)
{
    return method->order == ORDER_STREAM || method->order == ORDER_FIXED;
}
