// The keys in use: those of key_table, or others that the person has given to actions. They are set
// once at the start, before the window opens.
#pragma once

#include "app/settings/table.h"

#ifdef __cplusplus
extern "C" {
#endif

// The rows in use, in the table's order and ended like the table. At first they are the table. If
// an action has lost all its keys, its row has the keys "none".
const struct key_row *bindings_rows(void);

// The row for a pressed key; NULL: none. *argument: position of the key in the row's span, from 0.
const struct key_row *bindings_find(int key, int mods, int *argument);

// The name of action number `index`, such as "iso-up"; NULL after the last action.
const char *bindings_name_at(size_t index);

// Replaces the keys of an action by these, such as "Ctrl+Shift+K", "F5" or "[". On false the action
// keeps its keys, and `reason` tells people why.
#define BINDINGS_KEYS   8 // most keys of an action
#define BINDINGS_REASON 240
bool bindings_set(
    const char *name, const char *const *keys, size_t count, char reason[BINDINGS_REASON]);

// Restores the keys of the table, as before the first bindings_set.
void bindings_reset(void);

// Call it after the last bindings_set. If two actions have the same key, the first one keeps it,
// unless the person has set only the second. `report` gets the name of the one that keeps it, and a
// text.
void bindings_apply(void (*report)(void *user, const char *name, const char *text), void *user);

// Writes a key as people write it, such as "Ctrl+K".
#define BINDINGS_TEXT 32
const char *bindings_text(int key, int mods, char out[BINDINGS_TEXT]);

struct chord {
    int key, mods;
};

// Parses the text of a key, such as "Ctrl+Shift+K". Returns NULL, or the reason why the text names
// no key.
const char *bindings_read(const char *text, struct chord *out);

// The first key of an action, for labels and messages; "" where it has none.
const char *bindings_key(const char *name, char out[BINDINGS_TEXT]);

// "M measures all methods": the first key of an action, then `does`. "" if the action has no key.
#define BINDINGS_HINT 160
const char *bindings_hint(const char *name, const char *does, char out[BINDINGS_HINT]);

// All keys of an action, with two spaces between them.
#define BINDINGS_LINE 256
const char *bindings_keys(const char *name, char out[BINDINGS_LINE]);

#ifdef __cplusplus
}
#endif
