// Sessions: their JSON, and the options in it. No file is looked for.
#include "app/cli/option_table.h"
#include "app/cli/presets.h"
#include "tests/fuzz/target.h"
#include "volumes/base/log.h"

#include <math.h>
#include <string.h>

// The session as it is written again.
static char *rewritten(const struct session_file *session, size_t *size)
{
    struct problem problem;
    char *text = json_text(session_file_begin(session), false, size, &problem);
    HOLDS(text, "memory");
    return text;
}

static void check_read(struct options *options)
{
    const struct view *view = &options->view;
    HOLDS(!options->output && !options->trace && !options->device, "no file, no device");
    HOLDS(!options->session && !options->operands[0] && !options->exit_after, "only the picture");
    HOLDS(view->look < LOOKS && view->light < LIGHTS && view->up < UPS, "words");
    HOLDS(view->light_samples <= LIGHT_SAMPLES_MOST && view->samples <= 8, "numbers");
    HOLDS(isfinite(options->isos[0].value), "isovalue %g", options->isos[0].value);
    HOLDS(options->width <= 16384 && options->height <= 16384, "size");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct presets presets = { .texts = json_array() };
    struct problem problem = { .kind = PROBLEM_CHECK };
    static struct options options;
    poison(0xaa);
    log_quiet = true;
    draw_begin(data, size);
    options = (struct options){ .iso_count = 1 };
    const enum command_id pictures = one_in(2) ? COMMAND_RENDER : COMMAND_ANIMATE;
    options.command = &commands[one_in(2) ? COMMAND_VIEW : pictures];
    fuzz_accepted = session_file_parse("x.cubist.json", data, size, &presets.session, &problem);
    if (fuzz_accepted) {
        // Written, read and written again it is the same.
        size_t sizes[2];
        struct session_file again;
        char *first = rewritten(&presets.session, &sizes[0]);
        HOLDS(
            session_file_parse("x.cubist.json", first, sizes[0], &again, &problem),
            "read again: %s", problem.text);
        char *second = rewritten(&again, &sizes[1]);
        HOLDS(sizes[0] == sizes[1] && memcmp(first, second, sizes[0]) == 0, "the same bytes");
        free(first);
        free(second);
        session_file_close(&again);
        fuzz_accepted = presets_read_session(&options, one_in(2), &presets, &problem);
    }
    if (fuzz_accepted) {
        check_read(&options);
    } else {
        check_refusal(&problem, false);
    }
    presets_end(&presets);
    return 0;
}
