#include "app/bench/bench_streams.h"

#include "app/base/number.h"
#include "shaders/shared/compaction.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
    [PATTERN_RANDOM] = "random",
    [PATTERN_RUNS] = "runs:",
    [PATTERN_TAIL] = "tail:",
    [PATTERN_FIRST] = "first",
    [PATTERN_MIDDLE] = "middle",
    [PATTERN_LAST] = "last",
    [PATTERN_ALTERNATING] = "alternating",
};
enum { NAMES = sizeof names / sizeof *names };

bool pattern_parse(const char *text, size_t length, struct pattern *out)
{
    for (int i = 0; i < NAMES; i++) {
        const size_t head = strlen(names[i]);
        if (head > length || memcmp(text, names[i], head) != 0) {
            continue;
        }
        *out = (struct pattern){ .kind = (enum pattern_kind)i };
        if (i == PATTERN_RUNS) {
            uint64_t run = 0;
            const enum whole whole = whole_parse(text + head, length - head, 1u << 28, &run);
            out->run = (uint32_t)run;
            return whole == WHOLE_OK && run > 0;
        }
        if (i == PATTERN_TAIL) {
            return number_parse(text + head, length - head, &out->share) && out->share >= 0 &&
                   out->share <= 100;
        }
        return head == length;
    }
    return false;
}

const char *pattern_text(const struct pattern *pattern, char text[32])
{
    char number[32];
    switch (pattern->kind) {
    case PATTERN_RUNS:
        snprintf(text, 32, "runs:%u", pattern->run);
        break;
    case PATTERN_TAIL:
        snprintf(text, 32, "tail:%.20s", number_text(pattern->share, number));
        break;
    case PATTERN_MASK:
        snprintf(text, 32, "image");
        break;
    default:
        snprintf(text, 32, "%s", names[pattern->kind]);
    }
    return text;
}

bool pattern_takes_density(const struct pattern *pattern)
{
    return pattern->kind == PATTERN_RANDOM || pattern->kind == PATTERN_RUNS ||
           pattern->kind == PATTERN_TAIL;
}

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

// Selection sampling (Knuth, 3.4.2, S): visits the places once and draws exactly the requested
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

void word_stream_next(struct word_stream *stream, uint32_t *words, uint32_t count)
{
    // A run may have begun in the chunk before.
    bool kept = stream->before;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t word = stream->at++;
        kept = word_stream_keep(stream, word, kept);
        words[i] = kept ? word : word | WORD_INVALID;
        stream->kept += kept;
        stream->sum += kept ? word_stream_hash(word) : 0;
    }
    stream->before = kept;
}
