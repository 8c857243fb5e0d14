#include "app/cli/extract_input.h"

#include "app/cli/extract_share.h"
#include "app/cli/slice_sums.h"
#include "app/ranks/ranks.h"

#include <stdlib.h>
#include <string.h>

// What the ranks' inputs have in common, if they are the same.
struct input_mark {
    uint32_t dim[3], middle;
    int32_t type, file_type, frame, pad;
    double spacing[3], origin[3], direction[9];
    uint64_t bytes;
};

static void input_mark(const struct folder_input *input, struct input_mark *out)
{
    const struct volume *volume = &input->head.volume;
    memset(out, 0, sizeof *out);
    memcpy(out->dim, volume->dim, sizeof out->dim);
    memcpy(out->spacing, volume->spacing, sizeof out->spacing);
    memcpy(out->origin, volume->origin, sizeof out->origin);
    memcpy(out->direction, volume->direction, sizeof out->direction);
    out->type = volume->type;
    out->file_type = volume->file_type;
    out->frame = volume->frame;
    out->bytes = input->head.input_bytes;
    out->middle = input->middle;
}

// Collective. Each rank compares its input with the first rank's: a node may have a copy of its
// own, or an old one.
static bool input_is_same(const struct folder_input *input, struct problem *problem)
{
    const size_t count = (size_t)ranks()->count;
    struct input_mark own, *all = calloc(count, sizeof *all);
    if (!all) {
        return problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory comparing inputs");
    }
    input_mark(input, &own);
    bool fine = ranks_gather(&own, sizeof own, all, problem);
    const struct input_mark *first = &all[0];
    if (fine && memcmp(&own, first, sizeof own) != 0) {
        const bool dims = memcmp(own.dim, first->dim, sizeof own.dim) != 0;
        const char *what = dims                          ? "another size"
                           : own.bytes != first->bytes   ? "another number of bytes"
                           : own.middle != first->middle ? "other samples in its middle slice"
                                                         : "another type, spacing or origin";
        fine = problem_set(
            problem, PROBLEM_INPUT,
            "'%.400s' is not the file that rank 0 reads: it has %s; all processes need the same "
            "input",
            input->path, what);
    }
    free(all);
    return fine;
}

// The checksum of the slice in the middle, which each share has.
static bool
input_read_middle(struct session *session, struct folder_input *input, struct problem *problem)
{
    struct slice_sum middle = { .z = session->volume.dim[2] / 2 };
    struct slice_sums sums;
    slice_sums_begin(&session->volume, &session->file, &middle, 1, &sums);
    if (!slice_sums_read(&sums, UINT32_MAX, problem)) {
        return false;
    }
    input->middle = middle.sum;
    return true;
}

bool extract_input_open(
    struct session *session, const struct options *options, struct folder_input *input,
    struct problem *problem)
{
    return extract_load(session, input->path, options, &input->head, problem) &&
           input_read_middle(session, input, problem) && input_is_same(input, problem);
}
