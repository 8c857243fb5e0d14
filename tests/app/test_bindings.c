// Keys that the person has given to actions: every action can have others, the help shows them, and
// conflicts are reported.
// ctest: plain
#include "app/settings/bindings.h"
#include "app/settings/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char said[2000];

static void report(void *user, const char *name, const char *text)
{
    (void)user;
    const size_t length = strlen(said);
    snprintf(said + length, sizeof said - length, "%s: %s\n", name, text);
}

static int forget(void **state)
{
    (void)state;
    bindings_reset();
    said[0] = 0;
    return 0;
}

static void set(const char *name, const char *key, const char *other)
{
    char reason[BINDINGS_REASON] = "";
    const char *const keys[] = { key, other };
    if (!bindings_set(name, keys, !key ? 0 : other ? 2 : 1, reason)) {
        fail_msg("%s: %s", name, reason);
    }
}

static void refuses(const char *name, const char *key, const char *expected)
{
    char reason[BINDINGS_REASON] = "";
    assert_false(bindings_set(name, &key, 1, reason));
    if (!strstr(reason, expected)) {
        fail_msg("%s, %s: %s", name, key, reason);
    }
}

// What a key does: the name of an action.
static const char *does(int key, int mods)
{
    int argument;
    const struct key_row *row = bindings_find(key, mods, &argument);
    return row ? row->name : "nothing";
}

static const char *shown(const char *text)
{
    for (const struct key_row *row = bindings_rows(); row->text; row++) {
        if (row->keys && strcmp(row->text, text) == 0) {
            return row->keys;
        }
    }
    return "no row";
}

static void every_key_has_a_name(void **state)
{
    (void)state;
    for (const struct key_row *row = key_table; row->text; row++) {
        if (row->key && !row->name) {
            fail_msg("\"%s\" has no name", row->text);
        }
    }
    static const char *const order[] = { "look",   "background", "light",
                                         "shadow", "rays",       "caster-next" };
    size_t found = 0;
    for (size_t i = 0; bindings_name_at(i); i++) {
        char keys[BINDINGS_LINE];
        found += found < 6 && strcmp(bindings_name_at(i), order[found]) == 0;
        assert_true(*bindings_keys(bindings_name_at(i), keys));
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(bindings_name_at(i), bindings_name_at(j));
        }
    }
    assert_int_equal(found, 6);
}

static void the_table_is_in_use_at_first(void **state)
{
    (void)state;
    assert_ptr_equal(bindings_rows(), key_table);
    bindings_apply(report, NULL);
    for (size_t i = 0; key_table[i].text; i++) {
        assert_memory_equal(&bindings_rows()[i], &key_table[i], sizeof key_table[i]);
    }
    assert_string_equal(said, "");
}

static void every_action_can_have_another_key(void **state)
{
    for (size_t i = 0; bindings_name_at(i); i++) {
        const bool numbers = strcmp(bindings_name_at(i), "method-by-number") == 0;
        forget(state);
        char keys[BINDINGS_LINE];
        set(bindings_name_at(i), numbers ? "Alt+1" : "Alt+F5", NULL);
        bindings_apply(report, NULL);
        assert_string_equal(does(numbers ? '9' : KEY_F5, MOD_ALT), bindings_name_at(i));
        assert_string_equal(
            bindings_keys(bindings_name_at(i), keys), numbers ? "Alt+1 .. 9" : "Alt+F5");
        assert_string_equal(said, "");
        for (const struct key_row *row = key_table; row->text; row++) {
            if (row->key) {
                const bool same = strcmp(row->name, bindings_name_at(i)) == 0;
                assert_string_equal(does(row->key, row->mods), same ? "nothing" : row->name);
            }
        }
    }
}

// A key of the table, as it is shown, is read as the same key.
static void keys_are_read_as_they_are_shown(void **state)
{
    (void)state;
    for (const struct key_row *row = key_table; row->text; row++) {
        char text[BINDINGS_TEXT];
        struct chord chord;
        if (row->key) {
            assert_null(bindings_read(bindings_text(row->key, row->mods, text), &chord));
            assert_int_equal(chord.key, row->key);
            assert_int_equal(chord.mods, row->mods);
        }
    }
    struct chord chord;
    assert_null(bindings_read("shift+ctrl+pagedown", &chord));
    assert_true(chord.key == KEY_PAGE_DOWN && chord.mods == (MOD_SHIFT | MOD_CTRL));
    assert_null(bindings_read("Ctrl++", &chord));
    assert_true(chord.key == '+' && chord.mods == MOD_CTRL);
    assert_null(bindings_read("w", &chord));
    assert_true(chord.key == 'W' && chord.mods == 0);
}

static void the_help_shows_them(void **state)
{
    (void)state;
    char key[BINDINGS_TEXT];
    set("wireframe", "Ctrl+W", "F9");
    set("iso-down", "J", NULL);
    set("redo", NULL, NULL);
    set("flat", NULL, NULL);
    set("view-top", "Q", NULL);
    set("iso-up-fine", "Home", NULL);
    bindings_apply(report, NULL);
    assert_string_equal(shown("wireframe"), "Ctrl+W  F9");
    assert_string_equal(shown("down / up by 1 % of the range"), "J  ]  .");
    assert_string_equal(shown("the same"), "Up");
    assert_string_equal(shown("undo / redo"), "Ctrl+Z");
    assert_string_equal(shown("flat instead of smooth shading"), "none");
    assert_string_equal(shown("front, right, top"), "1  3  Q");
    assert_string_equal(shown("by 0.1 %"), "Shift+Down  Home  {");
    assert_string_equal(shown("bounding box"), "B");
    assert_string_equal(shown("orbit"), "Left drag");
    assert_string_equal(bindings_key("wireframe", key), "Ctrl+W");
    assert_string_equal(bindings_key("flat", key), "");
    assert_string_equal(does('Y', MOD_CTRL), "nothing");
    assert_string_equal(does('J', 0), "iso-down");
    assert_string_equal(said, "");
}

static void conflicts_are_reported(void **state)
{
    (void)state;
    set("flat", "W", NULL);     // of wireframe
    set("box", "Ctrl+K", NULL); // of both
    set("edges", "Ctrl+K", NULL);
    set("fit", "Ctrl+4", NULL); // one of nine
    bindings_apply(report, NULL);
    assert_string_equal(does('W', 0), "flat");
    assert_string_equal(does('K', MOD_CTRL), "edges");
    assert_string_equal(does('4', MOD_CTRL), "fit");
    assert_string_equal(shown("wireframe"), "none");
    assert_non_null(strstr(said, "flat: W is also a key of wireframe, which loses it\n"));
    assert_non_null(strstr(said, "edges: Ctrl+K is also a key of box, which loses it\n"));
    assert_non_null(
        strstr(said, "fit: Ctrl+4 is also a key of method-by-number, which loses it\n"));
}

static void what_is_no_key(void **state)
{
    (void)state;
    refuses("wire", "W", "no action of this name");
    refuses("flat", "", "expected a letter");
    refuses("flat", "Ctrl+", "expected a letter");
    refuses("flat", "Strg+W", "expected a letter");
    refuses("flat", "F13", "expected a letter");
    refuses("flat", "\xc3\xbc", "expected a letter");
    refuses("flat", "Shift+?", "without Shift");
    refuses("method-by-number", "K", "expected 1 with Ctrl or Alt");
    char reason[BINDINGS_REASON];
    const char *const keys[BINDINGS_KEYS + 1] = { "A", "B", "C", "D", "E", "F", "G", "H", "I" };
    assert_false(bindings_set("flat", keys, BINDINGS_KEYS + 1, reason));
    bindings_apply(report, NULL);
    assert_string_equal(shown("flat instead of smooth shading"), "T");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_key_has_a_name, forget),
        cmocka_unit_test_setup(the_table_is_in_use_at_first, forget),
        cmocka_unit_test_setup(every_action_can_have_another_key, forget),
        cmocka_unit_test_setup(keys_are_read_as_they_are_shown, forget),
        cmocka_unit_test_setup(the_help_shows_them, forget),
        cmocka_unit_test_setup(conflicts_are_reported, forget),
        cmocka_unit_test_setup(what_is_no_key, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
