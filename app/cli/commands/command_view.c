#include "app/base/target.h"
#include "app/cli/option_table.h"
#include "app/cli/presets.h"
#include "app/viewer/viewer.h"
#include "volumes/base/log.h"
#include "volumes/base/output.h"
#include "volumes/formats/folder.h"

#include <stdlib.h>

// The name of the picture, in the current folder, if there is no display.
#define PICTURE "cubist.png"

bool command_view(const struct options *options, struct problem *problem)
{
    const char *path = options->operands[0];
    if (options->trace && !target_check(options->trace, NULL, problem)) {
        return false;
    }
    const bool shows = viewer_has_display();
    if (options->missing && (!shows || options->exit_after)) { // nobody can be asked
        *problem = *options->missing;
        return false;
    }
    if (!shows) {
        const char *display = getenv("DISPLAY");
        const bool named = display && *display;
        char target[OUTPUT_PLACED], placed[OUTPUT_PLACED], first[PATH_MAX];
        target_here(PICTURE, target, sizeof target);
        if (!render_picture(folder_open(path, first), options, target, placed, problem)) {
            return false;
        }
        log_note(
            "%s%.80s%s; the view was rendered to %s",
            named ? "the display '" : "there is no display", named ? display : "",
            named ? "' cannot be opened" : "", placed);
        return true;
    }
    struct view view = options->view;
    view.method = options->method;
    view.further = options->iso_count - 1;
    const bool sized = option_given(options, "size") || !options->session_file;
    const struct viewer_params params = {
        .path = path,
        .volume = &options->volume,
        .device = options->device,
        .validate = options->validate,
        .verbose = options->verbose,
        .watch = options->watch,
        .isos = options->isos,
        .view = &view,
        // 0: the size of the picture in the session applies. It does not include the panel.
        .width = sized ? options->width : 0,
        .height = sized ? options->height : 0,
        .session = options->session_file,
        .warning = options->warning,
        .missing = options->missing,
        .remembers = !options->forgets && !options->exit_after,
        .read_stated = presets_read_stated,
        .line = options->line,
        .any_method = !option_given(options, "method"),
        .memory_budget = options->memory_budget,
        .trace = options->trace,
        .exit_after = options->exit_after,
    };
    return viewer_run(&params, problem);
}
