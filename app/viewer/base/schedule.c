#include "app/viewer/base/schedule.h"

#include <string.h>

struct surface_settings schedule_surface_of(const struct view *view, uint32_t contour)
{
    return (struct surface_settings){ view->isos[contour], view->method, view->every_brick };
}

static bool schedule_same(const struct surface_settings *a, const struct surface_settings *b)
{
    return a->iso == b->iso && a->method == b->method && a->every_brick == b->every_brick;
}

// Whether the surface of contour `of` that was begun last is the one that the view has for contour
// `at`.
static bool
schedule_fits(const struct schedule *schedule, const struct view *view, uint32_t of, uint32_t at)
{
    const struct surface_settings now = schedule_surface_of(view, at);
    return at <= view->further && schedule->contours[of].has_begun &&
           schedule_same(&now, &schedule->contours[of].begun);
}

// Rays need no mesh: only the selected contour has one, for its numbers and for files.
static bool schedule_needs(const struct view *view, uint32_t contour)
{
    return contour == view->contour || (view->draw == DRAW_TRIANGLES && view_shows(view, contour));
}

uint32_t schedule_next(const struct schedule *schedule, const struct view *view)
{
    uint32_t next = 0;
    if (!schedule_fits(schedule, view, view->contour, view->contour)) {
        return view->contour;
    }
    while (next < CONTOURS_MOST &&
           (!schedule_needs(view, next) || schedule_fits(schedule, view, next, next))) {
        next++;
    }
    return next;
}

bool schedule_wants(const struct schedule *schedule, const struct view *view)
{
    return schedule_next(schedule, view) < CONTOURS_MOST;
}

// Whether the surface that is being made is no longer wanted, or that of the selected contour is
// wanted before it.
static bool schedule_is_stale(const struct schedule *schedule, const struct view *view)
{
    const uint32_t next = schedule_next(schedule, view);
    return next == view->contour || next == schedule->contour ||
           !schedule_needs(view, schedule->contour);
}

static double schedule_refine_at(const struct schedule *schedule)
{
    return schedule->moved + REFINE_SECONDS;
}

// If the view's rays are known already, a draft is drawn in full without waiting.
static bool schedule_picture_is_due(const struct schedule *schedule, const struct situation *at)
{
    return schedule->picture_is_old ||
           (schedule->picture_is_draft && (at->steady || at->now >= schedule_refine_at(schedule)));
}

static bool schedule_rests(const struct schedule *schedule, double now)
{
    return schedule->wanted_since > 0 && now - schedule->wanted_since > REST_SECONDS;
}

// Whether a surface must be begun. Rays need no mesh: with rays it is begun for a file, or when the
// isovalue stays and the picture is complete.
static bool schedule_surface_is_due(const struct schedule *schedule, const struct situation *at)
{
    const bool moves = at->sweeping || at->dragging || schedule->picture_is_old ||
                       schedule->picture_is_draft || !schedule_rests(schedule, at->now);
    return at->surface.wanted && schedule_wants(schedule, at->view) &&
           (!at->rays || schedule->export_due || !moves);
}

// Seconds until something may be due, as far as is known. `wants`: a surface is due now.
static double schedule_patience(
    const struct schedule *schedule, const struct situation *at, bool wants, bool calibrates)
{
    if (at->surface.runs || at->uploading || at->cast.runs || at->cast_is_new || schedule->redraw ||
        schedule->export_due || wants || at->sweeping || schedule_picture_is_due(schedule, at) ||
        (at->exit_after && at->surface.wanted)) {
        return 0;
    }
    if (schedule->picture_is_draft) {
        return schedule_refine_at(schedule) - at->now;
    }
    if (calibrates || at->comparing) {
        return 1e-3;
    }
    // With rays a surface may become due by itself.
    const bool soon = at->surface.wanted && schedule->wanted_since > 0;
    return at->loading || at->exporting || at->message_until > 0 || soon ? 0.05 : 0.25;
}

// How the picture must be drawn again; PICTURE_STAYS: not at all.
static enum due_picture
schedule_wanted(const struct schedule *schedule, const struct situation *at, bool new_surface)
{
    if (at->stays || !(new_surface || at->exit_after || schedule_picture_is_due(schedule, at))) {
        return PICTURE_STAYS;
    }
    const bool moves = new_surface || (!at->steady && at->now < schedule_refine_at(schedule));
    const bool slow = schedule->full_ms[at->rays ? DRAW_RAYS : DRAW_TRIANGLES] > SLOW_MS;
    return moves && slow && !at->exit_after ? PICTURE_DRAFT : PICTURE_FULL;
}

// Whether rays are cast between frames.
static bool schedule_casts_between(const struct situation *at)
{
    return at->cast.wanted && !at->cast.needs_frame;
}

// The cast between frames that the picture needs. It waits for a mesh that is made for a file.
static enum due_picture schedule_cast(const struct schedule *schedule, const struct situation *at)
{
    const bool waits = at->cast.runs || at->cast_is_new || at->joining || schedule->export_due ||
                       at->uploading || schedule->quit;
    return schedule_casts_between(at) && !at->steady && !waits
               ? schedule_wanted(schedule, at, false)
               : PICTURE_STAYS;
}

// Whether the cast between frames is given up. A draft goes on while something moves.
static bool schedule_drops_cast(const struct schedule *schedule, const struct situation *at)
{
    const double until = schedule_refine_at(schedule) + (at->outdated ? 0 : DRAFT_SECONDS);
    const bool late = at->cast_for == PICTURE_DRAFT ? at->now >= until : at->outdated;
    return at->cast.runs && (late || !schedule_casts_between(at) || at->loaded || schedule->quit);
}

void schedule_due(const struct schedule *schedule, const struct situation *at, struct due *out)
{
    const bool wants = schedule_surface_is_due(schedule, at);
    const bool exporting = at->exporting || at->joining || schedule->export_due;
    const bool closes = schedule->quit && !schedule->export_due;
    const bool ends = schedule->quit && !exporting; // the mesh is written before the window closes
    const bool rests = schedule_rests(schedule, at->now);
    const bool stale = wants && schedule_is_stale(schedule, at->view);
    // A surface that was due before the export is made first. Exceptions: a minimised window makes
    // no surface by frames, and a sweep of shown surfaces never ends.
    const bool current =
        !wants || (at->sweeping && !at->rays) || (at->hidden && at->surface.needs_frame);
    const bool calibrates =
        at->wants_times && !at->dragging && at->now > schedule->last_input + CALIBRATE_SECONDS;
    // While a volume is uploaded, no parts are extracted: the memory is for the new volume.
    const bool busy = at->cast.runs || (!at->surface.needs_frame && at->uploading);
    const enum due_picture cast = schedule_cast(schedule, at);
    *out = (struct due){
        .step = wants && !at->surface.runs && !busy,
        .gives_up = at->surface.runs &&
                    (at->loaded || (!at->joining && (closes || (stale && rests) || cast))),
        .drops_cast = schedule_drops_cast(schedule, at),
        .cast = at->surface.runs ? PICTURE_STAYS : cast,
        .exports = schedule->export_due && !at->exporting && !at->surface.runs && !busy && current,
        .unsays = at->message_until > 0 && at->now > at->message_until,
    };
    out->end = ends || (at->exit_after && at->frames >= at->exit_after && !exporting && !wants &&
                        !at->surface.runs && !at->uploading &&
                        !(schedule_casts_between(at) && !at->steady));
    const double patience = schedule_patience(schedule, at, wants, calibrates);
    const bool works = at->surface.runs || at->uploading || at->cast.runs;
    // Limits the frames: a sweep, or a mouse with a thousand events a second, would draw too many.
    const double pause = schedule->drawn + at->interval / FRAMES_AN_INTERVAL - at->now;
    const bool paused = pause > 0 && !works && !at->exit_after;
    out->wait = at->stuck && !works ? STUCK_SECONDS : paused && patience < pause ? pause : patience;
    const bool news = patience == 0 || at->loading || at->exporting || at->typing;
    out->frame = works ? at->now >= schedule->next_frame : news && !paused;
    out->calibrates = calibrates && !out->frame && (works || !news);
    // Rays for drafts wait until the picture is complete and nothing moves.
    out->prepares = at->wants_caster && !news && !works && !wants && !at->dragging &&
                    !schedule->picture_is_draft;
    // Frames go first, so that the picture follows the mouse.
    out->compares = at->comparing && !out->frame && !out->step && !at->dragging && !works;
}

enum due_picture
schedule_picture(const struct schedule *schedule, const struct situation *at, bool new_surface)
{
    if (schedule_casts_between(at) && !at->stays && at->cast_is_new) {
        return at->cast_for;
    }
    return schedule_casts_between(at) && !at->steady ? PICTURE_STAYS
                                                     : schedule_wanted(schedule, at, new_surface);
}

void schedule_look(struct schedule *schedule, const struct view *view, double now)
{
    const uint32_t next = schedule_next(schedule, view);
    const struct surface_settings wanted =
        schedule_surface_of(view, next < CONTOURS_MOST ? next : view->contour);
    bool casts = false;
    for (uint32_t i = 0; i < CONTOURS_MOST; i++) {
        casts = casts || (view->draw == DRAW_RAYS && view->isos[i] != schedule->cast_isos[i]);
    }
    if (casts) {
        memcpy(schedule->cast_isos, view->isos, sizeof view->isos);
        schedule_move(schedule, now);
    }
    if (next == CONTOURS_MOST) {
        schedule->wanted_since = 0;
    } else if (schedule->wanted_since == 0 || !schedule_same(&wanted, &schedule->wanted)) {
        schedule->wanted_since = now;
        schedule->wanted = wanted;
    }
}

bool schedule_arrange(
    struct schedule *schedule, const struct view *view, uint32_t from[CONTOURS_MOST])
{
    bool exchanged = false;
    for (uint32_t i = 0; i < CONTOURS_MOST; i++) {
        from[i] = i;
    }
    for (uint32_t to = 0; to <= view->further; to++) {
        uint32_t of = 0;
        while (of < CONTOURS_MOST &&
               (!schedule_fits(schedule, view, of, to) || schedule_fits(schedule, view, of, of))) {
            of++;
        }
        if (of == CONTOURS_MOST || schedule_fits(schedule, view, to, to)) {
            continue;
        }
        const struct begun_surface other = schedule->contours[to];
        const uint32_t index = from[to];
        schedule->contours[to] = schedule->contours[of];
        schedule->contours[of] = other;
        from[to] = from[of];
        from[of] = index;
        schedule->contour = schedule->contour == of   ? to
                            : schedule->contour == to ? of
                                                      : schedule->contour;
        exchanged = true;
    }
    return exchanged;
}

void schedule_begin(struct schedule *schedule, const struct view *view)
{
    const uint32_t next = schedule_next(schedule, view);
    schedule->contour = next < CONTOURS_MOST ? next : view->contour;
    schedule->contours[schedule->contour].has_begun = true;
    schedule->contours[schedule->contour].begun = schedule_surface_of(view, schedule->contour);
    schedule->contours[schedule->contour].refused = false;
}

void schedule_move(struct schedule *schedule, double now)
{
    schedule->picture_is_old = true;
    schedule->moved = now;
    schedule_redraw(schedule, 2);
}

void schedule_step(struct schedule *schedule, double now)
{
    schedule->moved = now;
}

void schedule_refuse(struct schedule *schedule)
{
    schedule->contours[schedule->contour].refused = true;
}

void schedule_again(struct schedule *schedule)
{
    schedule_again_of(schedule, schedule->contour);
}

void schedule_again_of(struct schedule *schedule, uint32_t contour)
{
    schedule->contours[contour].has_begun = false;
}

void schedule_measured(struct schedule *schedule)
{
    schedule_again(schedule);
    schedule_redraw(schedule, 2);
}

void schedule_open(struct schedule *schedule)
{
    for (uint32_t i = 0; i < CONTOURS_MOST; i++) {
        schedule_again_of(schedule, i);
    }
    schedule->export_due = false;
}

void schedule_export(struct schedule *schedule, bool awaits)
{
    schedule->export_due = true;
    schedule->export_awaits = awaits;
}

bool schedule_begin_export(struct schedule *schedule, uint32_t contour)
{
    schedule->export_due = false;
    return !(schedule->export_awaits && schedule->contours[contour].refused);
}

void schedule_input(struct schedule *schedule, double now)
{
    schedule->last_input = now;
    schedule_redraw(schedule, 3);
}

void schedule_close(struct schedule *schedule)
{
    schedule->quit = true;
}

void schedule_redraw(struct schedule *schedule, uint32_t frames)
{
    schedule->redraw = schedule->redraw > frames ? schedule->redraw : frames;
}

void schedule_draw(struct schedule *schedule, enum due_picture picture)
{
    schedule->picture_is_old = false;
    schedule->picture_is_draft = picture == PICTURE_DRAFT;
}

void schedule_time(struct schedule *schedule, enum draw_kind draw, double full_ms)
{
    schedule->full_ms[draw] = full_ms;
}

void schedule_drawn(struct schedule *schedule, double now)
{
    schedule->drawn = now;
    schedule->redraw -= schedule->redraw > 0;
}

void schedule_put_off(struct schedule *schedule, double now)
{
    schedule->next_frame = now + FRAME_SECONDS;
}
