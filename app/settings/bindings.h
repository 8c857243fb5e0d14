// The keys that are in use: those of the table, or others that the person has given to actions. Set
// once at the start, before the window opens.
#pragma once

#include "app/settings/table.h"

#ifdef __cplusplus
extern "C" {
#endif

// The rows in use, in the table's order and ended like the table. At first they are the table. A
// row whose action has no key any more has the keys "none".
const struct key_row *bindings_rows(void);

// The row for a pressed key; NULL: none. *argument is the key's position in its span.
const struct key_row *bindings_find(int key, int mods, int *argument);

// The names of all actions, such as "iso-up"; NULL after the last.
const char *bindings_name_at(size_t index);

// Gives an action these keys, such as "Ctrl+Shift+K", "F5" or "[", and takes its others away. False
// with the reason, for people, where that cannot be; then the action keeps its keys.
#define BINDINGS_KEYS   8 // of an action, at most
#define BINDINGS_REASON 240
bool bindings_set(
    const char *name, const char *const *keys, size_t count, char reason[BINDINGS_REASON]);

// Restores the keys of the table, as before the first bindings_set.
void bindings_reset(void);

// Call it after the last bindings_set. Where two actions have one key, the one that the person has
// set keeps it, or the first of the table; `report` is told of the other.
void bindings_apply(void (*report)(void *user, const char *name, const char *text), void *user);

// "Ctrl+K": a key as people write it.
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

// "M measures all methods": the first key of an action, and what it does. "" where it has none.
#define BINDINGS_HINT 160
const char *bindings_hint(const char *name, const char *does, char out[BINDINGS_HINT]);

// All its keys, with two spaces between them.
#define BINDINGS_LINE 256
const char *bindings_keys(const char *name, char out[BINDINGS_LINE]);

#ifdef __cplusplus
}
#endif
