#include "app/cli/presets.h"

#include "app/cli/option_table.h"
#include "volumes/base/log.h"

#include <stdlib.h>
#include <string.h>

static bool presets_takes(const struct option_row *first, enum command_id command)
{
    return option_row_for(first, &commands[command]);
}

// Options of the picture and of how the volume is read: what both `view` and `render` take, but not
// commands that have neither. So a session can name no file to write.
static bool presets_in_session(const struct option_row *first)
{
    return presets_takes(first, COMMAND_VIEW) && presets_takes(first, COMMAND_RENDER) &&
           !presets_takes(first, COMMAND_DEVICES) && strcmp(first->name, "session") != 0;
}

// Whether the command line states already what this option would.
static bool presets_is_given(const struct options *options, const char *name)
{
    return option_given(options, name) ||
           (strcmp(name, "camera") == 0 &&
            (option_given(options, "view") || option_given(options, "zoom")));
}

// The value as on the command line; NULL for `true` and where it has none. False: nothing has this
// form. The text lives as long as `presets`.
static bool presets_text(struct presets *presets, json_t *value, const char **out)
{
    json_t *text = json_is_number(value) ? json_sprintf("%.17g", json_number_value(value))
                                         : json_incref(value);
    *out = json_string_value(text);
    const bool kept = json_array_append_new(presets->texts, text) == 0;
    return kept && (*out || json_is_true(value));
}

bool presets_read(
    struct options *options, const struct option_row *first, json_t *value, const char *place,
    struct presets *presets, struct problem *problem)
{
    struct problem why = { 0 };
    const struct option_row *row = option_row_for(first, options->command);
    struct reading reading = { row, NULL, options, &why };
    if (json_is_false(value) && !row->value) {
        return true;
    }
    if (!presets_text(presets, value, &reading.text) || !reading.text != !row->value) {
        return problem_set(
            problem, PROBLEM_INPUT, "%s: expected %s%s%s", place, row->value ? "\"" : "",
            row->value ? row->value : "true", row->value ? "\"" : " or false");
    }
    return option_read(&reading) ||
           problem_set(
               problem, why.kind == PROBLEM_USAGE ? PROBLEM_INPUT : why.kind, "%s: %s", place,
               why.text);
}

bool presets_read_session(
    struct options *options, bool with_volume, struct presets *presets, struct problem *problem)
{
    struct json_file *file = &presets->session.file;
    json_t *members = json_object_get(file->json, "options"), *value;
    json_t *unknown = json_object();
    const bool views = command_id(options->command) == COMMAND_VIEW;
    const char *name;
    bool fine = unknown || problem_set(problem, PROBLEM_HOST_MEMORY, "out of memory for a session");
    json_object_foreach(members, name, value)
    {
        char place[JSON_FILE_PLACE];
        const struct option_row *first = option_find(name);
        if (!fine) {
            break;
        }
        json_file_place(file, "options", name, place);
        if (!first || !presets_in_session(first)) {
            log_warn("%s: this is not an option of a session; it is ignored", place);
            json_object_set(unknown, name, value);
        } else if (
            !presets_is_given(options, name) &&
            (with_volume || !presets_takes(first, COMMAND_CONVERT)) &&
            // The method does not change a surface's picture, and another device may not run it.
            (views || strcmp(name, "method") != 0 || json_object_get(members, "show"))) {
            fine = presets_read(options, first, value, place, presets, problem);
        }
    }
    // What is known is written anew; the rest is kept.
    if (fine && members) {
        json_object_set(file->json, "options", unknown);
    }
    json_decref(unknown);
    return fine;
}

bool presets_read_stated(
    const void *line, const struct session_file *session, bool with_line, struct stated *out,
    struct problem *problem)
{
    const struct options *given = line;
    struct options options = { .iso_count = 1 };
    struct presets presets = { .session = *session, .texts = given->texts };
    options.volume.max_bytes = given->volume.max_bytes;
    options.volume.max_input = given->volume.max_input;
    if (with_line) {
        options = *given;
    }
    options.command = &commands[COMMAND_VIEW];
    const bool fine = presets_read_session(&options, !with_line, &presets, problem);
    if (fine) {
        out->view = options.view;
        out->view.method = options.method;
        out->iso = options.isos[0];
        out->volume = options.volume;
    }
    return fine;
}

bool presets_read_end(struct options *options, struct problem *problem)
{
    struct options end = { .command = options->command, .iso_count = 1 };
    struct presets presets = { .texts = json_array() };
    struct motion *motion = &options->motion;
    bool fine = session_file_open(motion->to, &presets.session, problem) &&
                presets_read_session(&end, false, &presets, problem);
    if (fine && !end.view.start.has_pose) {
        fine = problem_set(
            problem, PROBLEM_INPUT, "%s has no camera to move to: Ctrl+S in the window saves one",
            presets.session.file.name);
    }
    if (fine) {
        const char *path = options->operands[0];
        if (path && !session_file_is_of(&presets.session, path)) {
            log_warn("%s was saved with another volume than '%s'", presets.session.file.name, path);
        }
        motion->has_end = true;
        motion->end = end.view.start.pose;
        if (!motion->has_sweep && !option_given(options, "iso")) {
            const struct isovalue *from = &options->isos[0], *to = &end.isos[0];
            motion->has_sweep = from->kind != to->kind || from->value != to->value;
            motion->sweep_end = *to;
        }
    }
    presets_end(&presets);
    return fine;
}

void presets_end(struct presets *presets)
{
    session_file_close(&presets->session);
    json_decref(presets->texts);
    presets->texts = NULL;
}
