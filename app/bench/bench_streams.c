#include "app/bench/bench_streams.h"

#include "shaders/shared/compaction.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// splitmix64
static uint64_t word_stream_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint64_t word_stream_hash(uint32_t word)
{
    return word_stream_mix(word + 0x9e3779b97f4a7c15u);
}

uint32_t word_stream_payload(uint32_t place, uint32_t word)
{
    return (uint32_t)word_stream_hash(place * 16 + word);
}

// Selection sampling (Knuth, 3.4.2, S): goes over the places once, and draws exactly the requested
// number.
static bool word_stream_draw(struct word_stream *stream)
{
    stream->state += 0x9e3779b97f4a7c15u;
    const uint64_t random = word_stream_mix(stream->state) >> 32;
    const bool drawn = random * stream->places < (uint64_t)stream->draws << 32;
    stream->places--;
    stream->draws -= drawn;
    return drawn;
}

static uint32_t word_stream_share_of(uint32_t count, double percent)
{
    return (uint32_t)llround(count * (percent / 100));
}

bool word_stream_begin(
    struct word_stream *stream, const struct pattern *pattern, const uint8_t *mask, uint32_t count,
    double density)
{
    *stream =
        (struct word_stream){ .pattern = *pattern, .mask = mask, .count = count, .places = count };
    stream->asked = pattern_takes_density(pattern) ? density : 0;
    stream->draws = word_stream_share_of(count, density);
    if (pattern->kind == PATTERN_RUNS) {
        stream->places = count / pattern->run + (count % pattern->run != 0);
        stream->draws = word_stream_share_of(stream->places, density);
    } else if (pattern->kind == PATTERN_TAIL) {
        // Here the removed elements are drawn.
        const uint32_t removed = count - stream->draws;
        stream->tail_places = removed;
        stream->tail_draws = word_stream_share_of(removed, pattern->share);
        stream->places = count - removed;
        stream->draws = removed - stream->tail_draws;
        return stream->draws <= stream->places;
    }
    return true;
}

void word_stream_seed(struct word_stream *stream, uint32_t seed)
{
    stream->state = word_stream_mix(seed);
}

static bool word_stream_keep(struct word_stream *stream, uint32_t at, bool before)
{
    switch (stream->pattern.kind) {
    case PATTERN_RANDOM:
        return word_stream_draw(stream);
    case PATTERN_RUNS:
        return at % stream->pattern.run == 0 ? word_stream_draw(stream) : before;
    case PATTERN_TAIL:
        if (stream->places == 0) {
            stream->places = stream->tail_places;
            stream->draws = stream->tail_draws;
        }
        return !word_stream_draw(stream);
    case PATTERN_FIRST:
        return at == 0;
    case PATTERN_MIDDLE:
        return at == stream->count / 2;
    case PATTERN_LAST:
        return at == stream->count - 1;
    case PATTERN_ALTERNATING:
        return at % 2 == 0;
    case PATTERN_MASK:
        return stream->mask[at] != 0;
    }
    return false;
}

void word_stream_next(struct word_stream *stream, uint32_t *out, uint32_t count)
{
    // A run may have begun in the previous chunk.
    bool kept = stream->before;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t word = stream->at++;
        kept = word_stream_keep(stream, word, kept);
        out[i] = kept ? word : word | WORD_INVALID;
        stream->kept += kept;
        stream->sum += kept ? word_stream_hash(word) : 0;
    }
    stream->before = kept;
}
