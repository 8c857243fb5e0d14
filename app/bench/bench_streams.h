// The streams that bench compacts: which elements of so many are kept. The same on every machine.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pattern_kind {
    PATTERN_RANDOM, // anywhere
    PATTERN_RUNS,   // in runs of `run` elements; neighbouring runs may touch
    PATTERN_TAIL,   // of the k elements that are not kept, `share` percent are among the last k
    PATTERN_FIRST,  // one element
    PATTERN_MIDDLE, // the same
    PATTERN_LAST,   // the same
    PATTERN_ALTERNATING, // every second
    PATTERN_MASK,        // as a mask says
};

struct pattern {
    enum pattern_kind kind;
    uint32_t run;
    double share;
};

// Reads "random", "runs:64", "tail:25", "first", "middle", "last" or "alternating".
bool pattern_parse(const char *text, size_t length, struct pattern *out);
const char *pattern_text(const struct pattern *pattern, char text[32]);

// Whether it comes in every density, or in one of its own.
bool pattern_takes_density(const struct pattern *pattern);

// Words of a stream, made piece by piece. A word is its own place, with WORD_INVALID where it is
// not kept.
struct word_stream {
    struct pattern pattern;
    const uint8_t *mask; // of PATTERN_MASK: not 0 where kept
    uint32_t count, at;  // words, and how many are made
    uint32_t kept;       // of those
    uint64_t sum;        // of their hashes: equal for the same words in any order
    // How many places there are yet to draw from, and how many to draw: of the whole stream, or of
    // runs; for PATTERN_TAIL first before the tail, then in it.
    uint32_t places, draws, tail_places, tail_draws;
    bool before;    // whether the last word made is kept
    uint64_t state; // of the random numbers
};

// `density` in percent; where the pattern takes one, as near to it as whole elements (or runs)
// come. False where a tail cannot be so: then too few elements are left outside of it.
bool word_stream_begin(
    struct word_stream *stream, const struct pattern *pattern, const uint8_t *mask, uint32_t count,
    double density);

// Makes the next words: stream->count in all.
void word_stream_next(struct word_stream *stream, uint32_t *words, uint32_t count);

// What `sum` adds up.
uint64_t word_stream_hash(uint32_t word);
