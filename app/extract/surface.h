// A surface for a report: what was counted, measured and timed.
#pragma once

#include "app/base/json.h"
#include "app/cli/session.h"
#include "compute/mesh/mesh_facts.h"

struct measured {
    struct extraction_result result;
    struct extract_totals totals;
    bool has_facts;
    struct mesh_facts facts;
    double extract_ms; // with session->reports_parts: of all work, with facts; else of the step
    double facts_ms, write_ms;
    uint64_t device_bytes; // the most device memory that was allocated at once
    const char *output;    // of one of several contours: the file of its mesh; may be NULL
};

// Adds the counts and times of another surface. The sum has no isovalue (NAN) and no facts.
void measured_add(struct measured *sum, const struct measured *other);

// Adds isovalue, method, counts and facts as members of the open object. Of several contours: their
// sums, then the members of each in an array "contours".
void measured_json(const struct measured *list, uint32_t count, json_t *json);

// Adds up the numbers of two extractions; the resident parts are those of `other`.
void totals_add(struct extract_totals *sum, const struct extract_totals *other);

// Write only counts and facts, as members or as lines. All commands use these functions.
void surface_json(const struct measured *measured, json_t *json);
void surface_text(const struct measured *measured, FILE *file);
