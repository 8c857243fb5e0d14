// A volume that is larger than the device's memory: cut into slabs of layers of cells, which are
// loaded and extracted one after another. Their surfaces join to that of the whole.
//
// The joined mesh is the canonical one of mesh_canonicalize, array for array: a slab makes every
// vertex of the slice that it shares with the next one (see struct atlas_slab), so it knows the
// numbers that the next one will give to them. Nothing is kept from slab to slab but two counts,
// and there is nothing to weld.
#pragma once

#include "compute/extraction/extraction.h"
#include "volumes/formats/volume_file.h"

struct slabs_params {
    const struct volume *volume; // the whole: dim and type, and samples where there is no source
    const struct atlas_source *source; // NULL: the volume's samples
    // Of each slice of the volume, where they are known (see volume_file_facts); copied from. Slabs
    // that these show to be missed are not read even once.
    const struct slice_range *ranges;
    const struct times *times; // that `auto` goes by; they must outlive the slabs. NULL: none
    uint64_t budget;           // bytes of device memory, with what others hold; 0: what there is
    uint32_t layers;           // of cells, of a slab at most; 0: as the budget has room
    uint32_t residents;        // slabs on the device at once, at most; 0: as many as fit
    bool several;              // more than one, even where one has room
    enum atlas_storage storage;
    uint32_t max_extent;         // see struct atlas_params
    const struct method *method; // that will run; NULL: any
};

// How a volume is cut.
struct slabs_plan {
    uint32_t layers, count; // of cells, of each slab but the last, which may have fewer
    uint64_t bytes;         // of device memory that a slab takes with a surface as they often are
    uint64_t resident;      // that each further one takes
    uint64_t least;         // that one layer of cells takes with every cell active: below, none is
                            // tried, and at or above, no surface is too much
    uint64_t budget;
};

// Touches neither samples nor device memory. PROBLEM_DEVICE_MEMORY, with need and budget, where one
// layer of cells does not fit. A slab whose surface turns out to be too much for the budget is cut
// in two while it is worked on, so the plan is a guess at speed, not at success.
bool slabs_plan(
    struct gpu *gpu, const struct slabs_params *params, struct slabs_plan *out,
    struct problem *problem);

struct slabs; // a volume so cut, and what is known about its slabs

// `volume` and `source` must outlive it. Holds no device memory before the first run; from then on
// slabs, as many as the budget has room for.
bool slabs_create(
    struct gpu *gpu, const struct slabs_params *params, struct slabs **out,
    struct problem *problem);
void slabs_destroy(struct slabs *slabs);

const struct slabs_plan *slabs_planned(const struct slabs *slabs);

// A slab's share of the surface. Vertex i of its mesh is number first_vertex + i of the whole one,
// and so are the corners of its triangles; all of it in the whole volume's grid units.
struct slabs_part {
    const struct mesh *mesh; // canonical
    uint64_t vertices;       // the first so many are this slab's; those behind are the next one's
    uint64_t first_vertex, first_triangle;
    struct atlas_slab slab;
    const struct extraction_result *result;
};

// Where a run is. A slab that needs not be looked at is done at once.
struct slabs_progress {
    uint32_t layers_done, layers; // of cells; done so far, and in all
    uint64_t bytes_read;          // from the source
};

// All may be NULL; those that return false end the run, with the problem set by them, or
// PROBLEM_INTERRUPTED where `progress` does.
struct slabs_sink {
    // The surface on the device, slab by slab; its vertices in the shared slice are there twice. It
    // may be taken over (leave *surface zeroed); what is made here is held to the budget, and
    // slabs_give_up makes room for it. Where it has none, with PROBLEM_DEVICE_MEMORY, and there is
    // no `part`, the slab is cut in two and made again: then it must have kept nothing.
    bool (*surface)(
        void *user, const struct atlas *atlas, struct surface *surface,
        const struct extraction_result *result, struct problem *problem);
    // The mesh on the host, from the bottom up. Without it no mesh is read back and
    // slabs_result.vertices stays 0.
    bool (*part)(void *user, const struct slabs_part *part, struct problem *problem);
    // Where there is no room for the slab that is worked on, although it is alone: gives up
    // something of what `surface` has made. False: there is nothing.
    bool (*give_up)(void *user);
    // Called between slabs and while they are read. What is made here is held to gpu->budget.limit
    // as it was before the run, not to slabs_params.budget.
    bool (*progress)(void *user, const struct slabs_progress *progress);
    void *user;
};

struct slabs_step {
    double iso;
    const struct method *method;
    struct slabs_sink sink;
    bool every_brick; // visit all, and all slabs, also those that the isovalue misses
};

// What a run came to.
struct slabs_result {
    uint64_t vertices, triangles, active_bricks, active_cells;
    uint32_t slabs;      // there are now
    uint32_t loaded;     // of them, by this run
    uint32_t resident;   // were on the device still
    uint32_t missed;     // by the isovalue, so that they were not looked at
    uint32_t cut;        // in two, by this run
    uint32_t held;       // are on the device now
    uint64_t bytes_read; // from the source
};

// Extracts the surface slab by slab, bottom to top. Slabs that are known to be missed by the
// isovalue are not read: what a slab spans is learnt from slabs_params.ranges, or when it is first
// loaded. Slices that neighbours share are read once where the two follow each other. Slabs stay on
// the device while the budget has room, and are not read again.
// PROBLEM_INTERRUPTED once interrupted is set. After false the next run begins afresh.
bool slabs_run(
    struct slabs *slabs, const struct slabs_step *step, struct slabs_result *out,
    struct problem *problem);

// Gives all device memory back; the next run reads again.
void slabs_release(struct slabs *slabs);

// Adds the stages of a slab to those of the slabs before.
void slabs_add_stages(struct extraction_result *total, const struct extraction_result *slab);

// From within a `surface` sink: takes something off the device that this run does not need now, of
// the slabs, then what `give_up` gives up. False: nothing is left that could go.
bool slabs_give_up(struct slabs *slabs);
