// What the methods took on this device: milliseconds on a grid of streams, and between.
//
// The grid is spanned by the stream's length, the share that is kept, and how that lies: at random,
// or in runs. Two kinds of lanes: those of a single element (words, and bricks) and those of 32
// (the cell stream's).
#pragma once

#include "compute/compaction/compaction.h"

#define TIMES_LANES     2 // kinds of lanes: of one element, of 32
#define TIMES_SIZES     8
#define TIMES_DENSITIES 5
#define TIMES_PATTERNS  2  // at random, in runs
#define TIMES_RUN       64 // elements that are kept or dropped together in a pattern of runs
#define TIMES_LEAST_LOG2                                                                           \
    10 // the shortest stream, as a power of two; each next one is 4 times longer

extern const double times_densities[TIMES_DENSITIES]; // shares of 1, ascending

// Milliseconds, 0: not measured. By row of the table of methods. Zero means nothing was measured.
struct times {
    float ms[METHODS_MOST][TIMES_LANES][TIMES_SIZES][TIMES_DENSITIES][TIMES_PATTERNS];
};

static inline uint32_t times_lanes_of(enum stream stream)
{
    return stream == STREAM_CELLS;
}

// A stream, as far as the times of a compaction depend on it.
struct times_stream {
    enum stream stream;
    double lanes;
    double density; // kept elements of all, 0 to 1
    double run;     // mean length of an unbroken run of kept elements; 0: unknown
};

// What the method may take for such a stream: between the points of the grid, and beyond the
// longest in proportion. 0 where nothing was measured of it.
double times_predict(
    const struct times *times, const struct method *method, const struct times_stream *stream);

// A bound of what is moved tells what is not yet measured: 0 for methods of which not even that is
// known.
double
times_guess(const struct gpu *gpu, const struct method *method, const struct times_stream *stream);

// A number that changes with the table of methods and with any of their kernels: times measured
// under another one say nothing.
uint64_t times_kernels(void);
