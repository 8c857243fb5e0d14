// The streams that bench compacts: which of their elements are kept. A stream of the same seed is
// the same on every machine.
#pragma once

#include "app/cli/bench_plan.h"

// The words of a stream, made chunk by chunk. The value of a word is its position, with
// WORD_INVALID if the word is not kept.
struct word_stream {
    struct pattern pattern;
    const uint8_t *mask; // for PATTERN_MASK: not 0 where kept
    uint32_t count, at;  // number of words, and number of words made so far
    double asked;        // percent of kept elements that was asked for; 0: the pattern fixes it
    uint32_t kept;       // number of kept words so far
    uint64_t sum;        // sum of the hashes of the kept words: does not depend on their order
    // For selection sampling: how many places (words, or runs) and how many draws are left.
    // PATTERN_TAIL draws from the words before the tail, then from the tail.
    uint32_t places, draws, tail_places, tail_draws;
    bool before;    // whether the last word is kept
    uint64_t state; // of the random number generator
};

// `density`: percent of kept elements, rounded to whole elements (or runs); not used if the pattern
// fixes it. False: a tail is impossible, because too few elements are left outside of it.
bool word_stream_begin(
    struct word_stream *stream, const struct pattern *pattern, const uint8_t *mask, uint32_t count,
    double density);

// Selects the random numbers of a stream before its first word. Without a call: those of seed 0.
void word_stream_seed(struct word_stream *stream, uint32_t seed);

// Writes the next `count` words to `out`. All calls together make at most stream->count words.
void word_stream_next(struct word_stream *stream, uint32_t *out, uint32_t count);

// The hash of a word, as added up in `sum`.
uint64_t word_stream_hash(uint32_t word);

// A word of an element after its first one, which is number 0. `place`: the element's position.
uint32_t word_stream_payload(uint32_t place, uint32_t word);
