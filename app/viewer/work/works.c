#include "app/viewer/work/works.h"

#include "app/viewer/work/surfaces.h"

void works_redraw(struct works *works)
{
    schedule_move(works->schedule, window_time());
}

const char *works_refuses(const struct works *works, const struct method *method)
{
    return document_refuses(works->document, works->gpu, method);
}

bool works_wants_surface(const struct works *works)
{
    return works->document && schedule_wants(works->schedule, &works->settings->view);
}

void works_arrange(struct works *works)
{
    const struct view *view = &works->settings->view;
    uint32_t from[CONTOURS_MOST];
    if (!works->document) {
        return;
    }
    for (uint32_t i = 0; i < CONTOURS_MOST; i++) {
        struct shown_surface *shown = &works->document->surfaces->shown[i];
        if (shown->lost) {
            schedule_again_of(works->schedule, i);
        }
        shown->lost = false;
    }
    schedule_arrange(works->schedule, view, from);
    document_arrange(works->document, view, from);
    // The lists on the device are those of the surface that was made last.
    if (view->show != SHOW_SURFACE && view->further > 0 && document_whole(works->document) &&
        works->schedule->contour != view->contour) {
        schedule_again_of(works->schedule, view->contour);
    }
}

void works_retry(struct works *works)
{
    for (uint32_t i = 0; i < CONTOURS_MOST; i++) {
        if (works->schedule->contours[i].refused ||
            (works->document && works->document->surfaces->shown[i].only_picture)) {
            schedule_again_of(works->schedule, i);
        }
    }
}

void works_lose_picture(struct works *works)
{
    for (uint32_t i = 0; works->document && i < CONTOURS_MOST; i++) {
        struct shown_surface *shown = &works->document->surfaces->shown[i];
        if (shown->only_picture) {
            shown->only_picture = shown->has_result = false;
            if (!works->extract || i != works->schedule->contour) {
                schedule_again_of(works->schedule, i);
            }
        }
    }
}

void works_scene(const struct works *works, struct scene *scene)
{
    for (uint32_t i = 0; i < view_contours(scene->view); i++) {
        const struct shown_surface *shown = &works->document->surfaces->shown[i];
        struct scene_contour *contour = &scene->contours[i];
        const bool rays = scene->view->draw == DRAW_RAYS;
        contour->iso = rays || !shown->has_result ? scene->view->isos[i] : shown->result.iso;
        if (view_shows(scene->view, i)) {
            contour->surface = document_shown(works->document, i, &contour->further);
        }
    }
    scene->atlas = document_steps(works->document) ? parts_atlas(works->document->parts) : NULL;
    view_grey(scene->view, &works->document->facts, scene->grey);
}
