// What the parts of the reader of HDF5 share.
#pragma once

#include "volumes/readers/grid.h"

#include <hdf5.h>

#include <limits.h>

struct hdf5 {
    char path[PATH_MAX];    // absolute: so are the paths of files that links lead into
    size_t folder;          // the length of its folder, with the last "/"
    char given[PATH_MAX];   // the folder as it was given
    char missing[PATH_MAX]; // a file that a link names, but that may not be read; "": none
    hid_t file;
    hid_t links;   // access properties that report files that links lead into
    json_t *files; // for the answer
    struct grid grid;
    hid_t dataset, space, type; // of the chosen array; the type in memory
};

// Adds a file that the file `parent` names. NULL: it may be read; otherwise why not.
const char *hdf5_add_file(struct hdf5 *file, const char *parent, const char *name);

// Why the library failed last.
const char *hdf5_reason(void);

#define HDF5_LETTERS SIZE_MAX

// Text number `index` of an attribute of the object; with HDF5_LETTERS all of its texts, which are
// single letters, as one. False: there is none.
bool hdf5_text(hid_t object, const char *name, size_t index, char *out, size_t size);

// Up to `most` numbers of an attribute; returns how many it has of them.
size_t hdf5_numbers(hid_t object, const char *name, double *out, size_t most);

// The type of samples in the words of the protocol; NULL: no such numbers. *memory: the same in the
// host's byte order, to be closed.
const char *hdf5_type(hid_t dataset, hid_t *memory);

// Refuses a data set whose samples are elsewhere and not there, or whose filters are unknown.
void hdf5_check_sources(struct hdf5 *file, hid_t dataset);

// Applies image-min and image-max of MINC 2, if they are beside the chosen array. Its type in
// memory is float32 then. `valid` has the attributes valid_min and valid_max, or NAN.
void hdf5_scale(struct hdf5 *file, double valid[2]);

// Fills the names, units and positions of the axes.
void hdf5_describe_axes(struct hdf5 *file, hid_t dataset, struct grid_array *array);
