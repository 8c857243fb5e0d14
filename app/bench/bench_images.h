// Images as streams: a pixel is kept if it is bright enough.
//
// Three images are made here by formulas, after the subjects of table 1 of Moreira et al. 2009, New
// Algorithms. They are not the paper's images. Any PNG can be used, too.
#pragma once

#include "volumes/base/problem.h"

#include <stdbool.h>
#include <stdint.h>

struct bench_image {
    double (*at)(double x, double y); // brightness in the unit square; NULL: read from a file
    uint32_t width, height;           // of the image in the file
    uint8_t *grey;                    // width * height brightnesses
};

// `name` is a word of word_image, or a PNG file, whose colours become brightness. PROBLEM_INPUT:
// the file cannot be read.
bool bench_image_open(const char *name, struct bench_image *out, struct problem *problem);
void bench_image_close(struct bench_image *image);

// Thresholds the image at side * side pixels (for a file: the mean over the area of each pixel). A
// pixel of `mask` is 1 if it is at least `percent` of white, else 0; with `negative` inverted.
void bench_image_mask(
    const struct bench_image *image, uint32_t side, double percent, bool negative, uint8_t *mask);
