// Streams of words for the tests of compaction: sizes, and patterns of kept words.
#pragma once

#include "shaders/shared/compaction.h"

#include <stdbool.h>
#include <stdint.h>

#define LARGEST 65537
#define POISON  0xdeadbeefu // no word of a test's stream

static uint32_t words_in[LARGEST], expected[LARGEST];

static uint32_t hash(uint32_t i)
{
    i = (i ^ i >> 16) * 0x7feb352du;
    i = (i ^ i >> 15) * 0x846ca68bu;
    return i ^ i >> 16;
}

// Which elements of a stream are kept.
static bool none(uint32_t i, uint32_t count)
{
    (void)i;
    (void)count;
    return false;
}
static bool all(uint32_t i, uint32_t count)
{
    (void)i;
    (void)count;
    return true;
}
static bool first(uint32_t i, uint32_t count)
{
    (void)count;
    return i == 0;
}
static bool middle(uint32_t i, uint32_t count)
{
    return i == count / 2;
}
static bool last(uint32_t i, uint32_t count)
{
    return i == count - 1;
}
static bool alternating(uint32_t i, uint32_t count)
{
    (void)count;
    return i % 2 == 1;
}
static bool every_97th(uint32_t i, uint32_t count)
{
    (void)count;
    return i % 97 == 13;
}
static bool half(uint32_t i, uint32_t count)
{
    (void)count;
    return hash(i) % 2;
}
static bool sparse(uint32_t i, uint32_t count)
{
    (void)count;
    return hash(i) % 50 == 0;
}
static bool dense(uint32_t i, uint32_t count)
{
    (void)count;
    return hash(i) % 20 != 0;
}
static bool runs(uint32_t i, uint32_t count)
{
    (void)count;
    return hash(i / 300) % 2;
}

static const struct pattern {
    const char *name;
    bool (*keeps)(uint32_t i, uint32_t count);
} patterns[] = {
    { "none", none },
    { "all", all },
    { "first", first },
    { "middle", middle },
    { "last", last },
    { "alternating", alternating },
    { "every 97th", every_97th },
    { "half", half },
    { "sparse", sparse },
    { "dense", dense },
    { "runs of 300", runs },
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

static const uint32_t sizes[] = {
    0, 1, 2, 31, 32, 33, 255, 256, 257, 1021, 2048, 4097, 8191, 65537
};
enum { SIZES = sizeof sizes / sizeof *sizes };

// Makes words_in and `expected`, and returns the number of kept words. No two words are equal.
static uint32_t make_stream(const struct pattern *pattern, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bool keep = pattern->keeps(i, count);
        const uint32_t word = (i * 2654435761u & 0x00ffffffu) | hash(i) << 24 >> 1;
        words_in[i] = (i ^ (word & 0x7f000000u)) | (keep ? 0 : WORD_INVALID);
        if (keep) {
            expected[kept++] = words_in[i];
        }
    }
    return kept;
}

// The position of the word in the stream.
static inline uint32_t place_of(uint32_t word)
{
    return word & 0x00ffffffu;
}

static int by_word(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}
