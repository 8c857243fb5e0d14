// A volume as a sequence of parts, often one, and the surface in it, part by part.
//
// A part is a range of layers of cells that the device has room for, or, where a single layer is
// too much, some of its rows. The caller pulls: it opens the parts, begins an extraction and asks
// for the next part's surface until there is none. Nothing calls back, and between two calls
// nothing runs.
//
// The parts' meshes join to the canonical one of mesh_canonicalize, array for array: a part makes
// every vertex of the slice that it shares with the next one (see struct atlas_slab), so it knows
// the numbers that the next one will give to them. Nothing is kept from part to part but two
// counts, and there is nothing to weld.
#pragma once

#include "compute/extraction/extraction.h"
#include "volumes/formats/volume_file.h"

struct parts_params {
    const struct volume *volume; // the whole: dim and type, and samples where there is no source
    const struct atlas_source *source; // copied; NULL: the volume's samples
    // Of each slice of the volume, where they are known (see volume_file_facts); copied from. Parts
    // that these show to be missed are not read even once.
    const struct slice_range *ranges;
    const struct times *times; // that `auto` goes by; they must outlive the parts. NULL: none
    uint32_t layers;           // of cells, of a part at most; 0: as the budget has room
    uint32_t rows;             // not 0: every layer is cut along y into so many rows of cells
    uint32_t residents;        // parts on the device at once, at most; 0: as many as fit
    bool several;              // more than one, even where one has room
    uint64_t given_back;       // bytes that others hold now, but will have given back
    enum atlas_storage storage;
    uint32_t max_extent;         // see struct atlas_params
    const struct method *method; // that will run; NULL: any
};

// How a volume is cut.
struct parts_plan {
    uint32_t layers, count; // of cells, of each part but the last, which may have fewer
    uint32_t rows;          // 0: all; else a part is so many rows of one layer
    uint64_t bytes;         // of device memory that a part takes with an ordinary surface
    uint64_t resident;      // that each further one takes
    uint64_t least;         // that one row of cells of one layer takes with every cell active:
                            // below, none is tried, and at or above, no surface is too much
    uint64_t budget;        // gpu->budget.limit, or what the device has
};

// Touches neither samples nor device memory. The parts are as large as the memory and the device's
// limits allow (see part_size.h), with surfaces of ordinary extent. A part whose surface turns out
// to be too much is cut in two while it is worked on, so the plan is a guess at speed, not at
// success. PROBLEM_DEVICE_MEMORY, with need and budget, where not even one row of cells fits;
// PROBLEM_LIMIT where one row of cells is more than the device takes, whatever its memory.
bool parts_plan(
    struct gpu *gpu, const struct parts_params *params, struct parts_plan *out,
    struct problem *problem);

struct parts; // a volume so cut, what is known about its parts, and those on the device

// `volume`, and what the source reads from, must outlive it. Holds no device memory before the
// first extraction; from then on parts, as many as the budget has room for, which it offers to
// budget_give_up.
bool parts_open(
    struct gpu *gpu, const struct parts_params *params, struct parts **out,
    struct problem *problem);
void parts_close(struct parts *parts); // takes NULL; no extraction may be under way

const struct parts_plan *parts_planned(const struct parts *parts);

// Gives all device memory back; the next extraction reads again. None may be under way.
void parts_release(struct parts *parts);

// Where the volume is one part, and that is on the device since an extraction has handed its
// surface out: that part's extraction and atlas, for who records steps by himself. Else NULL.
struct extraction *parts_whole(struct parts *parts);
const struct atlas *parts_atlas(const struct parts *parts);

// NULL: the method can make every surface of this volume, as far as is known; otherwise why not,
// for people.
const char *parts_refuse(struct parts *parts, const struct method *method);

// The samples are on the device and not in `volume` any more. Only where parts_whole() is, and for
// as long as parts_release is not called: it cannot be read again.
void parts_forget_samples(struct parts *parts);

struct query {
    double iso;
    const struct method *method;
    bool every_brick; // visit all, and all parts, also those that the isovalue misses
    bool mesh;        // read each part's mesh back
    bool keeps;       // what is handed out stays on the device, and fills it: see extract_next
    bool load_only;   // make no surface: parts are brought onto the device and handed out without
};

// A part's share of the surface; valid until the next call.
struct part {
    struct atlas_slab slab; // a mesh is always of whole layers
    uint32_t bricks;        // of its atlas
    const struct extraction_result *result;
    struct surface *surface; // on the device; may be taken over: leave it zeroed
    // With query.mesh: canonical, in the whole volume's grid units. Vertex i of it is number
    // first_vertex + i of the whole one, and so are the corners of its triangles. It may be taken
    // over, too.
    struct mesh *mesh;
    uint64_t vertices; // the first so many are this part's; those behind are the next one's
    uint64_t first_vertex, first_triangle;
    bool last; // no other part follows
};

// Where an extraction is. A part that needs not be looked at is done at once.
struct extract_progress {
    double share;        // done so far, 0 to 1; reading counts for half of a part
    uint64_t bytes_read; // from the source
};

// What an extraction has come to so far, without the part that was handed out last.
struct extract_totals {
    uint64_t vertices; // 0 without query.mesh
    uint64_t triangles, active_bricks, active_cells;
    uint32_t parts;      // there are now
    uint32_t loaded;     // of them, by this extraction
    uint32_t resident;   // were on the device still
    uint32_t missed;     // by the isovalue, so that they were not looked at
    uint32_t cut;        // in two, by this extraction
    uint32_t held;       // are on the device now
    uint64_t bytes_read; // from the source
    // What the steps took, in milliseconds: samples to the device, bricks' ranges, kernels,
    // the surface, the mesh to the host.
    double upload_ms, ranges_ms, kernels_ms, extract_ms, download_ms;
};

enum next {
    NEXT_PART,    // `part` is filled in
    NEXT_NOT_YET, // the time is over
    NEXT_DONE,    // all parts have been handed out
    NEXT_FAILED   // the problem says why; only extract_end may follow
};

struct extract;

// One extraction at a time. Parts come from bottom to top; those that are known to be missed by the
// isovalue are neither read nor handed out: what a part spans is learnt from parts_params.ranges,
// or when it is first loaded. Slices that neighbours share are read once where the two follow each
// other. PROBLEM_UNSUPPORTED where the method cannot run. NULL on failure.
struct extract *
extract_begin(struct parts *parts, const struct query *query, struct problem *problem);

// Works about `ms` milliseconds at most, but never stops within a part's extraction; 0: until the
// next part's surface is there. PROBLEM_INTERRUPTED once `interrupted` is set.
//
// A part that has no room for its surface is cut and tried again: in layers, then one layer in
// rows. Where the caller keeps the surfaces, layers that fitted before are not cut in rows: rows
// would not help then.
enum next
extract_next(struct extract *extract, double ms, struct part *part, struct problem *problem);

// The active cells of the part that was handed out last (see extraction_cells).
bool extract_cells(struct extract *extract, struct cell_list *out, struct problem *problem);

// The caller has no room for the part that was handed out last (`problem` says so, with
// PROBLEM_DEVICE_MEMORY), and keeps nothing of it. It is made again, if need be cut in two. False:
// it cannot be made smaller; the problem stays as it is. Not with query.mesh.
bool extract_again(struct extract *extract, struct problem *problem);

struct extract_progress extract_progress(const struct extract *extract);
const struct extract_totals *extract_totals(const struct extract *extract);

// At any time; takes NULL. After a failure, other than an interrupt, nothing stays on the device.
void extract_end(struct extract *extract);

// Adds the stages of a part to those of the parts before.
void extract_add_stages(struct extraction_result *total, const struct extraction_result *part);
