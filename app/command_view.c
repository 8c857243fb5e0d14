#include "app/options.h"
#include "app/target.h"
#include "app/viewer.h"

#include <stdlib.h>

// Where the picture goes when there is no display to show it on.
#define PICTURE "cubist.png"

bool command_view(const struct options *options, struct problem *problem)
{
    const char *path = options->operands[0];
    if (options->trace && !target_check(options->trace, NULL, path, problem)) {
        return false;
    }
    if (!viewer_has_display()) {
        const char *display = getenv("DISPLAY");
        const bool named = display && *display;
        volume_note(
            "%s%.80s%s; rendering the view to ./" PICTURE,
            named ? "the display '" : "there is no display", named ? display : "",
            named ? "' cannot be opened" : "");
        return render_picture(path, options, PICTURE, problem);
    }
    const struct viewer_params params = {
        .path = path,
        .volume = &options->volume,
        .device = options->device,
        .validate = options->validate,
        .verbose = options->verbose,
        .iso = options->isos[0],
        .method = options->method,
        .every_brick = options->every_brick,
        .width = options->width,
        .height = options->height,
        .memory_budget = options->memory_budget,
        .trace = options->trace,
        .exit_after = options->exit_after,
    };
    return viewer_run(&params, problem);
}
