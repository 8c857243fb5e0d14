// The streams that bench compacts: which of their elements are kept. They are the same on every
// machine.
#pragma once

#include "app/cli/bench_plan.h"

// The words of a stream, made chunk by chunk. Each word is its own place, with WORD_INVALID where
// it is not kept.
struct word_stream {
    struct pattern pattern;
    const uint8_t *mask; // for PATTERN_MASK: not 0 where kept
    uint32_t count, at;  // number of words, and how many are made
    uint32_t kept;       // number of kept words
    uint64_t sum;        // of the hashes of the kept words: equal for the same words in any order
    // Selection sampling: places that are left to draw from, and draws that are left, for the whole
    // stream or for runs. PATTERN_TAIL draws first before the tail, then in it.
    uint32_t places, draws, tail_places, tail_draws;
    bool before;    // whether the last word is kept
    uint64_t state; // of the random numbers
};

// `density` is in percent, rounded to whole elements (or runs). Not used where the pattern has its
// own. False where a tail is impossible, because too few elements are left outside of it.
bool word_stream_begin(
    struct word_stream *stream, const struct pattern *pattern, const uint8_t *mask, uint32_t count,
    double density);

// Makes the next `count` words into `out`. At most stream->count may be made.
void word_stream_next(struct word_stream *stream, uint32_t *out, uint32_t count);

// The hash of a word, as added up in `sum`.
uint64_t word_stream_hash(uint32_t word);
