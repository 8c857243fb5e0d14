// What verify has compared, as rows for people and as JSON.
#pragma once

#include "app/cli/session.h"

#define CHECKS_MOST 1024

struct check {
    const char *name, *label; // in JSON; for people, where the name does not say what is counted
    const char *of;           // what was checked: a method or a caster
    const char *with;         // the method of that caster; NULL: none
    bool ok;
    bool is_bool; // the numbers are truth values
    bool is_most; // `expected` is the most that is allowed
    uint64_t expected, found;
    char detail[300]; // where they differ, in words; may be empty
};

// Zero-initialised: none. It is large.
struct checks {
    struct check rows[CHECKS_MOST];
    uint32_t count;
};

// Adds a row, which is ok if the numbers are equal. The caller may change it. The texts must
// outlive the checks; `label` NULL: the name.
struct check *checks_add(
    struct checks *checks, const char *of, const char *name, const char *label, uint64_t expected,
    uint64_t found);

// The same, but it is ok if the found number is at most `most`.
struct check *checks_add_most(
    struct checks *checks, const char *of, const char *name, const char *label, uint64_t most,
    uint64_t found);

// The first members of the report of verify.
json_t *checks_begin_report(const struct checks *checks, const struct session *session, double iso);

// The member "checks" of a report; each row has `of` as the member `kind`, such as "method".
void checks_json(const struct checks *checks, const char *kind, json_t *json);

// A line for each row on stdout; with `quiet` only for those that failed.
void checks_text(const struct checks *checks, bool quiet);

// Whether all checks passed; if `says` is true, the last line on stdout says so. Otherwise
// PROBLEM_CHECK, which main prints. `what` was compared: "surface", or in the plural "rays".
// `details`: more words for that line, or "".
bool checks_end(
    const struct checks *checks, const char *what, double iso, const char *details, bool says,
    struct problem *problem);

// verify --draw rays (verify_rays.c): proves that the device's rays meet the surface where those of
// the reference do. PROBLEM_CHECK if a check failed.
bool verify_rays(const struct options *options, struct problem *problem);
