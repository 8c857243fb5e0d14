// All methods measured at one isovalue: a table that does not change any more.
#pragma once

#include "app/viewer/methods/step_history.h"

#ifdef __cplusplus
extern "C" {
#endif

#define COMPARISON_TEXT 256

struct comparison_row {
    const char *method; // its name; constant data
    char choice[128];   // what `auto` selected; empty for other methods
    uint64_t active_cells, triangles;
    struct step_summary times;
};

struct comparison {
    double iso;
    char volume[COMPARISON_TEXT], device[COMPARISON_TEXT]; // names, printable
    uint32_t count;
    struct comparison_row rows[STEP_HISTORY_METHODS]; // as the methods' table has them
};

// The order of the rows: by the median of the compaction, or as the table has them.
void comparison_order(
    const struct comparison *comparison, bool by_time, uint32_t order[STEP_HISTORY_METHODS]);

// The table as CSV (RFC 4180, but lines end with \n): a first line that names each column with its
// unit, then a line for each method, in the table's order. NULL: out of memory. The caller frees
// it.
char *comparison_csv(const struct comparison *comparison);

#ifdef __cplusplus
}
#endif
