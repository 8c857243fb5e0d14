// What the files of slabs share, and nobody else sees.
#pragma once

#include "compute/extraction/residents.h"
#include "compute/extraction/slabs.h"

#define SLABS_SHARED 3 // slices that the atlases of neighbours share, at most
#define SHAPES       6 // of slabs, that there are kernels for at a time

struct one {
    struct atlas_slab slab;
    bool known;        // what it was cut from, or itself, has been loaded, or its slices are known
    uint32_t range[2]; // least and greatest key of its samples
};

struct slabs {
    struct gpu *gpu;
    struct slabs_params params;
    struct slabs_plan plan;
    struct one *list; // bottom to top
    uint32_t count;

    // What is on the device.
    struct residents residents;
    struct resident *now;          // of them, the one that is worked on; NULL: none
    bool gaps, extremes;           // some slab has had samples that are not finite, or extreme
    struct extraction *extraction; // NULL: none
    uint64_t turned_to;            // serial of the resident that it works on; 0: none
    struct extraction *others[SHAPES - 1]; // for slabs of other shapes: stripped
    struct surface surface;
    uint64_t loads; // so far

    // The last slices that have been read: slice z in place z % SLABS_SHARED.
    char *shared;
    uint64_t slice_bytes;
    uint32_t shared_z[SLABS_SHARED]; // z + 1; 0: none

    // Of the run.
    const struct slabs_step *step;
    uint32_t key; // of its isovalue
    struct slabs_result *result;
    struct slabs_progress progress;
    bool handing;   // the slab's mesh is with a sink
    uint64_t limit; // of the gpu, outside of it
};

// slabs.c: slices for an atlas, those that the slab before has had, then those of the source;
// `user` is the slabs.
bool slabs_read(void *user, uint32_t z, uint32_t count, void *samples, struct problem *problem);

// slabs_plan.c: device memory that must be free beside a slab and its surface, to load the next and
// to read back.
uint64_t
slabs_staging(const struct gpu *gpu, const struct atlas *atlas, const uint64_t room[LISTS]);

// slabs_device.c. All makes room by giving up what is not needed now; PROBLEM_DEVICE_MEMORY where
// that is not enough.

// Has the slab on the device as slabs->now, and learns what it spans.
bool slabs_load(struct slabs *slabs, struct one *one, struct problem *problem);
// Makes its surface, leaving free what loading and reading back take.
bool slabs_extract(struct slabs *slabs, struct extraction_result *out, struct problem *problem);
void slabs_clear(struct slabs *slabs); // gives all device memory back
