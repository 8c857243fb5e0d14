// The table of keys: no key has two meanings, every row is found by its key, every action has a
// row.
// ctest: plain
#include "app/settings/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void every_key_once(void **state)
{
    (void)state;
    for (const struct key_row *row = key_table; row->text; row++) {
        const int span = row->span ? row->span : 1;
        for (int i = 0; row->key && i < span; i++) {
            int argument = -1;
            const struct key_row *found =
                key_table_find(key_table, row->key + i, row->mods, &argument);
            if (found != row || argument != i) {
                fail_msg("\"%s\" is hidden by \"%s\"", row->text, found ? found->text : "nothing");
            }
        }
    }
}

static void every_action_has_a_key(void **state)
{
    (void)state;
    for (int action = ACTION_NONE + 1; action < ACTIONS; action++) {
        bool bound = false;
        for (const struct key_row *row = key_table; row->text; row++) {
            bound |= row->key && (int)row->action == action;
        }
        if (!bound) {
            fail_msg("no key for action %d", action);
        }
    }
}

// The help shows rows by group, in the table's order, so a group must be contiguous. A row without
// keys continues the previous row, with the same action. Rows of one name do the same.
static void reads_well(void **state)
{
    (void)state;
    for (const struct key_row *row = key_table; row->text; row++) {
        assert_true(row->key ? row->action != ACTION_NONE : row->action == ACTION_NONE);
        if (!row->keys) {
            assert_true(row > key_table && row->action == row[-1].action);
        }
        for (const struct key_row *other = key_table; row->name && other < row; other++) {
            const bool same = row->action == other->action && row->value == other->value &&
                              row->setting == other->setting;
            assert_true(!other->name || same == (strcmp(row->name, other->name) == 0));
        }
        if (row > key_table && strcmp(row->group, row[-1].group) != 0) {
            for (const struct key_row *before = key_table; before < row; before++) {
                assert_string_not_equal(before->group, row->group);
            }
        }
    }
}

static void unbound_keys_do_nothing(void **state)
{
    (void)state;
    int argument;
    assert_null(key_table_find(key_table, KEY_NONE, 0, &argument));
    assert_null(key_table_find(key_table, 'A', MOD_ALT, &argument));
    assert_null(key_table_find(key_table, 'Q', 0, &argument));
    assert_null(key_table_find(key_table, '0', MOD_CTRL | MOD_SHIFT, &argument));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_once),
        cmocka_unit_test(every_action_has_a_key),
        cmocka_unit_test(reads_well),
        cmocka_unit_test(unbound_keys_do_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
