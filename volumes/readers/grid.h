// Arrays of a file that holds many, as HDF5 and NetCDF do: which of them is read, and which of its
// axes are x, y and z. Wrong input ends the process by protocol_refuse.
#pragma once

#include "volumes/readers/protocol.h"

#include <stddef.h>

#define GRID_AXES 8

struct grid_axis {
    char name[64], unit[64]; // "": none is stated
    uint64_t size;
    double *at; // positions of all samples, malloc'ed; NULL: none are stated
};

struct grid_array {
    char path[512];
    const char *type; // in the words of the protocol
    int rank;
    struct grid_axis axis[GRID_AXES]; // the slowest first
};

enum { GRID_TIME, GRID_CHANNEL, GRID_LEVEL, GRID_CHOICES };

// Zero-initialised means no arrays.
struct grid {
    struct grid_array *arrays;
    size_t count, chosen;
    int space[3];           // of the chosen array: the axes that are x, y, z
    uint64_t at[GRID_AXES]; // the index along each other axis
    uint64_t size[3];
    struct {
        uint64_t count, at;
    } choice[GRID_CHOICES]; // what "time", "channel" and "level" select; a count of 0 is none
    uint64_t granule[3];    // samples that are decoded together; 0: 1
    const char *space_name; // "RAS"; NULL: none is stated
    double direction[3][3]; // of x, y and z, where there is a `space_name`
    json_t *remarks;
};

// Adds an array of three axes or more; others are left out. The array is zeroed but for its path
// and its rank; NULL: it is left out.
struct grid_array *grid_add(struct grid *grid, const char *path, int rank);

// Selects the array of the key "array", else `preferred` if it is one, else the largest.
struct grid_array *grid_choose(struct grid *grid, const char *preferred);

// Selects x, y, z, and by the keys "time" and "channel" the index along other axes.
void grid_place(struct grid *grid);

// Notes how many there are of a choice, and what the key selects.
void grid_select(struct grid *grid, int choice, uint64_t count);

// Says that the axis has equally spaced samples.
void grid_space(struct grid_axis *axis, double first, double step);

// Adds a remark.
__attribute__((format(printf, 2, 3))) void grid_remark(struct grid *grid, const char *format, ...);

// The answer about the chosen array: steps and origin from the positions of its axes, which must be
// equally spaced unless the key "axis-index" names theirs. Takes over `files`.
json_t *grid_answer(const struct grid *grid, const char *reader, json_t *files);
