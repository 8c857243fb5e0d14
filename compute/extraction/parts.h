// Divides a volume into parts, often just one, and extracts its surface part by part.
//
// A part is a range of layers of cells that fits the device, or some rows of a layer if a single
// layer is too much. The caller opens the parts, begins an extraction, and asks for the surface of
// the next part until there is none. Nothing calls back, and nothing runs between two calls.
//
// The meshes of the parts join to the canonical mesh of mesh_canonicalize, array for array. A part
// makes every vertex of the slice that it shares with the next one (see struct atlas_part), so it
// knows the numbers that the next one will give to them. Only two counts are kept from part to
// part, and no vertices have to be welded.
#pragma once

#include "compute/extraction/lists.h"
#include "compute/extraction/parts_plan.h"

struct parts; // a volume in parts: what is known about them, and the resident ones

// Opens the parts. `volume`, and what the source reads from, must outlive them. Takes no device
// memory before the first extraction. Then as many parts stay resident as the budget allows;
// budget_give_up can give them up.
bool parts_open(
    struct gpu *gpu, const struct parts_params *params, struct parts **out,
    struct problem *problem);
void parts_close(struct parts *parts); // takes NULL; no extraction may be in progress

const struct parts_plan *parts_planned(const struct parts *parts);

// Describes the atlas of the largest part as planned, as atlas_describe does.
bool parts_describe(const struct parts *parts, struct atlas *out, struct problem *problem);

// Frees all device memory; the next extraction reads the volume again. No extraction may be in
// progress.
void parts_release(struct parts *parts);

// The extraction and the atlas of a volume that is one part, for callers that record steps
// themselves. parts_whole returns NULL unless an extraction has handed out that part and it is
// resident. While a part is handed out, parts_atlas returns the atlas of that part.
struct extraction *parts_whole(struct parts *parts);
const struct atlas *parts_atlas(const struct parts *parts);

// NULL if the method can make every surface of this volume, as far as is known; otherwise the
// reason, as text.
const char *parts_refuse(struct parts *parts, const struct method *method);

// Declares that `volume` has no samples any more: they are only on the device and cannot be read
// again. Only if parts_whole() is not NULL, and until parts_release.
void parts_forget_samples(struct parts *parts);

struct query {
    double iso;
    const struct method *method;
    bool every_brick; // visit all bricks and parts, even those that the isovalue misses
    bool draws;       // the parts' surfaces will be drawn
    bool mesh;        // read each part's mesh back
    bool counts;      // count the vertices of the whole surface, also without `mesh`
    bool keeps;       // the caller keeps the surfaces on the device: see extract_next
    // Load the parts and hand them out without making surfaces; parts_atlas returns the atlas.
    bool load_only;
};

// The surface of one part; valid until the next call.
struct part {
    struct atlas_part cells; // a mesh is always of whole layers
    uint32_t bricks;         // of its atlas
    const struct extraction_result *result;
    struct surface *surface; // on the device; the caller may take it and zero it
    bool has_lists;          // `lists` is valid; needs query.draws
    struct extraction_lists lists;
    // With query.mesh: canonical, in grid units of the whole volume. In the whole mesh, its vertex
    // i has the number first_vertex + i. Its triangles name vertices by i. The caller may take
    // ownership.
    struct mesh *mesh;
    // Number of vertices that belong to this part: the first ones of its mesh. The next part's mesh
    // begins with the other ones. 0 without query.mesh and query.counts.
    uint64_t vertices;
    uint64_t first_vertex, first_triangle;
    bool last; // no part follows
};

// The progress of an extraction. A part that is skipped counts as done at once.
struct extract_progress {
    double share;        // done so far, 0 to 1; reading counts for half of a part
    uint64_t bytes_read; // from the source
};

// The totals of an extraction so far, without the part that was handed out last.
struct extract_totals {
    uint64_t vertices; // each counted once; 0 without query.mesh and query.counts
    uint64_t triangles, active_bricks, active_cells;
    uint32_t parts;      // current number of parts
    uint32_t loaded;     // parts that this extraction has loaded
    uint32_t resident;   // parts that were already resident
    uint32_t missed;     // parts that the isovalue misses, which were skipped
    uint32_t cut;        // parts that this extraction divided in two
    uint32_t held;       // parts that are resident now
    uint64_t bytes_read; // from the source
    // Milliseconds of the steps: upload of samples, ranges of bricks, kernels, surface, reading the
    // mesh back.
    double upload_ms, ranges_ms, kernels_ms, extract_ms, download_ms;
};

enum next {
    NEXT_PART,    // `part` is filled in
    NEXT_NOT_YET, // the time is over
    NEXT_DONE,    // all parts have been handed out
    NEXT_FAILED   // the problem says why; only extract_end may follow
};

struct extract;

// Begins an extraction; one at a time. Parts come from bottom to top. Parts that the isovalue is
// known to miss are neither read nor handed out; the range of a part comes from
// parts_params.ranges, or from its first loading. Slices that consecutive parts share are read
// once. PROBLEM_UNSUPPORTED if the method cannot run. NULL on failure.
struct extract *
extract_begin(struct parts *parts, const struct query *query, struct problem *problem);

// Works about `ms` milliseconds at most, but does not stop within the extraction of a part; 0:
// until the next part's surface is ready. PROBLEM_INTERRUPTED once `interrupted` is set.
//
// A part whose surface does not fit is divided and tried again: first in layers, then one layer in
// rows. A layer is not divided if memory is short, query.keeps is set, and parts of the planned
// size did fit: then the kept surfaces fill the memory, and the call fails with
// PROBLEM_DEVICE_MEMORY. If a limit of the device is exceeded, nothing else is given up for the
// part.
enum next
extract_next(struct extract *extract, double ms, struct part *part, struct problem *problem);

// The active cells of the part that was handed out last (see extraction_cells).
bool extract_cells(struct extract *extract, struct cell_list *out, struct problem *problem);

// The caller has no memory for the part that was handed out last (`problem` says so, with
// PROBLEM_DEVICE_MEMORY), and keeps nothing of it. It is made again, if necessary in two parts.
// False: it cannot be made smaller; the problem is unchanged. Not with query.mesh.
bool extract_again(struct extract *extract, struct problem *problem);

struct extract_progress extract_progress(const struct extract *extract);
const struct extract_totals *extract_totals(const struct extract *extract);

// Ends an extraction at any time; takes NULL. After a failure other than an interrupt nothing stays
// on the device.
void extract_end(struct extract *extract);

// Adds the times of a part's stages to those of the earlier parts.
void extract_add_stages(struct extraction_result *total, const struct extraction_result *part);

// The whole surface as one canonical mesh on the host, in grid units. Its arrays do not depend on
// the division into parts. Zero-initialised it is empty; free `mesh` with mesh_destroy.
struct mesh_join {
    struct mesh mesh;
    uint64_t vertex_room, triangle_room;
};

// Appends a part that was extracted with query.mesh. Takes ownership of the mesh of a single part.
// PROBLEM_LIMIT if there are more vertices than a mesh's indices can name.
bool mesh_join_add(struct mesh_join *join, struct part *part, struct problem *problem);
