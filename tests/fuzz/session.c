// Sessions: their JSON, and the options in it. No file is looked for. A view that is read is
// written as the window does it, read and written again: the same.
#include "app/cli/option_table.h"
#include "app/cli/presets.h"
#include "app/picture/render_line.h"
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

// `user` is a JSON object. The camera needs a volume.
static void put(void *user, const char *name, const char *value)
{
    if (strcmp(name, "camera") != 0) {
        json_object_set_new(user, name, value ? json_string(value) : json_true());
    }
}

// The session that a window with this view writes.
static json_t *written_options(struct view *view)
{
    static const struct placement placement = {
        .dim = { 4, 3, 2 },
        .model = { { 1 }, { 0, 1 }, { 0, 0, 1 }, { 0, 0, 0, 1 } },
        .world = { { 1 }, { 0, 1 }, { 0, 0, 1 } },
        .axes = { { 1 }, { 0, 1 }, { 0, 0, 1 } },
        .units = 1,
    };
    char text[SETTING_TEXT];
    json_t *options = json_object();
    HOLDS(options, "memory");
    view->camera = (struct camera){ .distance = 3, .ortho = view->camera.ortho };
    put(options, "iso", render_line_isos(view, true, text));
    render_line_view(view, &placement, put, options);
    return options;
}

static void check_written(struct options *options)
{
    struct view *view = &options->view;
    for (uint32_t i = 0; i < options->iso_count; i++) {
        view->isos[i] = options->isos[i].value;
        view->auto_isos[i] = options->isos[i].kind == ISOVALUE_AUTO;
    }
    json_t *first = written_options(view);
    struct presets presets = { .texts = json_array() };
    struct problem problem;
    static struct options again;
    again = (struct options){ .iso_count = 1, .command = options->command };
    json_t *json = json_pack("{s:i,s:o}", "cubist_session", 1, "options", json_incref(first));
    size_t size;
    char *text = json_text(json, false, &size, &problem);
    HOLDS(text, "memory");
    HOLDS(
        session_file_parse("x.cubist.json", text, size, &presets.session, &problem) &&
            presets_read_session(&again, false, &presets, &problem) &&
            presets_check_contours(&again, &problem),
        "read again: %s, of %s", problem.text, text);
    for (uint32_t i = 0; i < again.iso_count; i++) {
        again.view.isos[i] = again.isos[i].value;
        again.view.auto_isos[i] = again.isos[i].kind == ISOVALUE_AUTO;
    }
    json_t *second = written_options(&again.view);
    HOLDS(json_equal(first, second), "another view: %s", text);
    free(text);
    json_decref(first);
    json_decref(second);
    presets_end(&presets);
}

static void check_read(struct options *options)
{
    const struct view *view = &options->view;
    HOLDS(!options->output && !options->trace && !options->device, "no file, no device");
    HOLDS(!options->session && !options->operands[0] && !options->exit_after, "only the picture");
    HOLDS(view->look < LOOKS && view->light < LIGHTS && view->up < UPS, "words");
    HOLDS(view->light_samples <= LIGHT_SAMPLES_MOST && view->samples <= 8, "numbers");
    HOLDS(options->iso_count >= 1 && options->iso_count <= CONTOURS_MOST, "isovalues");
    for (uint32_t i = 0; i < options->iso_count; i++) {
        HOLDS(isfinite(options->isos[i].value), "isovalue %g", options->isos[i].value);
        HOLDS(view->transparencies[i] >= 0 && view->transparencies[i] <= 1, "opacity");
    }
    HOLDS(view->cap < CAPS && view->interpolate < INTERPOLATIONS, "words of planes");
    HOLDS(planes_count(view->clips) <= PLANES_MOST, "planes");
    HOLDS(!(view->clips[0].only >> options->iso_count), "contours that are there");
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
        fuzz_accepted = presets_read_session(&options, one_in(2), &presets, &problem) &&
                        presets_check_contours(&options, &problem);
    }
    if (fuzz_accepted) {
        check_read(&options);
        if (options.command == &commands[COMMAND_VIEW]) {
            check_written(&options);
        }
    } else {
        check_refusal(&problem, true); // usage: contours that do not fit each other
    }
    presets_end(&presets);
    return 0;
}
