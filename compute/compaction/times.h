// Times of the methods on this device: milliseconds at the points of a grid, interpolated between
// the points.
//
// The axes of the grid are the stream's length, the share that is kept, and the pattern: at random
// or in runs. There are two kinds of lanes: those with one element (words and bricks) and those
// with 32 (cells).
#pragma once

#include "compute/compaction/compaction.h"

#define TIMES_LANES      2 // kinds of lanes: with one element, with 32
#define TIMES_SIZES      8
#define TIMES_DENSITIES  5
#define TIMES_PATTERNS   2  // at random, in runs
#define TIMES_RUN        64 // elements that are kept or dropped together in runs
#define TIMES_LEAST_LOG2 10 // log2 of the shortest length; each next one is 4 times as long

extern const double times_densities[TIMES_DENSITIES]; // shares of 1, ascending

// Milliseconds by row of the table of methods; 0: not measured.
struct times {
    float ms[METHODS_MOST][TIMES_LANES][TIMES_SIZES][TIMES_DENSITIES][TIMES_PATTERNS];
};

static inline uint32_t times_lanes_of(enum stream stream)
{
    return stream == STREAM_CELLS;
}

// The properties of a stream that the time of a compaction depends on.
struct times_stream {
    enum stream stream;
    double lanes;
    double density; // share of the elements that is kept, 0 to 1
    double run;     // mean length of a run of kept elements; 0: unknown
};

// The predicted time of the method for this stream: interpolated between the points of the grid,
// and in proportion beyond the longest length. 0 if the method was not measured.
double times_predict(
    const struct times *times, const struct method *method, const struct times_stream *stream);

// A guess for a method that was not measured, by a bound on the bytes that it moves. 0 if no bound
// is known.
double
times_guess(const struct gpu *gpu, const struct method *method, const struct times_stream *stream);

// A hash of the table of methods and of all their kernels. Times measured with another hash are
// invalid.
uint64_t times_kernels(void);
