// The list of active bricks from one isovalue to the next, without a look at all bricks.
//
// A brick is active for a key where its least key < key <= its greatest (its range spans the key).
// From a up to b those leave whose greatest key is in [a, b), if they were active; those enter
// whose least key is there, if they are active then; down it is the other way round. So the
// candidates are pieces of two sorted lists (the active list of Giles and Haimes 1990; span space,
// Livnat et al. 1996), and two binary searches on the host say where they are, and how many, before
// anything is recorded. One workgroup looks at them, appends those that enter and takes out those
// that leave by Redzone, in O(candidates), whatever the number of bricks.
#pragma once

#include "compute/atlas.h"
#include "compute/gpu/kernel.h"
#include "shaders/shared/drag.h"

enum range_end { RANGE_LEAST, RANGE_GREATEST, RANGE_ENDS };

// Bricks whose samples are all equal (or not finite) are never active, and not in it.
struct drag {
    bool sorted;
    uint32_t bricks, count;          // all, and those that can be active
    uint32_t bricks_a_candidate;     // of a list made anew cost as much as one
    uint32_t *keys[RANGE_ENDS];      // of these ends, each sorted: count of them
    struct buffer order[RANGE_ENDS]; // the bricks in these orders
    struct buffer removals, orphans; // of Redzone, see shaders/shared/redzone.h
    struct buffer events;            // struct drag_events, for the host
    struct kernel kernel;
};

// The candidates of a step.
struct drag_step {
    enum range_end leave_by, enter_by;
    uint32_t leaving_first, leaving_count, entering_first, entering_count;
};

// Reads the ranges back, sorts them, makes the kernel. PROBLEM_DEVICE_MEMORY where there is no
// room; on false `drag` is empty. One that has been sorted before is sorted anew, in the same room.
bool drag_sort(
    struct gpu *gpu, const struct atlas *atlas, VkDescriptorSetLayout set_layout, struct drag *drag,
    struct problem *problem);
void drag_destroy(struct gpu *gpu, struct drag *drag);

// Bricks that are active for a key.
uint32_t drag_active(const struct drag *drag, uint32_t key);

struct drag_step drag_between(const struct drag *drag, uint32_t from, uint32_t to);

// Whether such a step is cheaper than making the list anew.
bool drag_pays(const struct drag *drag, const struct drag_step *step);
