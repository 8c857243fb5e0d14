// Measures all methods in turns at one isovalue, between frames, and keeps their table. The best
// method is the one whose least compaction is the least of all. In further turns, those methods go
// on that are not yet told apart from it: see measurement_row.
#pragma once

#include "app/viewer/methods/step_history.h"

#ifdef __cplusplus
extern "C" {
#endif

struct caster;
struct document;
struct extraction_result;
struct gpu;
struct method;
struct problem;
struct volume_facts;
struct works;

#define MEASUREMENT_TEXT 256
#define MEASUREMENT_ROWS 88 // for each method two casters in rounds, and some other casters

struct measurement_row {
    char name[80];               // of the method; of the caster, and of the method that it uses
    const struct caster *caster; // casts rays; NULL: the method makes a mesh
    uint32_t index;              // in the methods' table
    char choice[128]; // what `auto` selected for bricks and cells; empty for other methods
    uint64_t active_cells, triangles; // of casts: rays, and those that met the surface
    // It took longer than the best method in so many of the turns of both that the chance of it is
    // below 1 %, if each were as likely to take longer (the sign test). That is the chance of one
    // look; a row is looked at after each turn. Never so for the best, nor for `auto`, which runs
    // one of the others.
    bool apart;
    struct step_kept kept;
    struct step_summary times;
};

// Zero-initialised: nothing was measured.
struct measurement {
    bool running;
    bool has_table; // all methods have been measured, though further turns may follow
    bool shows;     // the table is shown over the picture
    bool every_brick;
    double iso;
    char volume[MEASUREMENT_TEXT], device[MEASUREMENT_TEXT]; // names, printable
    uint32_t count;
    bool casts;                                    // the rows are of casts
    struct measurement_row rows[MEASUREMENT_ROWS]; // in the order of the methods' table
    uint32_t turn, row;                            // turn and row of the next step
    uint32_t attempts;                             // steps at this row so far
    bool is_near;                                  // the last step was at an isovalue near `iso`
    uint32_t best, doubtful; // its row, and how many others are not told apart from it
    double drawn;            // when the progress was last drawn, in window_time
};

// What measurement_next needs to make steps.
struct measured {
    const struct gpu *gpu;
    // Makes one step and waits for it: see document_attempt.
    bool (*attempt)(
        struct document *document, const struct method *method, double iso, bool every_brick,
        struct extraction_result *result, struct problem *problem);
    struct document *document;
    // Makes one cast and waits for it: see casts_measure.
    bool (*cast)(
        struct works *works, const struct caster *caster, const struct method *method,
        struct step_time *time, uint64_t counts[2], bool *whole, struct problem *problem);
    struct works *works;
    const struct volume_facts *facts;
    uint32_t key;               // of the isovalue, see step_history.h
    struct step_history *times; // the measured times are added here, too
};

// Discards the table before. Copies the names. Then add the methods with measurement_add.
void measurement_begin(
    struct measurement *out, const char *volume, const char *device, double iso, bool every_brick);
void measurement_add(
    struct measurement *measurement, const struct method *method, const struct caster *caster);
// What a row's stages are called; NULL: it has no such stage.
const char *const *measurement_stages(const struct measurement *table);

// Makes steps for `ms` milliseconds, or until the measurement ends. No frame may be in flight.
// False: an error has ended the measurement without a table.
bool measurement_next(
    struct measurement *measurement, const struct measured *of, double ms, struct problem *problem);

// Ends a running measurement. If all methods have been measured, their table stays.
void measurement_end(struct measurement *measurement);
// "without a table", or "early" if the table stays.
const char *measurement_ended(const struct measurement *measurement);

// Writes which method is the best, and how many others cannot be told apart from it.
#define MEASUREMENT_VERDICT 160
const char *measurement_verdict(const struct measurement *table, char text[MEASUREMENT_VERDICT]);

// The progress, 0 to 1: of measuring all methods, then of the further turns.
double measurement_share(const struct measurement *measurement);

// Fills `order` with row numbers: by the least time of the compaction, or in the table's order.
void measurement_order(
    const struct measurement *measurement, bool by_time, uint32_t order[MEASUREMENT_ROWS]);

// The table as CSV (RFC 4180, but lines end with \n): a first line that names each column with its
// unit, then a line for each method, in the table's order. NULL: out of memory. The caller frees
// it.
char *measurement_csv(const struct measurement *measurement);

#ifdef __cplusplus
}
#endif
