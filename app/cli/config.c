#include "app/cli/config.h"

#include "app/base/user_folder.h"
#include "app/cli/option_table.h"
#include "app/settings/bindings.h"
#include "volumes/base/log.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

// Options of the picture for all volumes, and of the device.
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
        // A session states the view.
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
