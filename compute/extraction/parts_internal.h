// Shared by the files of the parts; not for others.
#pragma once

#include "compute/atlas_load.h"
#include "compute/extraction/held_parts.h"
#include "compute/extraction/parts.h"
#include "compute/extraction/parts_rows.h"

#define PARTS_SHARED 4 // slices that the atlases of neighbouring parts share, at most
#define PARTS_SHAPES 6 // shapes of parts that have kernels at the same time

struct one_part {
    struct atlas_part cells;
    // `range` is known: the part, or the one that it was divided from, was loaded, or its slices'
    // ranges are known.
    bool known;
    uint32_t range[2]; // least and greatest key of its samples
};

struct parts {
    struct gpu *gpu;
    struct parts_params params;
    struct atlas_source source; // its `read` is NULL if the volume has the samples
    struct parts_plan plan;
    struct one_part *list; // bottom to top
    uint32_t count;

    // What is on the device.
    struct held_parts held;
    struct held_part *now;         // the held part that is current; NULL: none
    bool gaps, extremes;           // some part had samples that are not finite, or extreme
    struct extraction *extraction; // NULL: none
    uint64_t turned_to;            // serial of the held part that `extraction` uses; 0: none
    struct extraction *others[PARTS_SHAPES - 1]; // stripped; for parts of other shapes
    struct surface surface;
    uint64_t loads; // number of loadings so far

    // The last slices that were read: slice z is at index z % PARTS_SHARED.
    char *shared;
    uint64_t slice_bytes;
    uint32_t shared_z[PARTS_SHARED]; // z + 1; 0: none

    struct extract *extract; // in progress; NULL: none
    bool kept;               // the volume's samples are only on the device
};

struct extract {
    struct parts *parts;
    struct query query;
    uint32_t key; // of the query's isovalue
    struct extract_totals totals;
    uint32_t at;                   // index of the current part in the list
    struct atlas_loading *loading; // NULL: the current part is not being loaded
    bool alone;                    // nothing else was on the device when the part was begun
    bool handed;                   // the part was handed out and is not yet counted
    bool joined;                   // a layer that was joined from rows was handed out
    struct parts_rows rows;        // of the layer that is being joined
    bool collecting;               // `layer` is being joined
    uint32_t layer;
    struct extraction_result result, collected; // collected: of the rows so far
    struct mesh mesh;
    uint64_t vertices; // of the part that is handed out
    bool failed;
};

// parts_device.c. These functions give up what is not needed when memory is short;
// PROBLEM_DEVICE_MEMORY if that is not enough. PROBLEM_LIMIT, without giving up anything for it, if
// the part is over a limit of the device.

// Whether the current part needs an extraction. With load_only, only a single part does: the caller
// may extract from it (parts_whole).
bool parts_extracts(const struct parts *parts);

// Sets parts->now to a held part for `one`; *there: it is already loaded. Otherwise parts_fill and
// atlas_load_next load it, and parts_loaded notes its range. Reserves memory for staging: to load
// the part, and to read its surface back.
bool parts_place(struct parts *parts, struct one_part *one, bool *there, struct problem *problem);
bool parts_fill(struct parts *parts, struct one_part *one, struct problem *problem);
bool parts_loaded(struct parts *parts, struct one_part *one, struct problem *problem);
void parts_drop_now(struct parts *parts); // ends what parts_fill has begun

// Provides kernels for the current part.
bool parts_have_extraction(struct parts *parts, struct problem *problem);

// Makes the surface of the current part.
bool parts_extract(struct parts *parts, struct extraction_result *out, struct problem *problem);

void parts_offer(struct parts *parts); // registers what the budget can give up
void parts_clear(struct parts *parts); // gives all device memory back
