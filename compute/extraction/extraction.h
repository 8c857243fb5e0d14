// Isovalue -> active cells -> one vertex per crossing grid edge -> indexed triangles, on the
// device.
//
// Nothing between the isovalue and the draw waits for the host: every count stays on the device,
// and later passes are dispatched indirectly. If a capacity is too small, a flag is set, the mesh
// is not drawn, and the host grows the buffers and repeats the step.
#pragma once

#include "compute/atlas.h"
#include "compute/compaction/selector.h"
#include "compute/gpu/run.h"
#include "compute/mesh/mesh.h"

// A mesh on the device. A vertex is two float triples, its position in grid units and its normal.
struct surface {
    struct buffer vertices; // VERTEX_BYTES per vertex
    struct buffer edges;    // uint per vertex, see shaders/shared/extraction.h
    struct buffer indices;  // uint32, three per triangle
    struct buffer draw;     // two VkDrawIndexedIndirectCommand:
                            // [0] this mesh (indexCount 0 when it is not whole)
                            // [1] the fallback: what to draw in place of a successor that is not
                            //     whole (see extraction_step.previous)
};

void surface_destroy(struct gpu *gpu, struct surface *surface);
uint64_t surface_bytes(const struct surface *surface); // bytes of device memory that it holds

// What a step measures on the device. Each time costs a flush where the device is a CPU.
enum step_times {
    TIME_STAGES, // each stage
    TIME_STEP,   // one stage, STAGE_EXTRACTION: from the first command to the last
    TIME_NOTHING,
};

struct extraction_step {
    double iso;
    const struct method *method;
    struct surface *target;   // created or overwritten
    struct surface *previous; // may be NULL. If `target` is not whole, draw[1] of `previous` draws
                              // the mesh of `previous`; otherwise nothing. So drawing
                              // target->draw[0] and previous->draw[1] always shows a whole surface
    bool draws;               // the surface will be drawn: sets target->draw
    bool anew;                // makes everything, even if it would be enough to move vertices
    bool every_brick;         // visits all bricks, also those that the isovalue misses
    enum step_times times;
};

// Whether this step only moves vertices. For all isovalues between two neighbouring sample values,
// the same cells are active, and triangles join the same vertices. So the step only moves vertices
// if `target` was made last, by the same method and with the same every_brick, for another isovalue
// between the same two values. A step to the same isovalue makes everything again.
struct extraction;
bool extraction_moves(const struct extraction *extraction, const struct extraction_step *step);

// The result of a step; valid after its command buffer has finished.
struct extraction_result {
    double iso;
    const struct method *method;
    uint64_t bricks; // of the atlas
    uint64_t active_bricks, active_cells, vertices, triangles;
    bool whole; // false: a capacity was exceeded; grow the buffers and repeat the step
    bool moved; // only the vertices were moved: see extraction_moves
    uint32_t stage_count;
    struct stage stages[STOPWATCH_STAGES];
    double stage_ms[STOPWATCH_STAGES];
    struct compaction_events cells_events;        // events of the method that made the cells
    struct selection bricks_choice, cells_choice; // the methods that ran, and why
};

struct extraction; // scratch and kernels for one volume on one device

// The atlas must outlive the extraction.
bool extraction_create(
    struct gpu *gpu, const struct atlas *atlas, struct extraction **out, struct problem *problem);
void extraction_destroy(struct extraction *extraction);

// extraction_fits: whether the atlas has the shape of the one that the extraction was made for.
// extraction_turn: replaces the atlas by one of that shape; the next step must be prepared again.
bool extraction_fits(const struct extraction *extraction, const struct atlas *described);
void extraction_turn(struct extraction *extraction, const struct atlas *atlas);

// Frees everything except the kernels, which take a CPU device long to create. The next
// extraction_prepare allocates it again.
void extraction_strip(struct extraction *extraction);

// Set the capacities of the lists: to a first guess within the limits of the device, or to the
// largest possible lengths.
void extraction_guess(
    const struct gpu *gpu, const struct atlas *described, uint64_t capacity[LISTS]);
void extraction_most(const struct atlas *described, uint64_t capacity[LISTS]);

// Bytes of device memory that an extraction with these capacities and its surface take in addition
// to the atlas. `auto` or NULL: with the method that takes most. The bound holds if the buffers are
// created with these capacities; grown buffers may be larger. GPU_TOO_MUCH if a limit of the device
// other than the size of its memory is exceeded.
uint64_t extraction_bytes(
    const struct gpu *gpu, const struct atlas *described, const struct method *method,
    const uint64_t capacity[LISTS]);

// The longest stream that a method may get, in lanes; for a method that removes: the longest list,
// in elements. Compare it with method_longest.
uint64_t extraction_longest(const struct atlas *described, const struct method *method);

// Sets the capacities that the next extraction_prepare provides.
void extraction_want(struct extraction *extraction, const uint64_t capacity[LISTS]);

// Sets the times for `auto` from the next extraction_prepare on; they must outlive the extraction.
// NULL: no times, as at first.
void extraction_set_times(struct extraction *extraction, const struct times *times);

// NULL if the method can make every surface of this volume; otherwise the reason, as text.
const char *extraction_refuses(const struct extraction *extraction, const struct method *method);

// Allocates `target` and the scratch for the known needs (the first time: a guess), and creates the
// method's kernels at its first use. `auto` is resolved here, for each stream separately, by the
// counts and times of the last step. PROBLEM_UNSUPPORTED if the method cannot run on this device or
// volume, PROBLEM_DEVICE_MEMORY when memory is short, PROBLEM_LIMIT when a buffer is over a limit
// of the device. On false the problem states the needed and the free bytes; a complete target is
// still complete, and a step for which the existing buffers are enough still works.
bool extraction_prepare(
    struct extraction *extraction, struct surface *target, const struct method *method,
    struct problem *problem);

// Records one step. It begins with run_begin's barrier, and ends with a target that can be drawn
// and with a copy of the counts for the host. The target must have been prepared, and no earlier
// step of this extraction may still be running: steps share scratch and descriptor set.
void extraction_record(
    struct extraction *extraction, struct run *run, const struct extraction_step *step);

// After the command buffer's fence: reads the counts and the times. If the result is not whole, the
// next extraction_prepare provides larger capacities. False, with PROBLEM_LIMIT: the surface is not
// whole, and larger buffers would not help. Never waits.
bool extraction_collect(
    struct extraction *extraction, struct extraction_result *out, struct problem *problem);

// Bytes that the passes of a complete step read and write, each access counted: samples of
// `sample_bytes` each, lists, row prefixes, and the surface.
uint64_t extraction_bytes_moved(const struct extraction_result *result, uint32_t sample_bytes);

// One attempt at a step, for callers that can wait: prepare, record, submit, wait, collect.
// out->whole: whether the buffers were large enough.
bool extraction_attempt(
    struct extraction *extraction, const struct extraction_step *step,
    struct extraction_result *out, struct problem *problem);

// Attempts until the surface is whole; the buffers grow in between. When memory is short, the
// budget gives things up, up to GIVE_UP_SHOWN_SURFACE; finally scratch and target are freed and
// allocated with the necessary size. PROBLEM_DEVICE_MEMORY if that is not enough. PROBLEM_LIMIT,
// without giving up anything for it, if the surface is over a limit of the device. `problem` is not
// NULL.
bool extraction_run(
    struct extraction *extraction, const struct extraction_step *step,
    struct extraction_result *out, struct problem *problem);

// Reads a complete surface back (the last one made into `surface`), in grid units and in no
// particular order: mesh_canonicalize brings it into canonical order.
bool extraction_fetch(
    struct extraction *extraction, const struct surface *surface,
    const struct extraction_result *result, struct mesh *out, struct problem *problem);

// Counts the vertices of a complete surface whose edges start before row `end_y` and before slice
// `end_z` of the volume.
bool extraction_count(
    struct extraction *extraction, const struct surface *surface,
    const struct extraction_result *result, uint64_t end_y, uint64_t end_z, uint64_t *count,
    struct problem *problem);

// Like extraction_fetch, but in canonical order. PROBLEM_INTERRUPTED once `interrupted` is set.
bool extraction_download(
    struct extraction *extraction, const struct surface *surface,
    const struct extraction_result *result, struct mesh *out, struct problem *problem);

// Reads back the active cells of the last step as linear indices (see reference.h), in the order
// the method gave them; out->cells is malloc'ed.
struct cell_list;
bool extraction_cells(
    struct extraction *extraction, const struct extraction_result *result, struct cell_list *out,
    struct problem *problem);

// The position of a cell (linear index) in the stream that methods compact. A method that keeps the
// stream's order gives cells in ascending order of this position.
uint64_t extraction_stream_order(const uint32_t dim[3], uint64_t cell);
