#include "app/viewer/state.h"

#include "app/viewer/work/casts.h"
#include "app/viewer/work/surface_work.h"

void viewer_fit_area(struct viewer *viewer)
{
    viewer->works.extent = viewer->screen.swapchain.extent;
    viewer->works.area = ui_draw_area(viewer->screen.ui, &viewer->settings, viewer->works.extent);
}

static bool viewer_wants_times(const struct viewer *viewer)
{
    const struct auto_times *calibrating = &viewer->calibrating;
    const struct document *document = viewer->works.document;
    return viewer->settings.view.method->selects && calibrating->asked && !calibrating->has_times &&
           !calibrating->failed && document_steps(document) && document->shown->has_result &&
           !viewer->files.open.loader && !viewer->works.uploading &&
           !viewer->files.saver.exporter && !viewer->schedule.quit;
}

struct situation viewer_situation(const struct viewer *viewer)
{
    const struct works *works = &viewer->works;
    const struct document *document = works->document;
    const struct loader *loader = viewer->files.open.loader;
    const bool rays = document && viewer->settings.view.draw == DRAW_RAYS;
    struct situation at = {
        .now = window_time(),
        .view = &viewer->settings.view,
        .sweeping = viewer->settings.sweeping,
        .dragging = viewer->hand.drag || viewer->hand.planes.drags || ui_holds(viewer->screen.ui),
        .typing = ui_wants_text(viewer->screen.ui),
        .rays = rays,
        .surface = { document, works->extract, document_steps(document) },
        .joining = surface_work_joins(works),
        .loading = loader,
        .uploading = works->uploading,
        .loaded = loader && !loader_busy(loader),
        .exporting = viewer->files.saver.exporter || works->has_mesh,
        .wants_times = !viewer->comparing.running && viewer_wants_times(viewer),
        .comparing = viewer->comparing.running,
        .hidden = viewer->screen.hidden,
        .stuck = viewer->screen.stuck,
        .message_until = viewer->message.until,
        .interval = viewer->screen.interval,
        .frames = works->meters.frames,
        .exit_after = viewer->params->exit_after,
    };
    casts_situation(works, &at);
    at.stays = (document && (rays ? !at.cast.wanted : document_has_dropped(document))) ||
               !works->display.picture.resolved.handle;
    return at;
}

struct due viewer_due(struct viewer *viewer)
{
    const struct situation at = viewer_situation(viewer);
    struct due due;
    schedule_look(&viewer->schedule, at.view, at.now);
    schedule_due(&viewer->schedule, &at, &due);
    return due;
}
