// What the files of the parts share, and nobody else sees.
#pragma once

#include "compute/extraction/parts.h"
#include "compute/extraction/parts_rows.h"
#include "compute/extraction/residents.h"

#define PARTS_SHARED 4 // slices that the atlases of neighbours share, at most
#define PARTS_SHAPES 6 // of parts, that there are kernels for at a time

struct one_part {
    struct atlas_slab slab;
    bool known;        // what it was cut from, or itself, has been loaded, or its slices are known
    uint32_t range[2]; // least and greatest key of its samples
};

struct parts {
    struct gpu *gpu;
    struct parts_params params;
    struct atlas_source source; // read NULL: the volume's samples
    struct parts_plan plan;
    struct one_part *list; // bottom to top
    uint32_t count;

    // What is on the device.
    struct residents residents;
    struct resident *now;          // of them, the one that is worked on; NULL: none
    bool gaps, extremes;           // some part has had samples that are not finite, or extreme
    struct extraction *extraction; // NULL: none
    uint64_t turned_to;            // serial of the resident that it works on; 0: none
    struct extraction *others[PARTS_SHAPES - 1]; // for parts of other shapes: stripped
    struct surface surface;
    uint64_t loads; // so far

    // The last slices that have been read: slice z in place z % PARTS_SHARED.
    char *shared;
    uint64_t slice_bytes;
    uint32_t shared_z[PARTS_SHARED]; // z + 1; 0: none

    struct extract *extract; // that is under way; NULL: none
    bool kept;               // its samples are nowhere but on the device
};

struct extract {
    struct parts *parts;
    struct query query;
    uint32_t key; // of its isovalue
    struct extract_totals totals;
    uint32_t at;                   // of the list: the part that is worked on
    struct atlas_loading *loading; // NULL: it is not being loaded
    bool alone;                    // nothing else was on the device when it was begun
    bool handed;                   // out, and not yet counted
    bool joined;                   // what was handed out is a layer that came in rows
    struct parts_rows rows;        // of the layer that comes so
    bool collecting;               // there is such a layer: `layer`
    uint32_t layer;
    struct extraction_result result, collected; // of the rows so far
    struct mesh mesh;
    uint64_t vertices; // of the part that is handed out
    bool failed;
};

// parts_device.c. All makes room by giving up what is not needed now; PROBLEM_DEVICE_MEMORY where
// that is not enough.

// Has a place on the device for the part as parts->now; *there: with the part in it. Otherwise
// parts_fill and atlas_load_next bring it there, and parts_loaded learns what it spans.
bool parts_place(struct parts *parts, struct one_part *one, bool *there, struct problem *problem);
bool parts_fill(struct parts *parts, struct one_part *one, struct problem *problem);
bool parts_loaded(struct parts *parts, struct one_part *one, struct problem *problem);
void parts_drop_now(struct parts *parts); // what parts_fill has begun

// Has kernels for the part that is worked on.
bool parts_have_extraction(struct parts *parts, struct problem *problem);

// Makes its surface, leaving free what loading and reading back take.
bool parts_extract(struct parts *parts, struct extraction_result *out, struct problem *problem);

void parts_offer(struct parts *parts); // to the budget
void parts_clear(struct parts *parts); // gives all device memory back
