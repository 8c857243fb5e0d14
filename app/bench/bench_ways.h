// The ways to cast that bench cast compares. Casters with a tree are tried with several sizes of
// leaves, and casters in rounds with several methods.
#pragma once

#include "app/bench/bench_rows.h"

#define WAYS_MOST 128

struct way {
    const struct caster *caster; // one of ways->casters
    const struct method *method; // NULL: the caster is a single kernel
    const char *test;            // the test of cells (bench_tests.h); NULL: the usual one
};

// Do not move the struct while a way is in use: ways point into it.
struct ways {
    struct caster casters[CASTERS_MOST]; // copies of rows of the table, with the leaves of the plan
    uint32_t caster_count;
    struct way ways[WAYS_MOST];
    uint32_t count;
};

// Makes the ways of a plan, in the order of the plan. Methods that cannot compact rays become gaps
// of the table. PROBLEM_USAGE: the plan has more casters than fit, or no way.
bool ways_of(
    const struct plan *plan, const struct gpu *gpu, const struct experiment *experiment,
    struct bench_table *table, struct ways *out, struct problem *problem);

// Adds a copy of a caster: a way with each of the methods, or one way if it is a single kernel.
// PROBLEM_USAGE: there are too many casters or ways.
bool ways_add_caster(
    struct ways *ways, const struct caster *row, const struct method *const *methods,
    uint32_t method_count, struct problem *problem);

// "in kernel" or "own kernels": where the method compacts; NULL: nothing is compacted.
const char *way_form(const struct way *way);

// Sets the columns of a row that describe the way.
void way_row(const struct way *way, struct bench_row *row);

// "kd-jump", "wavefront-dda with lookback": for messages.
const char *way_text(const struct way *way, char text[128]);
