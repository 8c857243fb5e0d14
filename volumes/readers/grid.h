// Arrays of a file that holds many, as HDF5 and NetCDF do: which of them is read, and which of its
// axes are x, y and z. Wrong input ends the process by protocol_refuse.
#pragma once

#include "volumes/readers/protocol.h"

#include <stddef.h>

#define GRID_AXES 8

struct grid_axis {
    char name[64], unit[64]; // "": none is stated
    uint64_t size;
    double *at;          // positions of all samples, malloc'ed; NULL: none are stated
    double direction[3]; // of the axis in space; zeros: along x, y or z
};

struct grid_array {
    char path[512];
    const char *type; // in the words of the protocol
    uint32_t number;  // for the caller
    int rank;
    struct grid_axis axis[GRID_AXES]; // the slowest first
};

enum { GRID_TIME, GRID_CHANNEL, GRID_LEVEL };

// Zero-initialised means no arrays. `facts.chosen` is the array that is read.
struct grid {
    struct grid_array *arrays;
    size_t count;
    int space[3];           // of that array: the axes that are x, y, z
    uint64_t at[GRID_AXES]; // the index along each other axis
    // Of MINC: the value of the sample `valid`, and the slope from there on, for each index along
    // the first `scaled` axes of that array. NULL: the samples are values.
    double valid, *least, *slope;
    int scaled;
    struct protocol_facts facts;
    json_t *remarks;
};

// Adds an array of three axes or more. Its path and rank are set, all else is zero. NULL: it has
// fewer axes, and is left out.
struct grid_array *grid_add(struct grid *grid, const char *path, int rank);

// Chooses the array of the key "array", else `preferred` if it is one, else the largest.
void grid_choose(struct grid *grid, const char *preferred);

// Chooses the array with this path, and returns it.
struct grid_array *grid_find(struct grid *grid, const char *path);

// Decides which axes of the chosen array are x, y and z. The keys "time" and "channel" select the
// index along the other axes.
void grid_place(struct grid *grid);

// Notes how many times, channels or levels there are. Returns the one that the key selects;
// `otherwise` if the key is not given.
uint64_t grid_select(struct grid *grid, int choice, uint64_t count, uint64_t otherwise);

// Says that the axis has equally spaced samples.
void grid_space(struct grid_axis *axis, double first, double step);

// Adds a remark.
__attribute__((format(printf, 2, 3))) void grid_remark(struct grid *grid, const char *format, ...);

// Attributes that say something about the values of an array, and what holds without them.
enum { GRID_FILL, GRID_MISSING, GRID_FACTOR, GRID_OFFSET, GRID_FIRST, GRID_LAST, GRID_VALUES };
extern const char *const grid_value_names[GRID_VALUES];
extern const double grid_no_values[GRID_VALUES]; // NAN: nothing

// Adds remarks about these attributes.
void grid_remark_values(struct grid *grid, const double values[GRID_VALUES]);

// image-min or image-max of MINC: a number for each index along the first axes of the array.
// Malloc'ed; NULL: there are none that fit.
struct grid_limits {
    uint64_t count;
    double *numbers;
};

// Applies both to the chosen array, and keeps their numbers: they are the values of the samples
// valid[0] and valid[1], or, for NAN, of the limits of the type. True: the samples are float32 from
// now on, and grid_apply makes values of them. A remark says if that cannot be done.
bool grid_scale(
    struct grid *grid, const double valid[2], struct grid_limits least, struct grid_limits most);

// Makes values of the samples of a block, if they are scaled.
void grid_apply(const struct grid *grid, const uint64_t box[3][2], float *samples);

// Answers about the chosen array: steps and origin from the positions of its axes, which must be
// equally spaced unless the key "axis-index" names theirs. Takes over `files`.
void grid_answer(struct grid *grid, const char *reader, json_t *files);
