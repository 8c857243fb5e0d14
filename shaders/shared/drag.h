// What the kernel that drags the brick list and the C side agree on; see compute/extraction/drag.h.
#ifndef SHADERS_SHARED_DRAG_H
#define SHADERS_SHARED_DRAG_H

#include "shaders/shared/glue.h"

struct drag_push {
    ADDRESS(ListHead) head; // its count becomes the list's
    ADDRESS(Uints) list;    // the active bricks: of the last isovalue, then of this one
    ADDRESS(ReadUints)
    leaving; // bricks in the order of that end of their ranges by which they leave,
    ADDRESS(ReadUints) entering; // and of the other one
    ADDRESS(ReadUvec2s) ranges;  // read through BINDING_RANGES
    ADDRESS(ReadUints) slots;    // where a brick of the list stands in it; through BINDING_SLOTS
    ADDRESS(Uints) removals;
    ADDRESS(Uints) orphans;
    ADDRESS(WriteUints) events; // struct drag_events
    uint from;                  // keys of the last isovalue, and of this one
    uint to;
    uint leaving_first; // the candidates
    uint leaving_count;
    uint entering_first;
    uint entering_count;
    uint before; // elements of the list
    uint room;   // words of `orphans`
};

// For the host.
struct drag_events {
    uint removed, entered;
};

#endif
