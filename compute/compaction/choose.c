// Moreira et al. leave as future work a meta-algorithm that picks the fastest of theirs by the
// data. Here the data is the last step's: between two frames a stream changes little.
//
// How a step's time differs from the predicted one is half the method's own doing and half the
// stream's: a method not yet seen on this stream is taken to differ by n/(n+1) of what the n seen
// ones have in common. What is known of a method that does not run fades towards that, too.
//
// Only what runs can be corrected. So those that the table puts close to the best get their tries,
// once the held one has had its own: such a step takes as long again at most, and there are few.
#include "compute/compaction/choose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float NEWEST = 0.2f;  // weight of the newest step among those before it
static const float FADES = 0.008f; // of what is known of the others, at each step

// Why not this one; NULL: it may run.
static const char *selector_gate(
    const struct chooser *chooser, const struct gpu *gpu, const struct method *method,
    const struct choose_stream *stream)
{
    if (method->picks) {
        return "it picks";
    }
    if (method->removes && !stream->removals) {
        return "it needs a removal list";
    }
    if (method->order < stream->order) {
        return "the order would be lost";
    }
    if (stream->in_place && !method->in_place) {
        return "it does not work in place";
    }
    // Progress between workgroups is not promised anywhere: first it must have shown itself.
    if (method->waits &&
        (!chooser->times || times_predict(chooser->times, method, &stream->is) <= 0)) {
        return "its workgroups wait for each other, and it has not been measured here";
    }
    return method_refuses(method, gpu, stream->most_lanes);
}

static uint32_t selector_density(const struct times_stream *stream)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < TIMES_DENSITIES; i++) {
        const double halfway = sqrt(times_densities[i - 1] * times_densities[i]);
        best = stream->density > halfway ? i : best;
    }
    return best;
}

// Uncorrected; 0: unknown.
static double selector_predict(
    const struct chooser *chooser, const struct gpu *gpu, const struct method *method,
    const struct times_stream *stream, bool *measured)
{
    const double ms = chooser->times ? times_predict(chooser->times, method, stream) : 0;
    *measured = ms > 0;
    return ms > 0 ? ms : times_guess(gpu, method, stream);
}

// What the methods seen at this density have in common, as far as others are taken to share it.
static double selector_common_ratio(const struct chooser *chooser, uint32_t density)
{
    double sum = 0;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < method_count(); i++) {
        if (chooser->seen[i][density].steps > 0) {
            sum += log(chooser->seen[i][density].ratio);
            seen++;
        }
    }
    return seen ? exp(sum / (seen + 1)) : 1;
}

static double selector_corrected(
    const struct chooser *chooser, const struct method *method, uint32_t density, double ms)
{
    const uint32_t row = method_row(method);
    return ms * (chooser->seen[row][density].steps > 0 ? chooser->seen[row][density].ratio
                                                       : selector_common_ratio(chooser, density));
}

struct candidate {
    const struct method *method;
    double ms;
    bool measured;
};

// How `next` stands to the chosen one is said by `relation`.
static void selector_explain(
    const struct choose_stream *stream, const struct chooser *chooser,
    const struct candidate *chosen, const char *relation, const struct candidate *next,
    struct choice *out)
{
    static const char *const units[STREAMS] = { "bricks", "rows of 32 cells", "words" };
    const uint32_t row = method_row(chosen->method);
    const bool seen = chooser->seen[row][selector_density(&stream->is)].steps > 0;
    out->method = chosen->method;
    out->ms = chosen->ms;
    int length = snprintf(
        out->why, sizeof out->why, "%.3g ms predicted for %.0f %s, %s%.2g %% kept (%s%s)",
        chosen->ms, stream->is.lanes, units[stream->is.stream], stream->guessed ? "perhaps " : "",
        100 * stream->is.density, chosen->measured ? "table" : "bytes moved: not calibrated",
        seen ? ", corrected" : "");
    if (next->method && length < (int)sizeof out->why) {
        snprintf(
            out->why + length, sizeof out->why - (size_t)length, "; %s %s %.3g", relation,
            next->method->name, next->ms);
    }
}

static bool selector_is_tried(
    const struct chooser *chooser, const struct candidate *candidate, uint32_t density)
{
    return chooser->seen[method_row(candidate->method)][density].tries >= CHOOSE_TRIES;
}

// The method as a candidate; its `method` is NULL where it is out of the question, and the reason
// in *why.
static struct candidate selector_candidate(
    const struct chooser *chooser, const struct gpu *gpu, const struct method *method,
    const struct choose_stream *stream, const char **why)
{
    struct candidate one = { 0 };
    const char *closed = selector_gate(chooser, gpu, method, stream);
    if (!closed) {
        one.ms = selector_predict(chooser, gpu, method, &stream->is, &one.measured);
        one.ms = selector_corrected(chooser, method, selector_density(&stream->is), one.ms);
        closed = one.ms > 0 ? NULL : "nothing is known of its speed";
    }
    if (closed) {
        *why = method->picks ? *why : closed;
        return (struct candidate){ 0 };
    }
    one.method = method;
    return one;
}

// What was measured goes before what is only guessed: their milliseconds are not the same.
static bool selector_prefers(const struct candidate *a, const struct candidate *b)
{
    return !b->method || (a->measured != b->measured ? a->measured : a->ms < b->ms);
}

// The cheapest that is still to be tried; without a method where there is none.
static struct candidate selector_next_trial(
    const struct chooser *chooser, const struct choose_stream *stream,
    const struct candidate *candidates, uint32_t count, const struct candidate *best,
    uint32_t density)
{
    struct candidate next = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        const struct candidate *one = &candidates[i];
        if (one->measured && stream->ready[method_row(one->method)] &&
            one->ms < best->ms * (1 + CHOOSE_TRY) && !selector_is_tried(chooser, one, density) &&
            selector_prefers(one, &next)) {
            next = *one;
        }
    }
    return next;
}

void choose(
    struct chooser *chooser, const struct gpu *gpu, const struct choose_stream *stream,
    struct choice *out)
{
    const uint32_t density = selector_density(&stream->is);
    struct candidate candidates[METHODS_MOST], best = { 0 }, second = { 0 }, held = { 0 };
    uint32_t count = 0;
    const char *why = "";
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        const struct candidate one = selector_candidate(chooser, gpu, method, stream, &why);
        if (!one.method) {
            continue;
        }
        candidates[count++] = one;
        if (method == chooser->method) {
            held = one;
        }
        if (selector_prefers(&one, &best)) {
            second = best;
            best = one;
        } else if (selector_prefers(&one, &second)) {
            second = one;
        }
    }
    *out = (struct choice){ 0 };
    if (!best.method) {
        snprintf(out->why, sizeof out->why, "no method can run it: %s", why);
        return;
    }
    // Another stream by now, or another way of knowing: nothing to hold on to.
    const double grown = chooser->lanes > 0 ? stream->is.lanes / chooser->lanes : 1;
    if (!held.method || held.measured != best.measured || grown > 4 || grown < 0.25) {
        held = best;
        chooser->urged = 0;
        chooser->lanes = stream->is.lanes;
        for (uint32_t row = 0; row < method_count(); row++) {
            for (uint32_t d = 0; d < TIMES_DENSITIES; d++) {
                chooser->seen[row][d].tries = 0;
            }
        }
    }
    const bool both =
        selector_is_tried(chooser, &held, density) && selector_is_tried(chooser, &best, density);
    const double gain = both ? CHOOSE_GAIN_TRIED : CHOOSE_GAIN;
    chooser->urged = best.ms < held.ms * (1 - gain) ? chooser->urged + 1 : 0;
    if (chooser->urged >= CHOOSE_STEPS) {
        held = best;
        chooser->urged = 0;
    }
    chooser->method = held.method;
    if (held.measured && selector_is_tried(chooser, &held, density)) {
        const struct candidate next =
            selector_next_trial(chooser, stream, candidates, count, &best, density);
        if (next.method) {
            selector_explain(stream, chooser, &next, "tried beside", &held, out);
            return;
        }
    }
    const struct candidate *other = held.method == best.method ? &second : &best;
    selector_explain(
        stream, chooser, &held, other->ms < held.ms ? "held though" : "next", other, out);
}

void choose_correct(
    struct chooser *chooser, const struct gpu *gpu, const struct times_stream *stream,
    const struct method *method, double ms)
{
    bool measured;
    const double predicted = selector_predict(chooser, gpu, method, stream, &measured);
    const uint32_t row = method_row(method);
    const bool met = chooser->met[row];
    const uint32_t density = selector_density(stream);
    chooser->met[row] = true;
    if (!met || ms <= 0 || predicted <= 0) {
        // A try that told nothing was one: it would go on for ever.
        chooser->seen[row][density].tries += met && method != chooser->method;
        return;
    }
    chooser->seen[row][density].tries++;
    // The mean of the first few, then the newest count more.
    const uint32_t steps = ++chooser->seen[row][density].steps;
    const float ratio = (float)(ms / predicted), before = chooser->seen[row][density].ratio;
    const float weight = 1.0f / (float)steps > NEWEST ? 1.0f / (float)steps : NEWEST;
    chooser->seen[row][density].ratio = before + weight * (ratio - before);
    // The others may have had a slow moment, or the device had: in time they get another chance.
    const double shared = selector_common_ratio(chooser, density);
    for (uint32_t i = 0; i < method_count(); i++) {
        float *other = &chooser->seen[i][density].ratio;
        if (i != row && chooser->seen[i][density].steps > 0) {
            *other *= (float)pow(shared / *other, FADES);
        }
    }
}

void choose_by(struct chooser *chooser, const struct times *times)
{
    *chooser = (struct chooser){ .times = times };
}
