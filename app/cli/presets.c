#include "app/cli/presets.h"

#include "app/base/number.h"
#include "app/base/user_folder.h"
#include "app/cli/option_table.h"
#include "app/settings/bindings.h"
#include "volumes/base/log.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool presets_takes(const struct option_row *first, enum command_id command)
{
    return option_row_for(first, &commands[command]);
}

// Whether a session may hold the option: `view` and `render` take it, `devices` does not. So it is
// about the picture or about reading the volume, and a session cannot name a file to write.
static bool presets_in_session(const struct option_row *first)
{
    return presets_takes(first, COMMAND_VIEW) && presets_takes(first, COMMAND_RENDER) &&
           !presets_takes(first, COMMAND_DEVICES) && strcmp(first->name, "session") != 0;
}

// Whether the command line already states what this option would set.
static bool presets_is_given(const struct options *options, const char *name)
{
    return option_given(options, name) ||
           (strcmp(name, "camera") == 0 &&
            (option_given(options, "view") || option_given(options, "zoom")));
}

// Sets *out to the value as on the command line; NULL for all that is no text and no number. The
// text lives as long as `presets`. False: memory is short.
static bool presets_text(struct presets *presets, json_t *value, const char **out)
{
    json_t *text = json_is_number(value) ? json_sprintf("%.17g", json_number_value(value))
                                         : json_incref(value);
    *out = json_string_value(text);
    return json_array_append_new(presets->texts, text) == 0;
}

// Sets an option from a value in a file. `place`: where the value is in the file, for the message.
static bool presets_read(
    struct options *options, const struct option_row *first, json_t *value, const char *place,
    struct presets *presets, struct problem *problem)
{
    struct problem why = { 0 };
    const struct option_row *row = option_row_for(first, options->command);
    struct reading reading = { row, NULL, options, &why };
    if (json_is_false(value) && !row->value) {
        return true;
    }
    if (!presets_text(presets, value, &reading.text)) {
        return problem_no_memory(problem, "reading", place);
    }
    if (!reading.text != !row->value || (!reading.text && !json_is_true(value))) {
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
            !presets_is_given(options, name) && option_row_for(first, options->command) &&
            (with_volume || !presets_takes(first, COMMAND_CONVERT)) &&
            // The method does not change a surface's picture, and another device may not run it.
            (views || strcmp(name, "method") != 0 || json_object_get(members, "show"))) {
            fine = presets_read(options, first, value, place, presets, problem);
        }
    }
    // Known options are written anew when the session is saved. Keep only the unknown ones.
    if (fine && members) {
        json_object_set(file->json, "options", unknown);
    }
    json_decref(unknown);
    return fine;
}

bool presets_check_contours(struct options *options, struct problem *problem)
{
    for (const struct setting *row = settings_table; row->size; row++) {
        const bool each = row->type == SETTING_COLOURS || row->type == SETTING_OPACITIES;
        const char *text = each || row->type == SETTING_HIDDEN
                               ? options->values[option_find(row->option) - option_rows()]
                               : NULL;
        const size_t count = text ? split(text, ',', 0, NULL, NULL) : 0;
        if (each && count > 1 && count != options->iso_count) {
            return problem_set(
                problem, PROBLEM_USAGE, "--%s has %zu values, --iso %u", row->option, count,
                options->iso_count);
        }
        for (uint32_t i = options->iso_count; text && !each && i < CONTOURS_MOST; i++) {
            if (options->view.hidden[i]) {
                return problem_set(
                    problem, PROBLEM_USAGE, "--%s %u: --iso has %u", row->option, i + 1,
                    options->iso_count);
            }
        }
    }
    const enum command_id command = options->command ? command_id(options->command) : COMMANDS;
    if (command == COMMAND_VIEW || command == COMMAND_RENDER || command == COMMAND_ANIMATE ||
        command == COMMAND_VERIFY) {
        options->view.further = options->iso_count - 1;
        if (options->view.clips[0].only >> options->iso_count) {
            return problem_set(
                problem, PROBLEM_USAGE, "--clip: @ names a contour that is not there: --iso has %u",
                options->iso_count);
        }
    }
    if (view_is_transparent(&options->view) && options->view.draw == DRAW_TRIANGLES) {
        options->view.draw = DRAW_RAYS;
        return !option_given(options, "draw") ||
               problem_set(
                   problem, PROBLEM_USAGE,
                   "--draw triangles: only rays show an opacity below 1; leave --draw out, or "
                   "--opacity");
    }
    return true;
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
    const bool fine = presets_read_session(&options, !with_line, &presets, problem) &&
                      presets_check_contours(&options, problem);
    if (fine) {
        out->view = options.view;
        out->view.method = options.method;
        memcpy(out->isos, options.isos, sizeof out->isos);
        out->view.further = options.iso_count - 1;
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
            for (uint32_t i = 0; i < options->iso_count; i++) {
                const struct isovalue *from = &options->isos[i];
                motion->ends[i] = i < end.iso_count ? end.isos[i] : *from;
                motion->has_sweep = motion->has_sweep || from->kind != motion->ends[i].kind ||
                                    from->value != motion->ends[i].value;
            }
        }
    }
    presets_end(&presets);
    return fine;
}

// ---- the configuration ----

// A member of the configuration, for messages.
struct config_at {
    struct presets *presets;
    const struct json_file *file;
    const char *outer, *inner;
};

__attribute__((format(printf, 2, 3))) static void
config_warn(const struct config_at *at, const char *format, ...)
{
    char place[JSON_FILE_PLACE], what[BINDINGS_REASON + 1000];
    struct problem line;
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    json_file_place(at->file, at->outer, at->inner, place);
    problem_set(&line, PROBLEM_INPUT, "%s: %s", place, what);
    log_warn("%s", line.text);
    if (!at->presets->warning[0]) {
        snprintf(at->presets->warning, sizeof at->presets->warning, "%s", line.text);
    }
}

static void config_read_keys(struct config_at *at, json_t *keys)
{
    json_t *value;
    json_object_foreach(keys, at->inner, value)
    {
        const char *texts[BINDINGS_KEYS + 1];
        char reason[BINDINGS_REASON];
        size_t count = 0;
        const size_t all = json_is_array(value) ? json_array_size(value) : 1;
        for (size_t i = 0; i < all && count <= BINDINGS_KEYS; i++) {
            const json_t *key = json_is_array(value) ? json_array_get(value, i) : value;
            if (!(texts[count++] = json_string_value(key))) {
                count = SIZE_MAX;
                break;
            }
        }
        if (count == SIZE_MAX) {
            config_warn(at, "expected a key such as \"Ctrl+K\", or a list of keys, [...]");
        } else if (!bindings_set(at->inner, texts, count, reason)) {
            config_warn(at, "%s", reason);
        }
    }
}

static void config_on_conflict(void *user, const char *name, const char *text)
{
    struct config_at *at = user;
    at->inner = name;
    config_warn(at, "%s", text);
}

// Whether the configuration may set the option: if it is about all pictures, or about the device.
static bool config_may_hold(const struct option_row *first)
{
    static const char *const other[] = { "camera", "view", "zoom", "iso", "validate" };
    bool may = option_row_for(first, &commands[COMMAND_VIEW]) &&
               option_row_for(first, &commands[COMMAND_ANIMATE]) &&
               !option_row_for(first, &commands[COMMAND_CONVERT]);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        may &= strcmp(first->name, other[i]) != 0;
    }
    return may;
}

static void config_read_options(struct options *options, struct config_at *at, json_t *members)
{
    json_t *value;
    json_object_foreach(members, at->inner, value)
    {
        struct problem problem;
        const struct option_row *first = option_find(at->inner);
        if (!first || !config_may_hold(first)) {
            config_warn(at, "the configuration cannot set this option");
            continue;
        }
        // A session states the view, so the configuration must not change it.
        const bool around =
            strcmp(at->inner, "device") == 0 || strcmp(at->inner, "memory-budget") == 0;
        if (option_given(options, at->inner) || (options->session && !around)) {
            continue;
        }
        struct options changed = *options;
        if (presets_read(&changed, first, value, "", at->presets, &problem)) {
            *options = changed;
        } else {
            config_warn(at, "%s", problem.text + strspn(problem.text, ": "));
        }
    }
}

void config_read(
    struct options *options, bool keys_only, const struct json_file *file, struct presets *presets)
{
    struct config_at at = { .presets = presets, .file = file };
    json_t *value;
    bindings_reset();
    json_object_foreach(file->json, at.outer, value)
    {
        const bool keys = strcmp(at.outer, "keys") == 0;
        at.inner = NULL;
        if (strcmp(at.outer, "last-view") == 0) {
            options->forgets = json_is_false(value);
            if (!json_is_boolean(value)) {
                config_warn(&at, "expected true or false");
            }
        } else if (!keys && strcmp(at.outer, "options") != 0) {
            config_warn(
                &at, "there is no such member; expected \"keys\", \"options\" or \"last-view\"");
        } else if (!json_is_object(value)) {
            config_warn(&at, "expected an object, {...}");
        } else if (keys) {
            config_read_keys(&at, value);
        } else if (!keys_only) {
            config_read_options(options, &at, value);
        }
    }
    at.outer = "keys";
    bindings_apply(config_on_conflict, &at);
}

void config_apply(struct options *options, bool keys_only, struct presets *presets)
{
    struct json_file file;
    struct problem problem;
    char *path = user_folder_path("XDG_CONFIG_HOME", ".config", "config.json");
    if (path && access(path, F_OK) == 0) {
        if (json_file_open("configuration", path, &file, &problem)) {
            config_read(options, keys_only, &file, presets);
            json_file_close(&file);
        } else {
            log_warn("%s", problem.text);
            snprintf(presets->warning, sizeof presets->warning, "%s", problem.text);
        }
    }
    free(path);
}

void presets_end(struct presets *presets)
{
    session_file_close(&presets->session);
    json_decref(presets->texts);
    presets->texts = NULL;
}
