#include "app/options.h"
#include "app/progress.h"
#include "app/target.h"
#include "volumes/generate.h"
#include "volumes/output.h"

#include <stdio.h>

// Written and asked for cancelling in pieces of so many samples.
#define PIECE ((uint64_t)1 << 16)

// A volume in memory is never float64: such files are float32 volumes, widened on the way out.
static bool write_piece(
    struct output *output, const struct volume *volume, bool widen, uint64_t at, uint64_t count,
    struct problem *problem)
{
    const size_t size = volume_type_size(volume->type);
    if (!widen) {
        const unsigned char *bytes = volume->samples;
        return output_write(output, bytes + at * size, count * size, problem);
    }
    const float *samples = volume->samples;
    double wide[512];
    for (uint64_t done = 0; done < count;) {
        size_t filled = 0;
        while (filled < sizeof wide / sizeof *wide && done < count) {
            wide[filled++] = samples[at + done++];
        }
        if (!output_write(output, wide, filled * sizeof *wide, problem)) {
            return false;
        }
    }
    return true;
}

static bool
write_samples(const struct volume *volume, bool widen, const char *target, struct problem *problem)
{
    struct output output;
    if (!output_open(target, &output, problem)) {
        return false;
    }
    const uint64_t total = volume_count(volume);
    for (uint64_t at = 0; at < total; at += PIECE) {
        const uint64_t count = total - at < PIECE ? total - at : PIECE;
        if (!write_piece(&output, volume, widen, at, count, problem) || !progress_go_on(problem)) {
            output_abort(&output);
            return false;
        }
    }
    return output_commit(&output, problem);
}

bool command_generate(const struct options *options, struct problem *problem)
{
    static const uint32_t usual[3] = { 128, 128, 128 };
    const char *name = options->operands[0];
    const uint32_t *dim = options->volume.dim[0] ? options->volume.dim : usual;
    const enum volume_type type = options->volume.type;
    if (!options->output) {
        return problem_set(
            problem, PROBLEM_USAGE,
            "generate needs a file to write, such as -o %.40s_%ux%ux%u_%s.raw", name, dim[0],
            dim[1], dim[2], volume_type_name(type));
    }
    if (!target_check(options->output, ".raw", NULL, problem)) {
        return false;
    }
    struct volume volume = { 0 };
    const bool widen = type == VOLUME_FLOAT64;
    const enum volume_type kept = widen ? VOLUME_FLOAT32 : type;
    const bool fine = volume_generate(name, dim, kept, &volume, problem) &&
                      progress_go_on(problem) &&
                      write_samples(&volume, widen, options->output, problem);
    volume_destroy(&volume);
    return fine;
}
