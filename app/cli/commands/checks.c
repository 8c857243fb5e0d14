#include "app/cli/commands/checks.h"
#include "app/base/number.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct check *checks_add(
    struct checks *checks, const char *of, const char *name, const char *label, uint64_t expected,
    uint64_t found)
{
    assert(checks->count < CHECKS_MOST);
    struct check *check = &checks->rows[checks->count++];
    *check = (struct check){
        .name = name,
        .label = label ? label : name,
        .of = of,
        .ok = expected == found,
        .expected = expected,
        .found = found,
    };
    return check;
}

struct check *checks_add_most(
    struct checks *checks, const char *of, const char *name, const char *label, uint64_t most,
    uint64_t found)
{
    struct check *check = checks_add(checks, of, name, label, most, found);
    check->is_most = true;
    check->ok = found <= most;
    return check;
}

static uint32_t checks_failures(const struct checks *checks)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < checks->count; i++) {
        count += !checks->rows[i].ok;
    }
    return count;
}

json_t *
checks_report(struct checks *checks, const struct session *session, double iso, bool several)
{
    json_t *json = checks->report;
    if (!checks->reports) {
        checks->reports = true;
        json = checks->report = json_begin_report();
        json_add_text(json, "file", session->path);
        json_add_dims(json, "dims", session->volume.dim);
        json_add_text(json, "type", volume_type_name(session->volume.file_type));
        json_add_number(json, "iso", several ? NAN : iso);
        json_add_text(json, "device", session->gpu.properties.deviceName);
        checks->contours = several ? json_add_array(json, "contours") : NULL;
    }
    if (several) {
        json = json_add_object(checks->contours, NULL);
        json_add_number(json, "iso", iso);
    }
    json_add_bool(json, "ok", checks_failures(checks) == 0);
    return json;
}

void checks_json(const struct checks *checks, const char *kind, json_t *json)
{
    json_t *rows = json_add_array(json, "checks");
    for (uint32_t i = 0; i < checks->count; i++) {
        const struct check *check = &checks->rows[i];
        json_t *row = json_add_object(rows, NULL);
        json_add_text(row, "name", check->name);
        json_add_text(row, kind, check->of);
        if (check->with) {
            json_add_text(row, "with", check->with);
        }
        json_add_bool(row, "ok", check->ok);
        const char *expected = check->is_most ? "most" : "expected";
        if (check->is_bool) {
            json_add_bool(row, expected, check->expected);
            json_add_bool(row, "found", check->found);
        } else {
            json_add_count(row, expected, check->expected);
            json_add_count(row, "found", check->found);
        }
        json_add_text(row, "detail", *check->detail ? check->detail : NULL);
    }
}

static void check_value_text(const struct check *check, uint64_t value, char out[32])
{
    if (check->is_bool) {
        snprintf(out, 32, "%s", value ? "yes" : "no");
    } else {
        number_thousands(value, out);
    }
}

// "wavefront-dda with lookback"
static void check_name(const struct check *check, char out[80])
{
    snprintf(
        out, 80, "%s%s%s ", check->of, check->with ? " with " : "", check->with ? check->with : "");
}

void checks_text(const struct checks *checks, bool quiet)
{
    int width = 18;
    char of[80];
    for (uint32_t i = 0; i < checks->count; i++) {
        check_name(&checks->rows[i], of);
        const int length = (int)strlen(of);
        width = length > width ? length : width;
    }
    for (uint32_t i = 0; i < checks->count; i++) {
        const struct check *check = &checks->rows[i];
        if (quiet && check->ok) {
            continue;
        }
        char found[32], expected[32];
        check_value_text(check, check->found, found);
        check_value_text(check, check->expected, expected);
        check_name(check, of);
        printf("%-6s%-*s%-23s%s", check->ok ? "ok" : "FAIL", width, of, check->label, found);
        if (!check->ok) {
            printf(", must be %s%s", check->is_most ? "at most " : "", expected);
        }
        printf("%s%s\n", *check->detail ? ": " : "", check->detail);
    }
}

void checks_end(
    struct checks *checks, const char *what, const char *isos, const char *details, bool says)
{
    const uint32_t failures = checks_failures(checks);
    const bool several = what[strlen(what) - 1] == 's';
    const struct problem before = checks->verdict;
    const bool list = strchr(isos, ',');
    if (failures > 0 && before.kind) {
        problem_set(
            &checks->verdict, PROBLEM_CHECK, "%s; %u of %u at isovalue%s %s", before.text, failures,
            checks->count, list ? "s" : "", isos);
    } else if (failures > 0) {
        problem_set(
            &checks->verdict, PROBLEM_CHECK,
            "the device's %s differ%s from the CPU's at isovalue%s %s: %u of %u checks failed",
            what, several ? "" : "s", list ? "s" : "", isos, failures, checks->count);
    } else if (says) {
        printf(
            "the device's %s equal%s the CPU's at isovalue%s %s: %s%u of %u checks passed\n", what,
            several ? "" : "s", list ? "s" : "", isos, details, checks->count, checks->count);
    }
    checks->count = 0;
}

bool checks_close(struct checks *checks, bool fine, struct problem *problem)
{
    if (checks->contours) {
        json_add_bool(checks->report, "ok", !checks->verdict.kind);
    }
    if (!fine) {
        json_decref(checks->report);
    } else if (checks->reports) {
        fine = json_finish(checks->report, stdout, problem);
    }
    return fine && (!checks->verdict.kind ||
                    problem_set(problem, checks->verdict.kind, "%s", checks->verdict.text));
}
