// A stream of plain words to compact, without a volume: for bench and tests.
//
// A word is kept unless its top bit (WORD_INVALID) is set. Methods that remove work in the list,
// which can hold all words: the source is copied to it first. After a run, the list holds garbage
// after the kept words. These methods remove all words that are not kept. If positions are given,
// they remove the words at these positions instead, whatever the words are; no word that stays may
// be TOMBSTONE (shaders/shared/redzone.h).
#pragma once

#include "compute/compaction/selector.h"
#include "compute/gpu/transfer.h"

struct words_params {
    uint32_t count;            // words of the stream
    uint32_t capacity;         // capacity of the list; 0: count. Nothing is written beyond it
    uint32_t block;            // see struct compaction_params
    uint32_t subgroup_size;    // see struct compaction_params
    bool counted;              // see compaction.h: kernels read `count` from a counter
    const struct times *times; // times for `auto`; must outlive the words. NULL: none
    // For bench. With a payload, the first word of an element is its position, with or without
    // WORD_INVALID, and the list is not its own source; `count` and `capacity` are in elements.
    uint32_t payload; // words of an element after its first one
    uint32_t work;    // rounds of a hash that the predicate computes; then no word is WORD_NEVER
};

struct words {
    struct gpu *gpu;
    uint32_t count, capacity; // of the next run; at most the values at creation
    uint32_t payload, work;
    bool counted;
    struct compaction compaction;
    struct stopwatch timer;
    struct selector selector; // of `auto`
    // The selection of the last words_prepare. If the method is not `auto`, only `method` is set.
    struct selection selection;
    double density;        // share that the last run kept
    bool has_density;      // there was a last run
    double run;            // mean length of runs of kept words, set by the caller; 0: unknown
    struct buffer source;  // count elements, and a margin that nothing touches
    struct buffer list;    // max(count, capacity) elements, and a margin
    struct buffer counter; // struct list_counter
    struct buffer counter_readback; // a copy for the host
    struct buffer removals;         // a copy of the given removals, for methods that destroy them
    struct buffer removals_counter; // struct list_counter for given removals
    struct buffer source_counter;   // struct list_counter for counted words
    struct buffer source_arguments; // dispatch arguments for counted words
    uint32_t most;                  // `count` at creation
};

#define WORDS_MARGIN 64 // words past the end of source and list, for tests to watch

// PROBLEM_DEVICE_MEMORY when device memory is short, PROBLEM_UNSUPPORTED for a subgroup size that
// the device does not offer. On false `out` is empty.
bool words_create(
    struct gpu *gpu, const struct words_params *params, struct words *out, struct problem *problem);
void words_destroy(struct words *words);

struct words_step {
    const struct method *method;
    bool in_place;                 // the list is its own source: the words are copied to it first
    bool concatenate;              // block methods: as in struct compaction_size
    const struct buffer *removals; // for methods that remove: positions, each once; may be NULL
    uint32_t removal_count;
    uint32_t added; // in place: as many words at the end join the list as a part of the run
    uint32_t first_pass, drop; // as in struct compaction_run
    bool stages;               // as in struct compaction_run; false: one stage, "compaction"
};

struct words_result {
    const struct method *method; // the method that ran
    char why[SELECTION_TEXT];    // why `auto` selected it; otherwise empty
    uint32_t kept;               // the number of kept words, even beyond the capacity
    bool wrapped;                // the count passed 2^32
    struct compaction_events events;
    uint32_t stage_count;
    struct stage stages[STOPWATCH_STAGES];
    double stage_ms[STOPWATCH_STAGES];
    double ms; // sum of all stages except STAGE_COPY
};

// Creates the kernels and the scratch of the method. `auto` selects a method here, by the share
// that the last run kept.
bool words_prepare(struct words *words, const struct words_step *step, struct problem *problem);

// Prepares, records, submits and waits. The caller has uploaded the words into words->source
// (transfer_upload). The result is in words->list (transfer_download).
bool words_run(
    struct words *words, const struct words_step *step, struct words_result *out,
    struct problem *problem);
