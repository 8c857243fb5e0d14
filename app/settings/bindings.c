#include "app/settings/bindings.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define ROWS 640 // most rows in use

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

// Zeroed: key_table is in use.
static struct {
    struct key_row rows[ROWS];
    char keys[ROWS][BINDINGS_LINE], texts[ROWS][80]; // of rows with other keys than the table's
} in_use;

void bindings_reset(void)
{
    memset(&in_use, 0, sizeof in_use);
}

// ---- names ----

// The index of the action's first row. If no row has this name: the index of the table's end.
static size_t bindings_first(const char *name)
{
    size_t i = 0;
    while (key_table[i].text && (!key_table[i].name || strcmp(key_table[i].name, name) != 0)) {
        i++;
    }
    return i;
}

const char *bindings_name_at(size_t index)
{
    // The list of actions has these before "rays"; the table and the help have them after it.
    static const char *const early[] = { "background", "light", "shadow" };
    static const size_t count = sizeof early / sizeof *early;
    for (size_t i = 0; key_table[i].text; i++) {
        const char *name = key_table[i].name;
        bool listed = name && bindings_first(name) == i;
        for (size_t k = 0; listed && k < count; k++) {
            listed = strcmp(name, early[k]) != 0;
        }
        if (listed && strcmp(name, "rays") == 0) {
            if (index < count) {
                return early[index];
            }
            index -= count;
        }
        if (listed && index-- == 0) {
            return name;
        }
    }
    return NULL;
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

// Returns NULL, or the reason why the text names no key.
const char *bindings_read(const char *text, struct chord *out)
{
    *out = (struct chord){ 0 };
    for (size_t i = 0; i < MOD_NAMES; i++) { // starts again after each modifier
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

// Makes the rows in use, with these keys for an action. A row with `keys` and the rows after it
// without `keys` are a group, which stays together.
static void bindings_replace(const char *name, const struct chord *keys, size_t count)
{
    struct key_row rows[ROWS] = { 0 };
    size_t filled = 0;
    bool met = false; // after the action's first row, which gets all keys and always stays
    for (const struct key_row *row = bindings_rows(); row->text; row++) {
        const bool is = row->name && strcmp(row->name, name) == 0;
        const size_t copies = !is ? 1 : met ? 0 : count;
        const size_t least = row->keys || (is && !met);
        for (size_t i = 0; (i < copies || i < least) && filled < ROWS - 1; i++) {
            rows[filled] = *row;
            if (is) {
                rows[filled].key = i < copies ? keys[i].key : KEY_NONE;
                rows[filled].mods = i < copies ? keys[i].mods : 0;
                rows[filled].keys = i == 0 ? row->keys : NULL;
                rows[filled].own = true;
            }
            filled++;
        }
        met = met || is;
    }
    memcpy(in_use.rows, rows, sizeof rows);
}

bool bindings_set(
    const char *name, const char *const *keys, size_t count, char reason[BINDINGS_REASON])
{
    struct chord read[BINDINGS_KEYS];
    const size_t action = bindings_first(name);
    if (!key_table[action].text) {
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
        if (!why && key_table[action].action == ACTION_METHOD_PICK && read[i].key != '1') {
            why = "expected 1 with Ctrl or Alt: the keys up to 9 follow";
        }
        if (why) {
            snprintf(reason, BINDINGS_REASON, "'%.20s': %s", keys[i], why);
            return false;
        }
    }
    bindings_replace(name, read, count);
    return true;
}

static bool bindings_meet(const struct key_row *a, const struct key_row *b)
{
    const int spans[2] = { a->span ? a->span : 1, b->span ? b->span : 1 };
    return a->key && b->key && a->mods == b->mods && a->key < b->key + spans[1] &&
           b->key < a->key + spans[0];
}

// Adds the key of a row, if it has one, to a line of keys.
static void bindings_add(const struct key_row *row, char line[BINDINGS_LINE])
{
    const size_t length = strlen(line);
    char key[BINDINGS_TEXT];
    if (row->key && length + BINDINGS_TEXT + 8 < BINDINGS_LINE) {
        snprintf(
            line + length, BINDINGS_LINE - length, "%s%s%s", length ? "  " : "",
            bindings_text(row->key, row->mods, key), row->span ? " .. 9" : "");
    }
}

// Writes all keys of a group, as people write them.
static void bindings_group(const struct key_row *head, char out[BINDINGS_LINE])
{
    out[0] = 0;
    for (const struct key_row *row = head; row->text && (row == head || !row->keys); row++) {
        bindings_add(row, out);
    }
}

// Sets the texts of groups whose keys are not those of the table. No group of the table is missing.
static void bindings_write(void)
{
    const struct key_row *from = key_table;
    for (size_t i = 0; in_use.rows[i].text; i++) {
        struct key_row *row = &in_use.rows[i];
        char before[BINDINGS_LINE];
        if (!row->keys) {
            continue;
        }
        while (from->keys != row->keys) {
            from++;
        }
        bindings_group(from, before);
        bindings_group(row, in_use.keys[i]);
        if (strcmp(in_use.keys[i], before) != 0) {
            row->keys = *in_use.keys[i] ? in_use.keys[i] : "none";
            // Leave out "(also {  })", which names keys of the table.
            const char *also = strstr(row->text, " (also ");
            const size_t length = also ? (size_t)(also - row->text) : strlen(row->text);
            snprintf(in_use.texts[i], sizeof *in_use.texts, "%.*s", (int)length, row->text);
            row->text = in_use.texts[i];
        }
    }
}

void bindings_apply(void (*report)(void *user, const char *name, const char *text), void *user)
{
    for (struct key_row *a = in_use.rows; a->text; a++) {
        for (struct key_row *b = a + 1; b->text; b++) {
            if (!bindings_meet(a, b)) {
                continue;
            }
            const bool second = a->own || !b->own;
            struct key_row *loser = second ? b : a, *winner = second ? a : b;
            if (strcmp(loser->name, winner->name) != 0) {
                char key[BINDINGS_TEXT], text[BINDINGS_REASON];
                snprintf(
                    text, sizeof text, "%s is also a key of %s, which loses it",
                    bindings_text(winner->key, winner->mods, key), loser->name);
                report(user, winner->name, text);
            }
            loser->key = KEY_NONE;
        }
    }
    bindings_write();
}

// ---- the rows in use ----

const struct key_row *bindings_rows(void)
{
    return in_use.rows[0].text ? in_use.rows : key_table;
}

const struct key_row *bindings_find(int key, int mods, int *argument)
{
    return key_table_find(bindings_rows(), key, mods, argument);
}

const char *bindings_keys(const char *name, char out[BINDINGS_LINE])
{
    out[0] = 0;
    for (const struct key_row *row = bindings_rows(); row->text; row++) {
        if (row->name && strcmp(row->name, name) == 0) {
            bindings_add(row, out);
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
        if (row->key && strcmp(row->name, name) == 0) {
            return bindings_text(row->key, row->mods, out);
        }
    }
    return out;
}
