// A stream of plain words to compact, for those who have no volume: bench and tests.
//
// A word is kept unless its top bit (WORD_INVALID) is set. Methods that remove work in the list,
// which has room for all words: the source is copied there first, and what of the list lies beyond
// the kept ones is rubbish afterwards. They remove all words that are not kept, or, where positions
// are given, those that stand there, whatever they are; no word that stays may be TOMBSTONE
// (shaders/shared/redzone.h).
#pragma once

#include "compute/compaction/selector.h"

struct words_params {
    uint32_t count;            // words of the stream
    uint32_t capacity;         // of the list; 0: count. What lies beyond is never touched
    uint32_t block;            // as in struct compaction_params
    uint32_t subgroup_size;    // the same
    const struct times *times; // that `auto` goes by; must outlive the words. NULL: none
};

struct words {
    struct gpu *gpu;
    uint32_t count, capacity; // of the next run; no more than at first
    struct bindings bindings;
    struct compaction compaction;
    struct stopwatch timer;
    struct selector selector;   // of `auto`
    struct selection selection; // of the last words_prepare; otherwise its method alone
    double density;             // of the last run
    bool has_density;           // there was one
    double run;                 // mean length of runs of kept words, where the caller knows; or 0
    struct buffer source;       // count words, and a few more that nobody touches
    struct buffer list;         // max(count, capacity) words, and a few more
    struct buffer counter;      // struct list_counter
    struct buffer counter_readback; // the same, for the host
    struct buffer removals_counter; // struct list_counter of given removals
};

#define WORDS_MARGIN 64 // words past the end of source and list, for tests to watch

// PROBLEM_DEVICE_MEMORY where there is no room, PROBLEM_UNSUPPORTED for a subgroup size that the
// device does not offer. On false `out` is empty.
bool words_create(
    struct gpu *gpu, const struct words_params *params, struct words *out, struct problem *problem);
void words_destroy(struct words *words);

struct words_step {
    const struct method *method;
    bool in_place;                 // the list is its own source: the words are copied there first
    bool concatenate;              // block methods: as in struct compaction_size
    const struct buffer *removals; // methods that remove: positions, each once; may be NULL
    uint32_t removal_count;
    uint32_t drop; // as in struct compaction_run
    bool stages;   // the same; without, there is one stage, "compaction"
};

struct words_result {
    const struct method *method; // that ran
    char why[SELECTION_TEXT];    // it was chosen by `auto`; otherwise empty
    uint32_t kept;               // goes on counting past the capacity
    bool wrapped;                // the count passed 2^32
    struct compaction_events events;
    uint32_t stage_count;
    struct stage stages[STOPWATCH_STAGES];
    double stage_ms[STOPWATCH_STAGES];
    double ms; // all stages but STAGE_COPY
};

// Kernels and scratch of the method. `auto` is decided on here, by the share that the last run
// kept.
bool words_prepare(struct words *words, const struct words_step *step, struct problem *problem);

// Prepares, records, submits, waits. The words are in words->source (buffer_upload), the result is
// in words->list (buffer_download).
bool words_run(
    struct words *words, const struct words_step *step, struct words_result *out,
    struct problem *problem);
