// A race: the participants that take turns on a stream, and what they share. bench_race.c runs it,
// bench_race_checks.c checks the results.
#pragma once

#include "app/bench/bench_cpu.h"
#include "app/bench/bench_images.h"
#include "app/bench/bench_rows.h"
#include "app/bench/bench_streams.h"
#include "app/bench/turns.h"
#include "app/bench/words_bench.h"

#define CHUNK (1u << 20) // words that are copied to or from the device at once

// One participant that takes turns.
struct racer {
    const char *name;
    struct words_step step;   // of a method
    enum words_kernel kernel; // without a method: WORDS_PRESERVE, WORDS_PREFIX_ or WORDS_APPEND_
    bool given;               // uses a list of positions, not the words
    const struct method *ran; // the last method that a selecting method ran
    uint32_t stage_count;
    struct stage stages[STOPWATCH_STAGES];
};

#define RACERS (WORDS_KERNELS + 2 * METHODS_MOST)

// The series of race->turns: whole runs, stages from 1 on, then counts of events.
enum { SERIES_SPINS = 1 + STOPWATCH_STAGES, SERIES_FALLBACKS, SERIES_LATE, SERIES };

struct race {
    struct gpu *gpu;
    const struct plan *plan;
    const struct experiment *experiment;
    struct bench_table *table;
    uint32_t block, work;
    uint32_t each;       // words of an element
    struct times *times; // from the cache, for a method that selects another; NULL: none
    struct words words;
    struct words_bench bench;
    struct bench_cpu cpu; // if a method of the CPU takes part
    // If a list is given: positions of the removed words, then those of the kept ones, each in
    // random order.
    uint32_t *removals;
    uint32_t removal_count;
    struct buffer places, preserved; // the positions on the device; `preserved` if it takes part
    struct racer racers[RACERS];
    uint32_t racer_count;
    uint32_t seed, repeat;            // the current seed; rounds of each
    struct turns turns;               // the copy comes after the racers
    const struct word_stream *stream; // the current stream
    uint32_t *chunk;                  // CHUNK words
    struct bench_image images[PLAN_IMAGES];
};

// Checks the list that a participant has made: every kept word occurs once, each element is whole,
// and they are in order where the method promises that. Of a prefix sum, each entry counts the kept
// words before it in its block. PROBLEM_CHECK.
bool race_check(
    struct race *race, const struct racer *racer, const struct word_stream *stream,
    struct problem *problem);
