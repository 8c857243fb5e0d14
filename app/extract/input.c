#include "app/extract/input.h"

#include "app/extract/share.h"
#include "app/extract/slice_sums.h"
#include "app/ranks/ranks.h"

// The checksum of the slice in the middle, which each share has.
static bool
input_read_middle(struct session *session, struct folder_input *input, struct problem *problem)
{
    if (ranks()->count > 1) {
        input->middle = session->middle;
        return true;
    }
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
           input_read_middle(session, input, problem);
}
