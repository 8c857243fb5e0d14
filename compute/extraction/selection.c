// Selects the method for each stream of a step if the step's method is `auto`. Each stream's
// selector gets the counts and the times of the last step.

#include "compute/extraction/internal.h"

void extraction_set_times(struct extraction *extraction, const struct times *times)
{
    for (int stream = 0; stream < STREAMS; stream++) {
        selector_set_times(&extraction->selectors[stream], times);
    }
}

// A stream as in the last step; before the first step, typical values.
static struct times_stream selection_stream(const struct extraction *extraction, enum stream stream)
{
    const double all = extraction->atlas->brick_count;
    const double active = extraction->has_counts ? extraction->active_bricks : all / 4;
    if (stream == STREAM_BRICKS) {
        return (struct times_stream){ .stream = stream, .lanes = all, .density = active / all };
    }
    return (struct times_stream){
        .stream = stream,
        .lanes = active * BRICK_ROWS,
        .density = !extraction->has_counts ? 0.1
                   : active > 0            ? extraction->active_cells / (active * BRICK_CELLS)
                                           : 0,
    };
}

const char *extraction_refuses(const struct extraction *extraction, const struct method *method)
{
    return method_refuses(method, extraction->gpu, extraction_longest(extraction->atlas, method));
}

bool extraction_pick(
    struct extraction *extraction, const struct method *method,
    const struct compaction_size sizes[STREAMS], const struct method *methods[STREAMS],
    struct problem *problem)
{
    for (int i = 0; i < STREAMS; i++) {
        struct selection *selection = &extraction->selections[i];
        *selection = (struct selection){ .method = method };
        if (method->selects && sizes[i].lanes > 0) {
            struct selector_stream stream = {
                .expected = selection_stream(extraction, i),
                .guessed = !extraction->has_counts,
                .most_lanes = sizes[i].lanes,
            };
            for (uint32_t row = 0; row < method_count(); row++) {
                stream.ready[row] =
                    compaction_has_kernels(&extraction->compaction, method_at(row), i);
            }
            selector_select(&extraction->selectors[i], extraction->gpu, &stream, selection);
            if (!selection->method) {
                return problem_set(
                    problem, PROBLEM_UNSUPPORTED, "%s: %s", method->name, selection->why);
            }
        }
        methods[i] = selection->method;
    }
    return true;
}

void extraction_learn(struct extraction *extraction, const struct extraction_result *result)
{
    extraction->has_counts = true;
    extraction->active_bricks = (double)result->active_bricks;
    extraction->active_cells = (double)result->active_cells;
    static const struct {
        enum stage_kind stage;
        enum stream stream;
    } stages[] = { { STAGE_BRICKS, STREAM_BRICKS }, { STAGE_CELLS, STREAM_CELLS } };
    for (uint32_t i = 0; extraction->step.method->selects && i < 2 * result->stage_count; i++) {
        const enum stream stream = stages[i % 2].stream;
        if (result->stages[i / 2].kind == stages[i % 2].stage) {
            const struct times_stream was = selection_stream(extraction, stream);
            selector_correct(
                &extraction->selectors[stream], extraction->gpu, &was,
                extraction->selections[stream].method, result->stage_ms[i / 2]);
        }
    }
}
