#include "app/base/json.h"
#include "app/base/report.h"
#include "app/cli/session.h"

#include <inttypes.h>
#include <stdio.h>

static bool
methods_print_json(const char *const *reasons, const struct traits *traits, struct problem *problem)
{
    json_t *json = json_begin_report();
    json_t *rows = json_add_array(json, "methods");
    for (uint32_t i = 0; i < method_count(); i++) {
        const struct method *method = method_at(i);
        json_t *row = json_add_object(rows, NULL);
        json_add_text(row, "name", method->name);
        json_add_text(row, "summary", method->summary);
        json_add_text(row, "paper", method->paper);
        json_t *notes = json_add_array(row, "notes");
        for (int n = 0; n < METHOD_NOTES && method->notes[n]; n++) {
            json_add_text(notes, NULL, method->notes[n]);
        }
        json_add_text(row, "runs_on", promises_place(method));
        json_add_text(row, "order", promises_order(method));
        json_add_bool(row, "stable", method_stable(method));
        json_add_bool(row, "deterministic", method_deterministic(method));
        json_add_bool(row, "in_place", method->in_place);
        json_add_bool(row, "waits", method->waits);
        json_add_bool(row, "needs_removals", method->removes);
        json_add_bool(row, "block_is_parameter", method->blocks);
        const uint64_t longest = method_longest(method, traits);
        if (longest) {
            json_add_count(row, "longest", longest);
        } else {
            json_add_text(row, "longest", NULL);
        }
        json_add_bool(row, "default", method == method_default());
        json_add_bool(row, "available", !reasons[i]);
        json_add_text(row, "reason", reasons[i]);
    }
    return json_finish(json, stdout, problem);
}

static const char *methods_mark(bool yes)
{
    return yes ? "yes" : "-";
}

// Prints a line of promises per method on a device with these traits (NULL: there is none),
// followed by what the method is, why it cannot run here and, with `notes`, a line per note. The
// lines are not wrapped, so that they can be searched.
static void methods_print_text(const char *const *reasons, const struct traits *traits, bool notes)
{
    static const char row[] = "%-24s%-8s%-9s%-10s%-7s%-10s%-7s%s\n";
    printf(row, "method", "on", "order", "in place", "waits", "removals", "block", "longest");
    for (uint32_t i = 0; i < method_count(); i++) {
        const struct method *method = method_at(i);
        char longest[24] = "-";
        if (method_longest(method, traits)) {
            snprintf(longest, sizeof longest, "%" PRIu64, method_longest(method, traits));
        }
        printf(
            row, method->name, promises_place(method), promises_order(method),
            methods_mark(method->in_place), methods_mark(method->waits),
            methods_mark(method->removes), methods_mark(method->blocks), longest);
        const char *first = method == method_default() ? " (the default)" : "";
        printf("    %s%s\n    %s\n", method->summary, first, method->paper);
        if (reasons[i] && !method->cpu) {
            printf("    cannot run here: %s\n", reasons[i]);
        } else if (reasons[i]) {
            printf("    %s\n", reasons[i]);
        }
        for (int n = 0; notes && n < METHOD_NOTES && method->notes[n]; n++) {
            printf("    - %s\n", method->notes[n]);
        }
    }
    printf("\n%s", promises_columns);
}

// The list itself is part of the program. Only the question what can run here needs a device. So it
// is not an error that there is no device, unless the user named one.
bool command_methods(const struct options *options, struct problem *problem)
{
    struct session session = { 0 };
    struct problem refused = { 0 };
    const bool opened = session_open(&session, options, &refused);
    if (!opened && (options->device || !problem_of_device(refused.kind))) {
        *problem = refused;
        return session_close(&session, false, problem);
    }
    const char *reasons[METHODS_MOST] = { 0 };
    for (uint32_t i = 0; i < method_count(); i++) {
        reasons[i] = opened || method_at(i)->cpu ? method_unavailable(method_at(i), &session.gpu)
                                                 : refused.text;
    }
    bool fine = true;
    if (options->json) {
        fine = methods_print_json(reasons, session.gpu.traits, problem);
    } else {
        methods_print_text(reasons, session.gpu.traits, options->notes);
    }
    return session_close(&session, fine, problem);
}
