#include "compute/casting/spans.h"

#include <math.h>

// A span is longer than its cubes need by this fraction of the volume's extent in t.
#define SPANS_MARGIN (1.0 / 1024)

static uint32_t spans_squares(uint64_t pixels)
{
    return (uint32_t)((pixels + SPAN_SIDE - 1) / SPAN_SIDE);
}

uint64_t spans_words(uint64_t pixels)
{
    // A cast of one row, or of one column, has the most squares per pixel.
    return 2 * (pixels / SPAN_SIDE + 2);
}

void spans_of(
    const struct rays *rays, const uint32_t base[3], const uint32_t dim[3], int32_t x, int32_t y,
    uint32_t width, uint32_t height, struct spans_push *out)
{
    const double perspective = (double)rays->perspective;
    double column[4][4], inverse[3][3], origin[3], row[3][4];
    // With perspective, a point is origin + s * (x * across + y * down + rest). Without, it is
    // origin + x * across + y * down - t * eye.
    for (int k = 0; k < 3; k++) {
        const double anchor = (double)rays->anchor[k], eye = (double)rays->eye[k];
        column[0][k] = (double)rays->across[k];
        column[1][k] = (double)rays->down[k];
        column[2][k] = perspective * anchor - eye;
        origin[k] = (perspective == 0 ? anchor : eye) - base[k];
    }
    rays_invert(column, inverse);
    for (int i = 0; i < 3; i++) {
        row[i][3] = 0;
        for (int k = 0; k < 3; k++) {
            row[i][k] = inverse[i][k];
            row[i][3] -= inverse[i][k] * origin[k];
        }
    }
    row[2][3] -= perspective; // with perspective, t is s - 1
    const double first[2] = { x, y };
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 4; k++) {
            row[i][k] -= first[i] * (perspective * row[2][k] + (k == 3));
        }
    }
    *out = (struct spans_push){
        .perspective = rays->perspective,
        .across = spans_squares(width),
        .down = spans_squares(height),
    };
    double length = 0;
    for (int k = 0; k < 4; k++) {
        out->x[k] = (float)row[0][k];
        out->y[k] = (float)row[1][k];
        out->t[k] = (float)row[2][k];
        length += k < 3 ? fabs(row[2][k]) * (dim[k] - 1) : 0;
    }
    out->margin = (float)(length * SPANS_MARGIN);
}
