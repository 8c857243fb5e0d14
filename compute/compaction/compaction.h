// Stream compaction: from a stream of elements and a predicate to the list of the kept ones.
//
// A method is a row of the table; tests, bench, viewer and command line find it by themselves.
#pragma once

#include "compute/gpu/run.h"

enum method_order {
    ORDER_NONE,          // any order
    ORDER_WITHIN_BLOCKS, // stream order inside a workgroup's block, blocks as they finish
    ORDER_PYRAMID,       // always the same: Z-order over the 2D base
    ORDER_STREAM,        // the stream's own order: stable
};

struct method {
    const char *name;    // "ink-collate"
    const char *summary; // one line for people
    const char *paper;   // source
    enum method_order order;
    // NULL: usable on this device; otherwise why not, a line for people.
    const char *(*unavailable)(const struct gpu *gpu);
};

extern const struct method methods[]; // ended by a row with a NULL name
uint32_t method_count(void);
const struct method *method_find(const char *name); // NULL when unknown
const struct method *method_default(void);
const char *method_unavailable(const struct method *method, const struct gpu *gpu);
static inline bool method_stable(const struct method *method)
{
    return method->order == ORDER_STREAM;
}
static inline bool method_deterministic(const struct method *method)
{
    return method->order == ORDER_STREAM || method->order == ORDER_PYRAMID;
}
