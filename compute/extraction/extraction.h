// Isovalue -> active cells -> one vertex per crossing grid edge -> indexed triangles, on the
// device.
//
// Nothing between the isovalue and the draw waits for the host: every count stays on the device,
// later passes are dispatched indirectly. Where a capacity is too small a flag is raised, the mesh
// is not drawn, and the host grows the buffers and does the step again.
#pragma once

#include "compute/atlas.h"
#include "compute/compaction/selector.h"
#include "compute/gpu/run.h"
#include "compute/mesh/mesh.h"

// A mesh on the device. A vertex is two float triples, its position in grid units and its
// normal.
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
uint64_t surface_bytes(const struct surface *surface); // of device memory that it holds

struct extraction_step {
    double iso;
    const struct method *method;
    struct surface *target;   // is made or overwritten
    struct surface *previous; // may be NULL. Its draw[1] becomes its own mesh when `target` is not
                              // whole, and nothing when it is: drawing target->draw[0] and
                              // previous->draw[1] shows a whole surface in either case
    bool anew;                // everything, even where only vertices would move
    bool every_brick;         // visit all, also those that the isovalue misses
    bool untimed;             // no times of stages: each costs a flush where the device is a CPU
};

// Between two values that samples can have the same cells are active, and their triangles join the
// same vertices: those only move. Whether this step will do no more than that, because it is to go
// to such an isovalue in the surface that was made last, by the same method on the same bricks. A
// step to the very same isovalue does everything again.
struct extraction;
bool extraction_moves(const struct extraction *extraction, const struct extraction_step *step);

// What ran for a stream.
struct extraction_choice {
    const struct method *method; // the step's, or what `auto` chose
    char why[SELECTION_TEXT];    // it chose that; otherwise empty
};

// What a step came to; valid after its command buffer has finished.
struct extraction_result {
    double iso;
    const struct method *method;
    uint64_t bricks; // of the volume
    uint64_t active_bricks, active_cells, vertices, triangles;
    bool whole; // false: a capacity was exceeded, grow and do it again
    bool moved; // only the vertices were made: see extraction_moves
    uint32_t stage_count;
    struct stage stages[STOPWATCH_STAGES];
    double stage_ms[STOPWATCH_STAGES];
    double removal_ms; // of the stages: making removal lists; 0 where the method needs none
    struct compaction_events cells_events; // what the method told of the cells
    struct extraction_choice bricks_choice, cells_choice;
};

struct extraction; // scratch and kernels for one volume on one device

// The atlas must outlive the extraction.
bool extraction_create(
    struct gpu *gpu, const struct atlas *atlas, struct extraction **out, struct problem *problem);
void extraction_destroy(struct extraction *extraction);

// Whether the atlas has the shape of the one that the extraction was made for; and to go on with
// such a one in its place. The next step is to be prepared anew.
bool extraction_fits(const struct extraction *extraction, const struct atlas *described);
bool extraction_turn(
    struct extraction *extraction, const struct atlas *atlas, struct problem *problem);

// Gives all but the kernels back, which take a CPU device long to make, until extraction_turn.
void extraction_strip(struct extraction *extraction);

// How many of each list there is room for: before anything is known, and at most.
void extraction_guess(const struct atlas *described, uint64_t room[LISTS]);
void extraction_most(const struct atlas *described, uint64_t room[LISTS]);

// Device memory that an extraction with so much room, and its surface, take beside the atlas: with
// this method, or with `auto` (and NULL) with whichever takes most. Made with that
// room they take no more; what has grown may be larger. GPU_TOO_MUCH where it is more than a limit
// of the device, whatever its memory.
uint64_t extraction_bytes(
    const struct gpu *gpu, const struct atlas *described, const struct method *method,
    const uint64_t room[LISTS]);

// The longest stream that a method may meet there, in lanes; for a method that removes: the longest
// list, in elements. As method->largest counts.
uint64_t extraction_longest(const struct atlas *described, const struct method *method);

// The room that the next extraction_prepare makes; and to say so beforehand.
void extraction_wanted(const struct extraction *extraction, uint64_t room[LISTS]);
void extraction_want(struct extraction *extraction, const uint64_t room[LISTS]);

// The times that `auto` goes by from the next extraction_prepare on; they must outlive the
// extraction. At first, and with NULL, it has none.
void extraction_set_times(struct extraction *extraction, const struct times *times);

// NULL: the method can make every surface of this volume; otherwise why not, for people.
const char *extraction_refuses(const struct extraction *extraction, const struct method *method);

// Makes room in `target` and the scratch for what is known to be needed (the first time: a guess),
// and the method's kernels when it comes for the first time. `auto` is decided on here, for each
// stream by itself, by what the last step counted and took. PROBLEM_UNSUPPORTED where the
// method cannot run on this device or volume, PROBLEM_DEVICE_MEMORY where there is no room.
// On false, with need and have in the problem, a target that was whole still is, and a step that
// needs no more than it holds still works.
bool extraction_prepare(
    struct extraction *extraction, struct surface *target, const struct method *method,
    struct problem *problem);

// Records one step. Begins with run_begin's barrier; ends with the target ready to be drawn and the
// counts on their way to the host. The target must have been prepared, and no earlier step of this
// extraction may still be running: they share their scratch and their descriptor set.
void extraction_record(
    struct extraction *extraction, struct run *run, const struct extraction_step *step);

// After the command buffer's fence: the counts, the timings. Where the result is not whole, the
// next extraction_prepare makes the room. Never waits.
void extraction_collect(struct extraction *extraction, struct extraction_result *out);

// What the passes of a whole step read and write on the way, in bytes, each access counted: samples
// of `sample_bytes` each, lists, records, and the surface.
uint64_t extraction_bytes_moved(const struct extraction_result *result, uint32_t sample_bytes);

// The whole round for those who can wait: prepare, record, submit, wait, collect, grow and redo
// until whole.
bool extraction_run(
    struct extraction *extraction, const struct extraction_step *step,
    struct extraction_result *out, struct problem *problem);

// Reads a whole surface back (the last one made into `surface`), in grid units and in no order that
// is promised: mesh_canonicalize brings it into the one that is.
bool extraction_fetch(
    struct extraction *extraction, const struct surface *surface,
    const struct extraction_result *result, struct mesh *out, struct problem *problem);

// The same, canonical. PROBLEM_INTERRUPTED once interrupted is set.
bool extraction_download(
    struct extraction *extraction, const struct surface *surface,
    const struct extraction_result *result, struct mesh *out, struct problem *problem);

// Reads back the active cells of the last step as linear indices (see reference.h), in the order
// the method gave them; out->cells is malloc'ed.
struct cell_list;
bool extraction_cells(
    struct extraction *extraction, const struct extraction_result *result, struct cell_list *out,
    struct problem *problem);

// Where a cell (linear index) stands in the stream that methods compact: a method that keeps the
// stream's order gives cells in ascending order of this.
uint64_t extraction_stream_order(const uint32_t dim[3], uint64_t cell);
