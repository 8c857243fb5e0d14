// What the files of extraction share, and nobody else sees.
#pragma once

#include "compute/bindings.h"
#include "compute/extraction/extraction.h"
#include "compute/extraction/kernels.h"

#include <assert.h>

// Indirect arguments, 16 bytes each: for lanes that take a halo row of the active bricks, a row,
// four rows, TRIANGLES_CELLS cells, a vertex.
enum groups { GROUPS_HALO, GROUPS_ROWS, GROUPS_FOURS, GROUPS_CELLS, GROUPS_VERTICES, GROUPS };

static_assert(EDGES_ROWS == 4 && ITEM_ROWS == 4, "GROUPS_FOURS are theirs");

#define ROWS_BYTES (HALO_ROWS * 8) // per active brick

struct extraction {
    struct gpu *gpu;
    const struct atlas *atlas;
    enum atlas_storage storage; // the atlas's
    struct bindings bindings;
    struct kernel kernels[STEP_KERNELS][2]; // writing by address, or bound
    bool bound;                             // which of them this step uses
    struct compaction compaction;
    struct selector selectors[STREAMS]; // of `auto`
    struct selection choices[STREAMS];  // of the last prepare; otherwise its method alone
    bool has_counts;                    // a whole step has been; of it:
    double active_bricks, active_cells;
    struct stopwatch timer;
    struct buffer cases;            // the 256 cases, 8 bytes each
    struct buffer heads;            // LISTS list_counters
    struct buffer groups;           // GROUPS indirect arguments
    struct buffer bricks;           // ids of the active bricks
    struct buffer slots;            // per brick: its place in `bricks`, from `classify` on
    struct buffer rows;             // inside bits of the active bricks
    struct buffer records;          // per brick row: first vertex and crossings
    struct buffer cells;            // ids of the active cells
    struct buffer counts;           // struct step_counts, for the host
    uint64_t wanted[LISTS];         // what the next prepare makes room for
    const struct surface *prepared; // whose buffers the bindings point at
    double iso;                     // of the step recorded last
    const struct method *method;
    bool moving; // that step only moves vertices
    // The last whole step, if nothing has been recorded since.
    struct {
        bool known;
        const struct surface *surface;
        uint64_t serials[3]; // of its vertices, edges and indices
        uint32_t key;
        double iso;
        const struct method *method;
        bool every; // brick in the list
    } made;
};

// The buffers that an extraction has from the start, and those that grow with the surface; and what
// they are made with.
enum fixed_buffer {
    FIXED_CASES,
    FIXED_HEADS,
    FIXED_GROUPS,
    FIXED_BRICKS,
    FIXED_SLOTS,
    FIXED_RECORDS,
    FIXED_COUNTS,
    FIXED_BUFFERS
};
enum grown_buffer {
    GROWN_ROWS,
    GROWN_CELLS,
    GROWN_VERTICES,
    GROWN_EDGES,
    GROWN_INDICES,
    GROWN_DRAW,
    GROWN_BUFFERS
};
struct buffer_params extraction_fixed(const struct atlas *atlas, enum fixed_buffer which);
struct buffer_params extraction_grown(const uint64_t room[LISTS], enum grown_buffer which);

// The texels that kernels read them by; VK_FORMAT_UNDEFINED: they do not.
VkFormat extraction_fixed_format(enum fixed_buffer which);
VkFormat extraction_grown_format(enum grown_buffer which);

// The two streams of a step, at most.
void extraction_streams(
    const struct atlas *atlas, const uint64_t room[LISTS], struct compaction_size sizes[STREAMS]);

// So many of a list, or as many as there can be.
uint64_t extraction_bounded(const struct atlas *atlas, uint32_t list, uint64_t wanted);

// How many of a list there is room for.
uint64_t extraction_capacity(
    const struct extraction *extraction, const struct surface *target, uint32_t list);

// What runs for each stream that has a size: the method, or what it picks. PROBLEM_UNSUPPORTED
// where it finds none.
bool extraction_pick(
    struct extraction *extraction, const struct method *method,
    const struct compaction_size sizes[STREAMS], const struct method *chosen[STREAMS],
    struct problem *problem);

// What was picked meets what a whole step counted and took.
void extraction_learn(struct extraction *extraction, const struct extraction_result *result);

struct extraction_choice
extraction_choice_of(const struct extraction *extraction, enum stream stream);
