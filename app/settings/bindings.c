#include "app/settings/bindings.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define ROWS 640 // in use, at most

// The names of actions. They stand in people's configuration: do not change them.
static const struct {
    const char *name;
    enum action action;
    double value;
    size_t setting; // of ACTION_TOGGLE and ACTION_TOGGLE_LINES
} actions[] = {
    { "iso-down", ACTION_ISO_STEP, -0.01, 0 },
    { "iso-up", ACTION_ISO_STEP, +0.01, 0 },
    { "iso-down-fine", ACTION_ISO_STEP, -0.001, 0 },
    { "iso-up-fine", ACTION_ISO_STEP, +0.001, 0 },
    { "iso-down-coarse", ACTION_ISO_STEP, -0.1, 0 },
    { "iso-up-coarse", ACTION_ISO_STEP, +0.1, 0 },
    { "iso-auto", ACTION_ISO_AUTO, 0, 0 },
    { "sweep", ACTION_SWEEP, 0, 0 },
    { "method-next", ACTION_METHOD_STEP, +1, 0 },
    { "method-previous", ACTION_METHOD_STEP, -1, 0 },
    { "method-by-number", ACTION_METHOD_PICK, 0, 0 },
    { "skip-bricks", ACTION_SKIPPING, 0, 0 },
    { "measure-all", ACTION_COMPARE, 0, 0 },
    { "copy-table", ACTION_COPY_TABLE, 0, 0 },
    { "methods-by-time", ACTION_TOGGLE, 0, offsetof(struct settings, by_time) },
    { "view-front", ACTION_VIEW, CAMERA_FRONT, 0 },
    { "view-right", ACTION_VIEW, CAMERA_RIGHT, 0 },
    { "view-top", ACTION_VIEW, CAMERA_TOP, 0 },
    { "view-back", ACTION_VIEW, CAMERA_BACK, 0 },
    { "view-left", ACTION_VIEW, CAMERA_LEFT, 0 },
    { "view-bottom", ACTION_VIEW, CAMERA_BOTTOM, 0 },
    { "view-isometric", ACTION_VIEW, CAMERA_ISOMETRIC, 0 },
    { "orbit-down", ACTION_ORBIT, CAMERA_STEP_DOWN, 0 },
    { "orbit-left", ACTION_ORBIT, CAMERA_STEP_LEFT, 0 },
    { "orbit-right", ACTION_ORBIT, CAMERA_STEP_RIGHT, 0 },
    { "orbit-up", ACTION_ORBIT, CAMERA_STEP_UP, 0 },
    { "orthographic", ACTION_TOGGLE, 0, offsetof(struct settings, view.camera.ortho) },
    { "trackball", ACTION_TRACKBALL, 0, 0 },
    { "up-next", ACTION_UP, +1, 0 },
    { "up-previous", ACTION_UP, -1, 0 },
    { "fit", ACTION_FIT, 0, 0 },
    { "fit-volume", ACTION_FIT_VOLUME, 0, 0 },
    { "reset", ACTION_RESET, 0, 0 },
    { "undo", ACTION_UNDO, -1, 0 },
    { "redo", ACTION_UNDO, +1, 0 },
    { "wireframe", ACTION_TOGGLE_LINES, 0, offsetof(struct settings, view.wireframe) },
    { "edges", ACTION_TOGGLE_LINES, 0, offsetof(struct settings, view.edges) },
    { "flat", ACTION_TOGGLE, 0, offsetof(struct settings, view.flat) },
    { "look", ACTION_LOOK, 0, 0 },
    { "background", ACTION_BACKGROUND, 0, 0 },
    { "light", ACTION_LIGHT, 0, 0 },
    { "shadow", ACTION_SHADOW, 0, 0 },
    { "rays", ACTION_RAYS, 0, 0 },
    { "caster-next", ACTION_CASTER, 0, 0 },
    { "show-next", ACTION_SHOW, +1, 0 },
    { "show-previous", ACTION_SHOW, -1, 0 },
    { "box", ACTION_TOGGLE, 0, offsetof(struct settings, view.box) },
    { "axes", ACTION_TOGGLE, 0, offsetof(struct settings, view.axes) },
    { "scale-bar", ACTION_TOGGLE, 0, offsetof(struct settings, view.scale_bar) },
    { "frame-times", ACTION_TOGGLE, 0, offsetof(struct settings, timings) },
    { "panel", ACTION_TOGGLE, 0, offsetof(struct settings, panel) },
    { "help", ACTION_HELP, 0, 0 },
    { "open", ACTION_OPEN, 0, 0 },
    { "file-previous", ACTION_FILE_STEP, -1, 0 },
    { "file-next", ACTION_FILE_STEP, +1, 0 },
    { "reload", ACTION_RELOAD, 0, 0 },
    { "export", ACTION_EXPORT, 0, 0 },
    { "save-session", ACTION_SAVE_SESSION, 0, 0 },
    { "screenshot", ACTION_SCREENSHOT, 0, 0 },
    { "screenshot-transparent", ACTION_SCREENSHOT, 1, 0 },
    { "screenshot-size", ACTION_ENLARGE, 0, 0 },
    { "copy-command", ACTION_COPY_LINE, 0, 0 },
    { "full-screen", ACTION_FULLSCREEN, 0, 0 },
    { "text-larger", ACTION_UI_SCALE, +1, 0 },
    { "text-smaller", ACTION_UI_SCALE, -1, 0 },
    { "text-default", ACTION_UI_SCALE, 0, 0 },
    { "escape", ACTION_ESCAPE, 0, 0 },
    { "quit", ACTION_QUIT, 0, 0 },
};
#define ACTION_NAMES (sizeof actions / sizeof *actions)

static const struct {
    int key;
    const char *name;
} key_names[] = {
    { KEY_SPACE, "Space" },
    { KEY_ESCAPE, "Esc" },
    { KEY_ENTER, "Enter" },
    { KEY_TAB, "Tab" },
    { KEY_LEFT, "Left" },
    { KEY_RIGHT, "Right" },
    { KEY_BACKSPACE, "Backspace" },
    { KEY_DOWN, "Down" },
    { KEY_UP, "Up" },
    { KEY_HOME, "Home" },
    { KEY_END, "End" },
    { KEY_PAGE_UP, "PageUp" },
    { KEY_PAGE_DOWN, "PageDown" },
    { KEY_INSERT, "Insert" },
    { KEY_DELETE, "Delete" },
};
#define KEY_NAMES (sizeof key_names / sizeof *key_names)

static const struct {
    int mod;
    const char *name;
} mod_names[] = { { MOD_CTRL, "Ctrl+" }, { MOD_SHIFT, "Shift+" }, { MOD_ALT, "Alt+" } };
#define MOD_NAMES (sizeof mod_names / sizeof *mod_names)

// What the person has set.
static struct {
    bool is_set;
    size_t count;
    struct chord keys[BINDINGS_KEYS];
} own[ACTION_NAMES];

static struct key_row rows[ROWS]; // empty: the table is in use
static char texts[ROWS][BINDINGS_LINE], summaries[ROWS][80];

void bindings_reset(void)
{
    memset(own, 0, sizeof own);
    memset(rows, 0, sizeof rows);
}

// ---- names ----

static size_t bindings_action(const struct key_row *row)
{
    const bool toggles = row->action == ACTION_TOGGLE || row->action == ACTION_TOGGLE_LINES;
    size_t i = 0;
    while (i < ACTION_NAMES &&
           (row->action != actions[i].action || row->value != actions[i].value ||
            (toggles && row->setting != actions[i].setting))) {
        i++;
    }
    return i;
}

const char *bindings_name(const struct key_row *row)
{
    const size_t action = bindings_action(row);
    return action < ACTION_NAMES ? actions[action].name : NULL;
}

const char *bindings_name_at(size_t index)
{
    return index < ACTION_NAMES ? actions[index].name : NULL;
}

const char *bindings_text(int key, int mods, char out[BINDINGS_TEXT])
{
    char name[BINDINGS_TEXT] = "";
    for (size_t i = 0; i < MOD_NAMES; i++) {
        if (mods & mod_names[i].mod) {
            strcat(name, mod_names[i].name);
        }
    }
    const size_t length = strlen(name);
    if (key >= KEY_F1 && key <= KEY_F12) {
        snprintf(name + length, sizeof name - length, "F%d", key - KEY_F1 + 1);
    } else if (key > ' ' && key < 127) {
        snprintf(name + length, sizeof name - length, "%c", key);
    }
    for (size_t i = 0; i < KEY_NAMES; i++) {
        if (key == key_names[i].key) {
            snprintf(name + length, sizeof name - length, "%s", key_names[i].name);
        }
    }
    memcpy(out, name, sizeof name);
    return out;
}

// NULL, or why it is not a key.
const char *bindings_read(const char *text, struct chord *out)
{
    *out = (struct chord){ 0 };
    for (size_t i = 0; i < MOD_NAMES; i++) { // until none of them begins the rest
        const size_t length = strlen(mod_names[i].name);
        if (strncasecmp(text, mod_names[i].name, length) == 0) {
            out->mods |= mod_names[i].mod;
            text += length;
            i = (size_t)-1;
        }
    }
    const int character = (unsigned char)text[0];
    if (character > ' ' && character < 127 && !text[1]) {
        out->key = toupper(character);
        return isalnum(character) || !(out->mods & MOD_SHIFT) || (out->mods & MOD_CTRL)
                   ? NULL
                   : "a sign is written as it is typed, without Shift";
    }
    for (size_t i = 0; i < KEY_NAMES; i++) {
        if (strcasecmp(text, key_names[i].name) == 0) {
            out->key = key_names[i].key;
            return NULL;
        }
    }
    for (int f = 1; f <= 12; f++) {
        char name[8];
        snprintf(name, sizeof name, "F%d", f);
        if (strcasecmp(text, name) == 0) {
            out->key = KEY_F1 + f - 1;
            return NULL;
        }
    }
    return "expected a letter, a digit, a sign, F1 to F12, Space, Esc, Enter, Tab, Backspace, "
           "Left, Right, Down, Up, Home, End, PageUp, PageDown, Insert or Delete, after Ctrl+, "
           "Shift+ or Alt+";
}

// ---- what the person sets ----

bool bindings_set(
    const char *name, const char *const *keys, size_t count, char reason[BINDINGS_REASON])
{
    struct chord read[BINDINGS_KEYS];
    size_t action = 0;
    while (action < ACTION_NAMES && strcmp(actions[action].name, name) != 0) {
        action++;
    }
    if (action == ACTION_NAMES) {
        snprintf(
            reason, BINDINGS_REASON,
            "there is no action of this name; cubist --list-bindings names them");
        return false;
    }
    if (count > BINDINGS_KEYS) {
        snprintf(reason, BINDINGS_REASON, "an action has at most %d keys", BINDINGS_KEYS);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const char *why = bindings_read(keys[i], &read[i]);
        if (!why && actions[action].action == ACTION_METHOD_PICK && read[i].key != '1') {
            why = "expected 1 with Ctrl or Alt: the keys up to 9 follow";
        }
        if (why) {
            snprintf(reason, BINDINGS_REASON, "'%.20s': %s", keys[i], why);
            return false;
        }
    }
    own[action].is_set = true;
    own[action].count = count;
    memcpy(own[action].keys, read, count * sizeof *read);
    return true;
}

static bool bindings_meet(const struct key_row *a, const struct key_row *b)
{
    const int spans[2] = { a->span ? a->span : 1, b->span ? b->span : 1 };
    return a->key && b->key && a->mods == b->mods && a->key < b->key + spans[1] &&
           b->key < a->key + spans[0];
}

static bool bindings_is_own(const struct key_row *row)
{
    const size_t action = bindings_action(row);
    return action < ACTION_NAMES && own[action].is_set;
}

// The table with the person's keys. A group, the row with `keys` and those after it that continue
// it, stays together.
static size_t bindings_build(void)
{
    bool done[ACTION_NAMES] = { false };
    size_t count = 0;
    memset(rows, 0, sizeof rows);
    for (const struct key_row *row = key_table; row->text; row++) {
        const size_t action = bindings_action(row);
        const bool mine = row->key && action < ACTION_NAMES && own[action].is_set;
        const size_t keys = !mine ? 1 : done[action] ? 0 : own[action].count;
        for (size_t i = 0; i < keys || (i == 0 && row->keys); i++) {
            if (count == ROWS - 1) {
                return count;
            }
            rows[count] = *row;
            if (mine) {
                rows[count].key = i < keys ? own[action].keys[i].key : KEY_NONE;
                rows[count].mods = i < keys ? own[action].keys[i].mods : 0;
                rows[count].keys = i == 0 ? row->keys : NULL;
            }
            count++;
        }
        if (mine) {
            done[action] = true;
        }
    }
    return count;
}

// The keys of a group, for people.
static void bindings_group(const struct key_row *head, char out[BINDINGS_LINE])
{
    size_t length = 0;
    out[0] = 0;
    for (const struct key_row *row = head; row->text && (row == head || !row->keys); row++) {
        char key[BINDINGS_TEXT];
        if (row->key && length + BINDINGS_TEXT + 8 < BINDINGS_LINE) {
            length += (size_t)snprintf(
                out + length, BINDINGS_LINE - length, "%s%s%s", length ? "  " : "",
                bindings_text(row->key, row->mods, key), row->span ? " .. 9" : "");
        }
    }
}

// Writes the keys of groups that are not those of the table. Every group of the table is there.
static void bindings_write(void)
{
    const struct key_row *from = key_table;
    for (size_t i = 0; rows[i].text; i++) {
        char before[BINDINGS_LINE];
        if (!rows[i].keys) {
            continue;
        }
        while (from->keys != rows[i].keys) {
            from++;
        }
        bindings_group(from, before);
        bindings_group(&rows[i], texts[i]);
        if (strcmp(texts[i], before) != 0) {
            rows[i].keys = *texts[i] ? texts[i] : "none";
            // "(also {  })" names keys of the table.
            const char *also = strstr(rows[i].text, " (also ");
            const size_t length = also ? (size_t)(also - rows[i].text) : strlen(rows[i].text);
            snprintf(summaries[i], sizeof summaries[i], "%.*s", (int)length, rows[i].text);
            rows[i].text = summaries[i];
        }
    }
}

void bindings_apply(void (*report)(void *user, const char *name, const char *text), void *user)
{
    const size_t count = bindings_build();
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            if (!bindings_meet(&rows[i], &rows[j])) {
                continue;
            }
            const bool second = bindings_is_own(&rows[i]) || !bindings_is_own(&rows[j]);
            struct key_row *loser = &rows[second ? j : i], *winner = &rows[second ? i : j];
            if (bindings_action(loser) != bindings_action(winner)) {
                char key[BINDINGS_TEXT], text[BINDINGS_REASON];
                snprintf(
                    text, sizeof text, "%s is also a key of %s, which loses it",
                    bindings_text(winner->key, winner->mods, key), bindings_name(loser));
                report(user, bindings_name(winner), text);
            }
            loser->key = KEY_NONE;
        }
    }
    bindings_write();
}

// ---- the rows in use ----

const struct key_row *bindings_rows(void)
{
    return rows[0].text ? rows : key_table;
}

const struct key_row *bindings_find(int key, int mods, int *argument)
{
    return key_table_find(bindings_rows(), key, mods, argument);
}

const char *bindings_keys(const char *name, char out[BINDINGS_LINE])
{
    size_t length = 0;
    out[0] = 0;
    for (const struct key_row *row = bindings_rows(); row->text; row++) {
        const char *of = bindings_name(row);
        char key[BINDINGS_TEXT];
        if (row->key && of && strcmp(of, name) == 0 && length + BINDINGS_TEXT + 8 < BINDINGS_LINE) {
            length += (size_t)snprintf(
                out + length, BINDINGS_LINE - length, "%s%s%s", length ? "  " : "",
                bindings_text(row->key, row->mods, key), row->span ? " .. 9" : "");
        }
    }
    return out;
}

const char *bindings_hint(const char *name, const char *does, char out[BINDINGS_HINT])
{
    char key[BINDINGS_TEXT];
    bindings_key(name, key);
    snprintf(out, BINDINGS_HINT, "%s%s%s", key, *key ? " " : "", *key ? does : "");
    return out;
}

const char *bindings_key(const char *name, char out[BINDINGS_TEXT])
{
    out[0] = 0;
    for (const struct key_row *row = bindings_rows(); row->text; row++) {
        const char *of = bindings_name(row);
        if (row->key && of && strcmp(of, name) == 0) {
            return bindings_text(row->key, row->mods, out);
        }
    }
    return out;
}
