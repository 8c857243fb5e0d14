// What verify has compared, as rows for people and as JSON.
#pragma once

#include "app/cli/session.h"

#define CHECKS_MOST 1024

struct check {
    const char *name, *label; // name: in JSON; label: what is counted, for people
    const char *of;           // what was checked: a method or a caster
    const char *with;         // the method that the caster uses; NULL: none
    bool ok;
    bool is_bool; // the numbers are truth values
    bool is_most; // `expected` is the most that is allowed
    uint64_t expected, found;
    char detail[300]; // where they differ, in words; may be empty
};

// Zero-initialised means that there are no checks. The struct is large.
struct checks {
    struct check rows[CHECKS_MOST];
    uint32_t count;
    bool reports; // checks_report has begun these, which stay NULL if memory is short:
    json_t *report, *contours;
    struct problem verdict; // of the isovalues so far
};

// Adds a row, and returns it so that the caller can change it. The row is ok if both numbers are
// equal. The texts must outlive the checks; `label` NULL: the name.
struct check *checks_add(
    struct checks *checks, const char *of, const char *name, const char *label, uint64_t expected,
    uint64_t found);

// Adds a row like checks_add. This row is ok if `found` is at most `most`.
struct check *checks_add_most(
    struct checks *checks, const char *of, const char *name, const char *label, uint64_t most,
    uint64_t found);

// Creates the report of verify, and returns the object for the members of this isovalue: the report
// itself or, if `several` isovalues are checked, an object in its array "contours".
json_t *
checks_report(struct checks *checks, const struct session *session, double iso, bool several);

// Adds the member "checks" of a report. In a row the member called `kind`, as "method", is `of`.
void checks_json(const struct checks *checks, const char *kind, json_t *json);

// Prints a line for each row on stdout; with `quiet` only for those that failed.
void checks_text(const struct checks *checks, bool quiet);

// Ends the checks at an isovalue, or at a list with commas; no rows are left. If all passed and
// `says` is true, prints that as the last line on stdout; if not, notes it for checks_close. `what`
// names what was compared: "surface", or the plural "rays". `details`: more words for the last
// line, or "".
void checks_end(
    struct checks *checks, const char *what, const char *isos, const char *details, bool says);

// Ends all checks, and prints the report if there is one and `fine`. False if not `fine`; with
// PROBLEM_CHECK, which main prints, if a check failed.
bool checks_close(struct checks *checks, bool fine, struct problem *problem);

// verify --draw rays (verify_rays.c): proves that the device's rays meet the surface where those of
// the reference do. PROBLEM_CHECK if a check failed.
bool verify_rays(const struct options *options, struct problem *problem);
