// The configuration: its JSON, its keys and its options. No file is looked for.
#include "app/cli/presets.h"
#include "app/settings/bindings.h"
#include "tests/fuzz/target.h"
#include "volumes/base/log.h"

#include <string.h>

// No key does two things, and none does another than its row says.
static void check_keys(void)
{
    uint32_t groups = 0, expected = 0;
    for (const struct key_row *row = bindings_rows(); row->text; row++) {
        int argument;
        groups += row->keys != NULL;
        if (row->key) {
            HOLDS(row->name, "a name of %s", row->text);
            HOLDS(
                bindings_find(row->key, row->mods, &argument) == row, "key %d of %s", row->key,
                row->text);
        }
    }
    for (const struct key_row *row = key_table; row->text; row++) {
        expected += row->keys != NULL;
    }
    HOLDS(groups == expected, "%u groups, not %u", groups, expected);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct presets presets = { .texts = json_array() };
    struct problem problem = { .kind = PROBLEM_CHECK };
    static struct options options;
    struct json_file file;
    draw_begin(data, size);
    poison(0xaa);
    log_quiet = true;
    options = (struct options){ .iso_count = 1, .command = &commands[COMMAND_VIEW] };
    fuzz_accepted = json_file_parse("configuration", "config.json", data, size, &file, &problem);
    if (fuzz_accepted) {
        config_read(&options, !fuzz_thorough && one_in(4), &file, &presets);
        json_file_close(&file);
        HOLDS(
            !options.output && !options.trace && !options.session && !options.operands[0],
            "only options of the window");
        HOLDS(options.view.look < LOOKS && options.view.samples <= 8, "words and numbers");
        check_keys();
        fuzz_accepted = !presets.warning[0];
    } else {
        check_refusal(&problem, false);
    }
    presets_end(&presets);
    return 0;
}
