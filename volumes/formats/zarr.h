// An array in a folder of chunk files: Zarr 2 and 3, N5. What is common to them.
#pragma once

#include "volumes/formats/chunks.h"
#include "volumes/formats/codecs.h"
#include "volumes/formats/metadata.h"

#define ZARR_AXES 8

enum zarr_role { ZARR_UNSAID, ZARR_SPACE, ZARR_TIME, ZARR_CHANNEL, ZARR_OTHER };

struct zarr_axis {
    uint64_t size, chunk; // samples; of a chunk
    uint64_t shard;       // of a file, which holds whole chunks; without shards: as `chunk`
    char name[16], unit[24];
    enum zarr_role role;
    double step, start; // the position of sample i is start + i * step
    bool by_index;      // taken as one in space because of params->axis_index
};

// What the metadata say of an array.
struct zarr_array {
    size_t axes;
    struct zarr_axis axis[ZARR_AXES]; // slowest first
    uint8_t stored[ZARR_AXES];        // the axes in the order of a chunk's samples, slowest first
    char type[24];                    // of the samples, in the words of the file
    struct sample_format format;
    unsigned char fill[8]; // a sample of a chunk that has no file, in the form of the file
    struct codecs codecs;
    bool sharded, index_first, index_summed; // shards: where their index is; whether it has a sum
    const char *prefix;                      // of the names of chunks: "", or "c/"
    char separator;                          // in the names of chunks
    bool n5; // names have the fastest axis first, and chunks have a head
};

// A group or an array in a store.
struct zarr_node {
    enum zarr_form { ZARR_NONE, ZARR_2, ZARR_3, ZARR_N5 } form;
    bool array;
    json_t *metadata;   // owned
    json_t *attributes; // owned
};

// Describe the array of a node, with axes of step 1. `what` names it in messages. PROBLEM_INPUT
// where cubist cannot read it.
bool zarr2_describe(
    const struct zarr_node *node, const char *what, struct zarr_array *out,
    struct problem *problem);
bool zarr3_describe(
    const struct zarr_node *node, const char *what, struct zarr_array *out,
    struct problem *problem);
bool n5_describe(
    const struct zarr_node *node, const char *what, struct zarr_array *out,
    struct problem *problem);

// PROBLEM_INPUT: says why, and up to 60 bytes of a word of the file. Returns false.
bool zarr_refuse(const char *what, struct problem *problem, const char *why, const char *word);

// Reads the sizes of the axes and of the chunks, the fastest first if out->n5. `words` for
// messages: what the file calls both. PROBLEM_INPUT.
bool zarr_read_axes(
    const json_t *sizes, const json_t *chunks, const char *words, const char *what,
    struct zarr_array *out, struct problem *problem);

// Sets the fill value; NULL: zero. False where the type does not have it.
bool zarr_fill(const json_t *value, struct zarr_array *array);

// Names an axis, and finds its role by the name.
void zarr_axis_name(struct zarr_axis *axis, const char *name, const char *unit);

// The image of OME-Zarr (0.1 to 0.5) that the attributes of a group describe; NULL: they do not.
const json_t *ome_image(const json_t *attributes);

// How many levels it has, and the path of one, below its group.
size_t ome_levels(const json_t *image);
const char *ome_level_path(const json_t *image, size_t level);

// Names the axes of the array, which is this level of the image, and places them. PROBLEM_INPUT
// where they do not fit.
bool ome_place(
    const json_t *image, size_t level, const char *what, struct zarr_array *array,
    struct problem *problem);

// The array of a store that is read. All paths are below the store's folder.
struct zarr_reading {
    char *store; // path of the folder
    char *path;  // of the array: "", or "a/b/"
    struct zarr_array array;
    struct source_files watched; // the files with its metadata
    uint8_t axis[3];             // which axis of the array is x, y, z of the volume
    uint64_t at[ZARR_AXES];      // the sample of every other axis that is read
};

// Opens the volume: calls chunks_open, with `seekable` as all chunks are. Owns what `reading` has,
// also after false, which leaves it in `out` to be closed.
bool zarr_chunks_open(
    const struct zarr_reading *reading, const struct volume_params *params, struct volume_file *out,
    struct problem *problem);
void zarr_reading_free(struct zarr_reading *reading);

// Whether the folder is a store, or a group or an array in one.
bool zarr_matches(const char *path);

// Opens the array that params->pick selects: by default the first image of OME-Zarr, or the largest
// array.
bool zarr_open(
    const char *path, const struct volume_params *params, struct volume_file *out,
    struct problem *problem);
