#include "app/base/progress.h"
#include "app/base/target.h"
#include "app/cli/options.h"
#include "volumes/formats/write.h"

#include <stdio.h>

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
    bool gzip = false;
    const struct volume_format *format =
        options->volume_format
            ? options->volume_format
            : volume_format_of(options->output, volume_format_find("raw"), &gzip, problem);
    if (!format || !target_check(options->output, NULL, problem)) {
        return false;
    }
    const double start = clock_ms();
    struct progress_meter meter;
    const struct progress progress = progress_to_terminal(&meter, "generating");
    meter.bytes = (uint64_t)dim[0] * dim[1] * dim[2] * volume_type_size(type);
    const struct volume_write_params params = {
        .gzip = gzip || options->gzip,
        .progress = &progress,
    };
    const bool fine =
        volume_write_generated(name, dim, type, format, options->output, &params, problem);
    progress_end(&meter);
    if (fine && options->verbose) {
        fprintf(
            stderr, "cubist: %s of %u x %u x %u samples, %s, in %.0f ms\n", name, dim[0], dim[1],
            dim[2], volume_type_name(type), clock_ms() - start);
    }
    return fine;
}
