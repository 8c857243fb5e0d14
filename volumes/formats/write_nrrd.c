// NRRD (teem.sourceforge.net/nrrd/format.html), limited to what every reader supports: raw or gzip,
// little-endian, no skips, the header in the same file.

#include "volumes/formats/write.h"

#include <inttypes.h>
#include <locale.h>
#include <stdio.h>

static bool write_nrrd_fields(
    const struct volume *volume, bool gzip, struct output *output, struct problem *problem)
{
    static const char *const spaces[] = {
        [VOLUME_FRAME_UNSAID] = "space dimension: 3",
        [VOLUME_FRAME_LPS] = "space: left-posterior-superior",
        [VOLUME_FRAME_RAS] = "space: right-anterior-superior",
    };
    const bool wide = volume_type_size(volume->file_type) > 1;
    double v[9]; // the step along each axis, in the order that the file writes
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 3; k++) {
            // + 0 avoids negative zeros.
            v[3 * axis + k] = volume->direction[3 * k + axis] * volume->spacing[axis] + 0.0;
        }
    }
    char header[2048];
    const int size = snprintf(
        header, sizeof header,
        "NRRD0004\n"
        "# made by cubist\n"
        "type: %s\n"
        "dimension: 3\n"
        "%s\n"
        "sizes: %" PRIu32 " %" PRIu32 " %" PRIu32 "\n"
        "space directions: (%.17g,%.17g,%.17g) (%.17g,%.17g,%.17g) (%.17g,%.17g,%.17g)\n"
        "kinds: domain domain domain\n"
        "%s"
        "encoding: %s\n"
        "space origin: (%.17g,%.17g,%.17g)\n"
        "\n",
        volume->file_type == VOLUME_FLOAT32   ? "float"
        : volume->file_type == VOLUME_FLOAT64 ? "double"
                                              : volume_type_name(volume->file_type),
        spaces[volume->frame], volume->dim[0], volume->dim[1], volume->dim[2], v[0], v[1], v[2],
        v[3], v[4], v[5], v[6], v[7], v[8], wide ? "endian: little\n" : "", gzip ? "gzip" : "raw",
        volume->origin[0], volume->origin[1], volume->origin[2]);
    return output_write(output, header, (size_t)size, problem);
}

bool write_nrrd_header(
    const struct volume *volume, bool gzip, struct output *output, struct problem *problem)
{
    // The C locale writes a point as the decimal mark, whatever the user's locale.
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) {
        return problem_no_memory(problem, "writing", output->path);
    }
    const locale_t before = uselocale(plain);
    const bool fine = write_nrrd_fields(volume, gzip, output, problem);
    uselocale(before);
    freelocale(plain);
    return fine;
}
