#include "app/viewer/range.h"
#include "app/viewer/viewer_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SWEEP_SECONDS = 10; // from one end of the range to the other

static void set_method(struct viewer *viewer, uint32_t index)
{
    const char *reason = viewer_refuses(viewer, method_at(index));
    if (reason) {
        viewer_say(viewer, "%s cannot run here: %s", method_at(index)->name, reason);
    } else {
        viewer->chosen.method = method_at(index);
    }
}

bool viewer_next_method(struct viewer *viewer, int step)
{
    const int count = (int)method_count();
    int index = (int)method_row(viewer->chosen.method);
    for (int i = 0; i < count; i++) {
        index = (index + step + count) % count;
        if (!viewer_refuses(viewer, method_at(index))) {
            viewer->chosen.method = method_at(index);
            return true;
        }
    }
    return false;
}

static void step_iso(struct viewer *viewer, double share)
{
    viewer->sweeping = false;
    viewer_set_iso(viewer, range_step(&viewer->opened->facts, viewer->chosen.iso, share));
}

static void auto_iso(struct viewer *viewer)
{
    viewer->sweeping = false;
    viewer->chosen.iso = viewer->opened->facts.iso;
    viewer->chosen.iso_is_auto = true;
}

static void toggle_sweep(struct viewer *viewer)
{
    const struct volume_facts *facts = &viewer->opened->facts;
    viewer->sweeping = !viewer->sweeping;
    viewer->sweep_time = window_time();
    viewer->sweep_phase = fmin(fmax(range_share(facts, viewer->chosen.iso), 0), 1);
}

void viewer_sweep(struct viewer *viewer)
{
    if (!viewer->sweeping || !viewer->opened) {
        return;
    }
    const struct volume_facts *facts = &viewer->opened->facts;
    const double now = window_time();
    // A slow frame moves on by no more than a twentieth of the way.
    viewer->sweep_phase += fmin((now - viewer->sweep_time) / SWEEP_SECONDS, 0.05);
    viewer->sweep_phase -= 2 * floor(viewer->sweep_phase / 2);
    viewer->sweep_time = now;
    const double share = viewer->sweep_phase < 1 ? viewer->sweep_phase : 2 - viewer->sweep_phase;
    viewer_set_iso(viewer, range_value(facts, share));
}

static void set_text(struct viewer *viewer, const char *text)
{
    struct isovalue isovalue;
    if (!isovalue_parse(text, &isovalue)) {
        const struct problem problem = {
            .text = "The isovalue is a number, a percentage such as 40%, or auto.",
        };
        viewer_complain(viewer, &problem);
        return;
    }
    const struct volume_facts *facts = &viewer->opened->facts;
    viewer->sweeping = false;
    viewer_set_iso(viewer, isovalue_resolve(&isovalue, facts));
    viewer->chosen.iso_is_auto = isovalue.kind == ISOVALUE_AUTO;
    if (viewer->chosen.iso < facts->min || viewer->chosen.iso > facts->max) {
        viewer_say(viewer, "This isovalue is outside the samples' range: the surface is empty.");
    }
}

void viewer_answer(struct viewer *viewer, const struct ui_answer *answer)
{
    if (viewer->opened) {
        if (answer->has_iso) {
            viewer->sweeping = false;
            viewer_set_iso(viewer, answer->iso);
        }
        if (answer->has_text) {
            set_text(viewer, answer->text);
        }
        if (answer->auto_iso) {
            auto_iso(viewer);
        }
        if (answer->sweep) {
            toggle_sweep(viewer);
        }
        if (answer->method >= 0) {
            set_method(viewer, (uint32_t)answer->method);
        }
    }
    if (answer->close_help) {
        viewer->help = false;
    }
    if (answer->cancel_loading) {
        viewer_cancel_loading(viewer);
    }
    if (answer->cancel_export && viewer->exporter) {
        exporter_cancel(viewer->exporter);
    }
    if (answer->dismiss) {
        viewer_unsay(viewer);
    }
}

static void toggle_lines(struct viewer *viewer, bool *flag, const char *what)
{
    if (!viewer->renderer.lines) {
        viewer_say(
            viewer, "%s: %s cannot draw lines of triangles (no fillModeNonSolid).", what,
            viewer->gpu.properties.deviceName);
    } else {
        *flag = !*flag;
    }
}

void viewer_scale_text(struct viewer *viewer, float scale)
{
    viewer->chosen.text_scale = fminf(fmaxf(scale, 0.5f), 3);
    ui_set_scale(viewer->ui, viewer->chosen.text_scale * window_scale(viewer->window));
}

static void scale_text(struct viewer *viewer, int step)
{
    const float factor = step > 0 ? 1.125f : 1 / 1.125f;
    viewer_scale_text(viewer, step == 0 ? 1 : viewer->chosen.text_scale * factor);
}

static void escape(struct viewer *viewer)
{
    if (viewer->help) {
        viewer->help = false;
    } else if (viewer->loader || viewer->upload) {
        viewer_cancel_loading(viewer);
    } else if (viewer->exporter) {
        exporter_cancel(viewer->exporter);
    } else {
        viewer_unsay(viewer);
    }
}

static void reload(struct viewer *viewer)
{
    struct problem problem;
    const char *path = viewer->opened ? viewer->opened->path : viewer->params->path;
    if (!viewer_open(viewer, path, &problem)) {
        viewer_complain(viewer, &problem);
    }
}

static void toggle_skipping(struct viewer *viewer)
{
    viewer->chosen.every_brick = !viewer->chosen.every_brick;
    viewer_say(
        viewer, viewer->chosen.every_brick ? "Every brick is visited: methods work on all cells."
                                           : "Bricks that the isovalue misses are skipped.");
}

// Those that need a volume do nothing without one.
static bool act_on_volume(struct viewer *viewer, const struct binding *row)
{
    const struct opened *opened = viewer->opened;
    const VkRect2D area = viewer_area(viewer);
    const float width = (float)area.extent.width, height = (float)area.extent.height;
    switch (row->action) {
    case ACTION_ISO_STEP:
        step_iso(viewer, row->value);
        return true;
    case ACTION_ISO_AUTO:
        auto_iso(viewer);
        return true;
    case ACTION_SWEEP:
        toggle_sweep(viewer);
        return true;
    case ACTION_UP:
        viewer->chosen.up = (enum up)(((int)viewer->chosen.up + (int)row->value + UPS) % UPS);
        viewer->chosen.up_is_chosen = true;
        placement_of(&viewer->opened->volume, viewer->chosen.up, &viewer->opened->placement);
        viewer_say(viewer, "Up is %s.", up_name(viewer->chosen.up));
        return true;
    case ACTION_RESET:
        viewer->chosen.camera.trackball = false;
        camera_reset(&viewer->chosen.camera, opened->placement.corners, width, height);
        return true;
    case ACTION_FIT:
        camera_fit(&viewer->chosen.camera, opened->placement.corners, width, height);
        return true;
    case ACTION_SCREENSHOT:
        viewer_screenshot(viewer, row->value != 0);
        return true;
    case ACTION_EXPORT:
        viewer_export_soon(viewer);
        return true;
    default:
        return false;
    }
}

static void act(struct viewer *viewer, const struct binding *row, int argument)
{
    viewer_redraw(viewer);
    if (viewer->opened && act_on_volume(viewer, row)) {
        return;
    }
    switch (row->action) {
    case ACTION_METHOD_STEP:
        viewer_next_method(viewer, (int)row->value);
        break;
    case ACTION_METHOD_PICK:
        if ((uint32_t)argument < method_count()) {
            set_method(viewer, (uint32_t)argument);
        }
        break;
    case ACTION_SKIPPING:
        toggle_skipping(viewer);
        break;
    case ACTION_VIEW:
        camera_set_view(&viewer->chosen.camera, (enum camera_view)row->value);
        break;
    case ACTION_ORBIT:
        camera_step(&viewer->chosen.camera, (enum camera_step)row->value);
        break;
    case ACTION_ORTHO:
        viewer->chosen.camera.ortho = !viewer->chosen.camera.ortho;
        break;
    case ACTION_TRACKBALL:
        camera_toggle_trackball(&viewer->chosen.camera);
        break;
    case ACTION_WIREFRAME:
        toggle_lines(viewer, &viewer->chosen.wireframe, "Wireframe");
        break;
    case ACTION_EDGES:
        toggle_lines(viewer, &viewer->chosen.edges, "Edges");
        break;
    case ACTION_BOX:
        viewer->chosen.box = !viewer->chosen.box;
        break;
    case ACTION_AXES:
        viewer->chosen.axes = !viewer->chosen.axes;
        break;
    case ACTION_TIMINGS:
        viewer->chosen.timings = !viewer->chosen.timings;
        break;
    case ACTION_PANEL:
        viewer->chosen.panel = !viewer->chosen.panel;
        break;
    case ACTION_UI_SCALE:
        scale_text(viewer, (int)row->value);
        break;
    case ACTION_FULLSCREEN:
        window_toggle_fullscreen(viewer->window);
        break;
    case ACTION_FILE_STEP:
        viewer_open_neighbour(viewer, (int)row->value);
        break;
    case ACTION_RELOAD:
        reload(viewer);
        break;
    case ACTION_HELP:
        viewer->help = !viewer->help;
        break;
    case ACTION_ESCAPE:
        escape(viewer);
        break;
    case ACTION_QUIT:
        viewer->quit = true;
        break;
    default:
        break;
    }
}

void viewer_model_switches(const struct viewer *viewer, struct ui_model *model)
{
    const struct {
        enum action action;
        bool on;
    } switches[] = {
        { ACTION_SWEEP, viewer->sweeping },
        { ACTION_SKIPPING, !viewer->chosen.every_brick },
        { ACTION_ORTHO, viewer->chosen.camera.ortho },
        { ACTION_TRACKBALL, viewer->chosen.camera.trackball },
        { ACTION_WIREFRAME, viewer->chosen.wireframe },
        { ACTION_EDGES, viewer->chosen.edges },
        { ACTION_BOX, viewer->chosen.box },
        { ACTION_AXES, viewer->chosen.axes },
        { ACTION_TIMINGS, viewer->chosen.timings },
        { ACTION_PANEL, viewer->chosen.panel },
    };
    for (uint32_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        model->switches[switches[i].action] = true;
        model->on[switches[i].action] = switches[i].on;
    }
}

static void on_key(struct viewer *viewer, const struct window_event *event)
{
    int argument = 0;
    const struct binding *row = binding_find(event->key, event->mods, &argument);
    if (!row || (event->repeat && !row->repeats)) {
        return;
    }
    // In a text field keys are text, but for those that never are.
    if (ui_wants_text(viewer->ui) && event->key < KEY_F1 && row->action != ACTION_QUIT) {
        return;
    }
    act(viewer, row, argument);
}

// By place and not by what the panel's code last saw: the pointer may have jumped since.
static bool over_panel(const struct viewer *viewer, float x)
{
    const VkRect2D area = viewer_area(viewer);
    return x < (float)area.offset.x || viewer->help ||
           ((viewer->loader || viewer->upload || viewer->exporter || viewer->message[0]) &&
            ui_wants_mouse(viewer->ui));
}

static void on_move(struct viewer *viewer, float x, float y)
{
    const VkRect2D area = viewer_area(viewer);
    const float dx = x - viewer->cursor[0], dy = y - viewer->cursor[1];
    const float width = (float)area.extent.width, height = (float)area.extent.height;
    viewer->cursor[0] = x;
    viewer->cursor[1] = y;
    if (!viewer->drag || (dx == 0 && dy == 0)) {
        return;
    }
    const enum window_button button = (enum window_button)(viewer->drag - 1);
    const bool shift = viewer->drag_mods & MOD_SHIFT, ctrl = viewer->drag_mods & MOD_CTRL;
    if (button == WINDOW_MIDDLE || (button == WINDOW_LEFT && shift)) {
        camera_pan(&viewer->chosen.camera, dx, dy, height);
    } else if (button == WINDOW_RIGHT) {
        camera_zoom(&viewer->chosen.camera, -dy / fmaxf(1, height) * 16);
    } else if (ctrl) {
        camera_roll(
            &viewer->chosen.camera, x - (float)area.offset.x, y - (float)area.offset.y, dx, dy,
            width, height);
    } else {
        camera_orbit(&viewer->chosen.camera, dx, dy, width, height);
    }
    viewer_redraw(viewer);
}

static void on_scroll(struct viewer *viewer, const struct window_event *event)
{
    const VkRect2D area = viewer_area(viewer);
    if (over_panel(viewer, event->x)) {
        return;
    }
    if (event->mods & MOD_CTRL) {
        camera_zoom_at(
            &viewer->chosen.camera, event->steps, event->x - (float)area.offset.x,
            event->y - (float)area.offset.y, (float)area.extent.width, (float)area.extent.height);
    } else {
        camera_zoom(&viewer->chosen.camera, event->steps);
    }
    viewer_redraw(viewer);
}

static void on_button(struct viewer *viewer, const struct window_event *event)
{
    on_move(viewer, event->x, event->y);
    if (event->down && !viewer->drag && !over_panel(viewer, event->x)) {
        viewer->drag = (int)event->button + 1;
        viewer->drag_mods = event->mods;
    } else if (!event->down && viewer->drag == (int)event->button + 1) {
        viewer->drag = 0;
    }
}

void viewer_input(struct viewer *viewer)
{
    struct problem problem;
    struct window_event event;
    while (window_next(viewer->window, &event)) {
        viewer->redraw = viewer->redraw > 3 ? viewer->redraw : 3;
        viewer->last_input = window_time();
        switch (event.kind) {
        case WINDOW_KEY:
            on_key(viewer, &event);
            break;
        case WINDOW_BUTTON:
            if (event.button == WINDOW_LEFT && !event.down) {
                ui_release(viewer->ui, event.x);
            }
            on_button(viewer, &event);
            break;
        case WINDOW_MOVE:
            on_move(viewer, event.x, event.y);
            break;
        case WINDOW_SCROLL:
            on_scroll(viewer, &event);
            break;
        case WINDOW_DROP:
            if (!viewer_open(viewer, event.path, &problem)) {
                viewer_complain(viewer, &problem);
            }
            break;
        case WINDOW_RESIZE: // the next frame compares sizes
            break;
        case WINDOW_CLOSE:
            viewer->quit = true;
            break;
        case WINDOW_OTHER:
            break;
        }
    }
}
