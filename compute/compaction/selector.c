// Moreira et al. name as future work a meta-algorithm that selects the fastest of their methods by
// the data. Here the data are those of the last step: between two frames a stream changes little.
//
// A step's measured time differs from the prediction for two reasons: the method and the stream.
// Both are assumed to weigh the same. The stream's part is estimated from the n methods that ran on
// it: a method that has not run is expected to differ by n/(n+1) of their mean difference. The
// correction of a method that does not run fades towards that value.
//
// Only a method that runs can be corrected. So a method that is predicted to be close to the best
// is tried for a few steps, once the current one has been tried. Such a step takes twice as long at
// most.
#include "compute/compaction/selector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float NEWEST = 0.2f;  // weight of the newest step
static const float FADES = 0.008f; // share of the other corrections that is forgotten at each step

// Why the method cannot run; NULL if it can.
static const char *selector_gate(
    const struct selector *selector, const struct gpu *gpu, const struct method *method,
    const struct selector_stream *stream)
{
    if (method->selects) {
        return "it selects another method";
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
    // Vulkan does not promise that a workgroup makes progress while another one waits for it. So
    // the method must have been measured on this device first.
    if (method->waits &&
        (!selector->times || times_predict(selector->times, method, &stream->expected) <= 0)) {
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

// The prediction without corrections; 0: unknown.
static double selector_predict(
    const struct selector *selector, const struct gpu *gpu, const struct method *method,
    const struct times_stream *stream, bool *measured)
{
    const double ms = selector->times ? times_predict(selector->times, method, stream) : 0;
    *measured = ms > 0;
    return ms > 0 ? ms : times_guess(gpu, method, stream);
}

// The ratio of measured to predicted time that is expected of a method that has not run at this
// density (see the top of this file).
static double selector_common_ratio(const struct selector *selector, uint32_t density)
{
    double sum = 0;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < method_count(); i++) {
        if (selector->history[i][density].steps > 0) {
            sum += log(selector->history[i][density].ratio);
            seen++;
        }
    }
    return seen ? exp(sum / (seen + 1)) : 1;
}

static double selector_corrected(
    const struct selector *selector, const struct method *method, uint32_t density, double ms)
{
    const uint32_t row = method_row(method);
    return ms * (selector->history[row][density].steps > 0
                     ? selector->history[row][density].ratio
                     : selector_common_ratio(selector, density));
}

struct selector_candidate {
    const struct method *method;
    double ms;
    bool measured;
};

// Writes the reason. `relation` is a phrase about `next`, compared with the selected method.
static void selector_explain(
    const struct selector_stream *stream, const struct selector *selector,
    const struct selector_candidate *selected, const char *relation,
    const struct selector_candidate *next, struct selection *out)
{
    static const char *const units[STREAMS] = {
        [STREAM_BRICKS] = "bricks",
        [STREAM_CELLS] = "rows of 32 cells",
        [STREAM_WORDS] = "words",
    };
    const uint32_t row = method_row(selected->method);
    const bool seen = selector->history[row][selector_density(&stream->expected)].steps > 0;
    out->method = selected->method;
    out->ms = selected->ms;
    int length = snprintf(
        out->why, sizeof out->why, "%.3g ms predicted for %.0f %s, %s%.2g %% kept (%s%s)",
        selected->ms, stream->expected.lanes, units[stream->expected.stream],
        stream->guessed ? "perhaps " : "", 100 * stream->expected.density,
        selected->measured ? "table" : "bytes moved: not calibrated", seen ? ", corrected" : "");
    if (next->method && length < (int)sizeof out->why) {
        snprintf(
            out->why + length, sizeof out->why - (size_t)length, "; %s %s %.3g", relation,
            next->method->name, next->ms);
    }
}

static bool selector_is_tried(
    const struct selector *selector, const struct selector_candidate *candidate, uint32_t density)
{
    return selector->history[method_row(candidate->method)][density].tries >= SELECTOR_TRIES;
}

// The method as a candidate. Its `method` is NULL if it cannot be selected; then *why is the
// reason.
static struct selector_candidate selector_candidate(
    const struct selector *selector, const struct gpu *gpu, const struct method *method,
    const struct selector_stream *stream, const char **why)
{
    struct selector_candidate one = { 0 };
    const char *closed = selector_gate(selector, gpu, method, stream);
    if (!closed) {
        one.ms = selector_predict(selector, gpu, method, &stream->expected, &one.measured);
        one.ms = selector_corrected(selector, method, selector_density(&stream->expected), one.ms);
        closed = one.ms > 0 ? NULL : "nothing is known of its speed";
    }
    if (closed) {
        *why = method->selects ? *why : closed;
        return (struct selector_candidate){ 0 };
    }
    one.method = method;
    return one;
}

// A measured time is preferred to a guessed one: their milliseconds cannot be compared.
static bool selector_prefers(const struct selector_candidate *a, const struct selector_candidate *b)
{
    return !b->method || (a->measured != b->measured ? a->measured : a->ms < b->ms);
}

// The cheapest method that is still to be tried; its `method` is NULL if there is none.
static struct selector_candidate selector_next_trial(
    const struct selector *selector, const struct selector_stream *stream,
    const struct selector_candidate *candidates, uint32_t count,
    const struct selector_candidate *best, uint32_t density)
{
    struct selector_candidate next = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        const struct selector_candidate *one = &candidates[i];
        if (one->measured && stream->ready[method_row(one->method)] &&
            one->ms < best->ms * (1 + SELECTOR_TRY) && !selector_is_tried(selector, one, density) &&
            selector_prefers(one, &next)) {
            next = *one;
        }
    }
    return next;
}

void selector_select(
    struct selector *selector, const struct gpu *gpu, const struct selector_stream *stream,
    struct selection *out)
{
    const uint32_t density = selector_density(&stream->expected);
    struct selector_candidate candidates[METHODS_MOST], best = { 0 }, second = { 0 }, held = { 0 };
    uint32_t count = 0;
    const char *why = "";
    *out = (struct selection){ 0 };
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        const struct selector_candidate one =
            selector_candidate(selector, gpu, method, stream, &why);
        if (!one.method) {
            continue;
        }
        candidates[count++] = one;
        out->predicted_ms[method_row(method)] = (float)one.ms;
        if (method == selector->method) {
            held = one;
        }
        if (selector_prefers(&one, &best)) {
            second = best;
            best = one;
        } else if (selector_prefers(&one, &second)) {
            second = one;
        }
    }
    if (!best.method) {
        snprintf(out->why, sizeof out->why, "no method can run it: %s", why);
        return;
    }
    // The stream differs much from the last one, or times have become available: select afresh.
    const double grown = selector->lanes > 0 ? stream->expected.lanes / selector->lanes : 1;
    if (!held.method || held.measured != best.measured || grown > 4 || grown < 0.25) {
        held = best;
        selector->better_steps = 0;
        selector->lanes = stream->expected.lanes;
        for (uint32_t row = 0; row < method_count(); row++) {
            for (uint32_t d = 0; d < TIMES_DENSITIES; d++) {
                selector->history[row][d].tries = 0;
            }
        }
    }
    const bool both =
        selector_is_tried(selector, &held, density) && selector_is_tried(selector, &best, density);
    const double gain = both ? SELECTOR_GAIN_TRIED : SELECTOR_GAIN;
    selector->better_steps = best.ms < held.ms * (1 - gain) ? selector->better_steps + 1 : 0;
    if (selector->better_steps >= SELECTOR_STEPS) {
        held = best;
        selector->better_steps = 0;
    }
    selector->method = held.method;
    if (held.measured && selector_is_tried(selector, &held, density)) {
        const struct selector_candidate next =
            selector_next_trial(selector, stream, candidates, count, &best, density);
        if (next.method) {
            selector_explain(stream, selector, &next, "tried beside", &held, out);
            return;
        }
    }
    const struct selector_candidate *other = held.method == best.method ? &second : &best;
    selector_explain(
        stream, selector, &held, other->ms < held.ms ? "held though" : "next", other, out);
}

void selector_correct(
    struct selector *selector, const struct gpu *gpu, const struct times_stream *stream,
    const struct method *method, double ms)
{
    bool measured;
    const double predicted = selector_predict(selector, gpu, method, stream, &measured);
    const uint32_t row = method_row(method);
    const bool has_run = selector->has_run[row];
    const uint32_t density = selector_density(stream);
    selector->has_run[row] = true;
    if (!has_run || ms <= 0 || predicted <= 0) {
        // A trial without a time counts as well: otherwise it would go on for ever.
        selector->history[row][density].tries += has_run && method != selector->method;
        return;
    }
    selector->history[row][density].tries++;
    // The mean of the first steps; later the newest steps weigh more.
    const uint32_t steps = ++selector->history[row][density].steps;
    const float ratio = (float)(ms / predicted), before = selector->history[row][density].ratio;
    const float weight = 1.0f / (float)steps > NEWEST ? 1.0f / (float)steps : NEWEST;
    selector->history[row][density].ratio = before + weight * (ratio - before);
    // Corrections of the other methods fade: they may have been measured in a slow moment of the
    // device.
    const double shared = selector_common_ratio(selector, density);
    for (uint32_t i = 0; i < method_count(); i++) {
        float *other = &selector->history[i][density].ratio;
        if (i != row && selector->history[i][density].steps > 0) {
            *other *= (float)pow(shared / *other, FADES);
        }
    }
}

void selector_set_times(struct selector *selector, const struct times *times)
{
    *selector = (struct selector){ .times = times };
}
