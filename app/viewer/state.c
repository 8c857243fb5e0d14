#include "app/viewer/state.h"

#include "volumes/base/printable.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MESSAGE_SECONDS = 8;

void viewer_say(struct viewer *viewer, const char *format, ...)
{
    struct message *message = &viewer->message;
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    const bool fine = vasprintf(&text, format, arguments) >= 0;
    va_end(arguments);
    printable_copy(fine ? text : format, message->text, sizeof message->text);
    free(fine ? text : NULL);
    message->is_error = false;
    message->about = ABOUT_OTHERS;
    message->until = window_time() + MESSAGE_SECONDS;
    schedule_redraw(&viewer->schedule, 2);
}

void viewer_complain(struct viewer *viewer, const struct problem *problem)
{
    struct message *message = &viewer->message;
    memcpy(message->text, problem->text, sizeof message->text);
    message->is_error = true;
    message->about = ABOUT_OTHERS;
    message->until = 0;
    schedule_redraw(&viewer->schedule, 2);
}

void viewer_unsay(struct viewer *viewer)
{
    viewer->message.text[0] = 0;
    viewer->message.about = ABOUT_OTHERS;
    viewer->message.until = 0;
    schedule_redraw(&viewer->schedule, 2);
}

const char *viewer_refuses(const struct viewer *viewer, const struct method *method)
{
    return document_refuses(viewer->document, &viewer->gpu, method);
}

bool viewer_next_method(struct viewer *viewer, int step)
{
    const int count = (int)method_count();
    int index = (int)method_row(viewer->settings.view.method);
    for (int i = 0; i < count; i++) {
        index = (index + step + count) % count;
        if (!viewer_refuses(viewer, method_at(index))) {
            viewer->settings.view.method = method_at(index);
            return true;
        }
    }
    return false;
}

void viewer_measured(struct viewer *viewer)
{
    schedule_again(&viewer->schedule);
    schedule_redraw(&viewer->schedule, 2);
}

void viewer_show(struct viewer *viewer)
{
    if (!viewer->screen.shown) {
        window_show(viewer->screen.window);
        viewer->screen.shown = true;
    }
}

VkRect2D viewer_area(const struct viewer *viewer)
{
    const VkExtent2D all = viewer->screen.swapchain.extent;
    const uint32_t panel = (uint32_t)ui_panel_width(viewer->screen.ui, &viewer->settings);
    VkRect2D area = { .extent = all };
    if (panel + 16 < all.width) {
        area.offset.x = (int32_t)panel;
        area.extent.width -= panel;
    }
    return area;
}

void viewer_redraw(struct viewer *viewer)
{
    schedule_move(&viewer->schedule, window_time());
}

void viewer_scale_text(struct viewer *viewer, float scale)
{
    struct screen *screen = &viewer->screen;
    viewer->settings.text_scale = fminf(fmaxf(scale, 0.5f), 3);
    ui_set_scale(screen->ui, viewer->settings.text_scale * window_scale(screen->window));
}

static bool viewer_wants_times(const struct viewer *viewer)
{
    const struct auto_times *calibrating = &viewer->calibrating;
    const struct document *document = viewer->document;
    return viewer->settings.view.method->selects && calibrating->asked && !calibrating->has_times &&
           !calibrating->failed && document_steps(document) && document->has_result &&
           !viewer->opening.loader && !viewer->opening.document && !viewer->saving.exporter &&
           !viewer->schedule.quit;
}

struct situation viewer_situation(const struct viewer *viewer)
{
    const struct document *document = viewer->document;
    const struct loader *loader = viewer->opening.loader;
    const bool by_frames = document_steps(document);
    return (struct situation){
        .now = window_time(),
        .view = &viewer->settings.view,
        .sweeping = viewer->settings.sweeping,
        .dragging = viewer->hand.drag || ui_holds(viewer->screen.ui),
        .typing = ui_wants_text(viewer->screen.ui),
        .rays = document && viewer->settings.view.draw == DRAW_RAYS,
        .steady = viewer_casts(viewer) && viewer->casts.steady,
        .surface = { document, viewer->making.extract, by_frames },
        .cast = { viewer_casts(viewer), viewer->casts.parts.pass.parts, by_frames },
        .outdated = viewer->casts.parts.outdated,
        .cast_for = viewer->casts.parts.picture,
        .cast_is_new = viewer->casts.parts.there && !viewer->casts.parts.drawn,
        .joining = viewer->making.extract && viewer->making.query.mesh,
        .stays = (document &&
                  (viewer->settings.view.draw == DRAW_RAYS ? !viewer_casts(viewer)
                                                           : document_has_dropped(document))) ||
                 !viewer->screen.picture.resolved.handle,
        .loading = loader,
        .uploading = viewer->opening.document,
        .loaded = loader && !loader_busy(loader),
        .exporting = viewer->saving.exporter || viewer->saving.has_mesh,
        .wants_times = !viewer->comparing.running && viewer_wants_times(viewer),
        .comparing = viewer->comparing.running,
        .hidden = viewer->screen.hidden,
        .stuck = viewer->screen.stuck,
        .message_until = viewer->message.until,
        .interval = viewer->screen.interval,
        .frames = viewer->meters.frames,
        .exit_after = viewer->params->exit_after,
    };
}

struct due viewer_due(struct viewer *viewer)
{
    const struct situation at = viewer_situation(viewer);
    struct due due;
    schedule_look(&viewer->schedule, at.view, at.now);
    schedule_due(&viewer->schedule, &at, &due);
    return due;
}

bool viewer_casts(const struct viewer *viewer)
{
    return viewer->settings.view.draw == DRAW_RAYS &&
           document_casts(viewer->document, &viewer->casts.casting);
}

bool viewer_wants_surface(const struct viewer *viewer)
{
    return viewer->document && schedule_wants(&viewer->schedule, &viewer->settings.view);
}

void viewer_begin_surface(struct viewer *viewer)
{
    struct schedule *schedule = &viewer->schedule;
    if (schedule->begun.every_brick != viewer->settings.view.every_brick) {
        document_forget_times(viewer->document);
    }
    schedule_begin(schedule, &viewer->settings.view);
}

void viewer_remember_times(struct viewer *viewer, double ms)
{
    struct meters *meters = &viewer->meters;
    if (meters->history_count == UI_HISTORY) {
        memmove(meters->history, meters->history + 1, (UI_HISTORY - 1) * sizeof *meters->history);
        meters->history_count--;
    }
    meters->history[meters->history_count++] = (float)ms;
}

void viewer_remember_surface(struct viewer *viewer, bool fresh, bool repeat)
{
    const struct extraction_result *result = &viewer->document->result;
    double sum = 0;
    for (uint32_t i = 0; i < result->stage_count; i++) {
        sum += result->stage_ms[i];
    }
    viewer_remember_times(viewer, sum);
    if (viewer->message.about == ABOUT_SURFACE) {
        viewer_unsay(viewer);
    }
    if (document_remember_time(viewer->document, fresh) && repeat) {
        schedule_again(&viewer->schedule);
    }
}
