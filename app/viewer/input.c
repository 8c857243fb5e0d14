#include "app/viewer/input.h"

#include "app/base/range.h"
#include "app/picture/bands.h"
#include "app/settings/bindings.h"
#include "app/viewer/contours.h"
#include "app/viewer/files/open.h"
#include "app/viewer/files/saver.h"
#include "app/viewer/files/store.h"
#include "app/viewer/files/undo.h"
#include "app/viewer/forms/forms.h"
#include "app/viewer/forms/open_form.h"
#include "app/viewer/work/casts.h"
#include "compute/casting/caster.h"
#include "compute/casting/wavefront.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float PLANE_GRIP = 8;      // pixels from an outline, before scaling with the display
static const double SWEEP_SECONDS = 10; // from one end of the range to the other

// Call it whenever the view may have changed.
static void input_settle(struct viewer *viewer)
{
    struct view *view = &viewer->settings.view;
    const bool transparent = view_is_transparent(view);
    undo_note(&viewer->undo, view);
    if (transparent && !viewer->hand.transparent && view->draw == DRAW_TRIANGLES) {
        view->draw = DRAW_RAYS;
        undo_amend(&viewer->undo, view); // belongs to the change that made a contour transparent
        message_say(&viewer->message, "Rays are drawn, because triangles are never transparent.");
        works_redraw(&viewer->works);
    }
    viewer->hand.transparent = transparent;
    if (view->contour != viewer->hand.contour || view->further != viewer->hand.further) {
        viewer->settings.sweeping = false; // it was of another contour
        viewer->hand.contour = view->contour;
        viewer->hand.further = view->further;
    }
    works_arrange(&viewer->works);
}

static void input_set_method(struct viewer *viewer, const struct method *method)
{
    const char *reason = works_refuses(&viewer->works, method);
    if (reason) {
        message_say(&viewer->message, "%s cannot run here: %s", method->name, reason);
    } else {
        viewer->settings.view.method = method;
    }
}

// Sets the isovalue and ends the sweep.
static void input_set_iso(struct settings *settings, double iso, bool is_auto)
{
    settings->sweeping = false;
    settings->view.isos[settings->view.contour] = iso;
    settings->view.auto_isos[settings->view.contour] = is_auto;
}

static void
input_step_iso(struct settings *settings, const struct volume_facts *facts, double share)
{
    input_set_iso(
        settings, range_step(facts, settings->view.isos[settings->view.contour], share), false);
}

static void
input_toggle_sweep(struct hand *hand, struct settings *settings, const struct volume_facts *facts)
{
    settings->sweeping = !settings->sweeping;
    hand->sweep_time = window_time();
    hand->sweep_phase =
        fmin(fmax(range_share(facts, settings->view.isos[settings->view.contour]), 0), 1);
}

void input_sweep(struct viewer *viewer)
{
    if (!viewer->settings.sweeping || !viewer->works.document) {
        return;
    }
    const struct volume_facts *facts = &viewer->works.document->facts;
    const double now = window_time();
    // A slow frame advances by at most a twentieth of the range.
    viewer->hand.sweep_phase += fmin((now - viewer->hand.sweep_time) / SWEEP_SECONDS, 0.05);
    viewer->hand.sweep_phase -= 2 * floor(viewer->hand.sweep_phase / 2);
    viewer->hand.sweep_time = now;
    const double share =
        viewer->hand.sweep_phase < 1 ? viewer->hand.sweep_phase : 2 - viewer->hand.sweep_phase;
    viewer->settings.view.isos[viewer->settings.view.contour] = range_value(facts, share, 1);
    viewer->settings.view.auto_isos[viewer->settings.view.contour] = false;
    input_settle(viewer);
}

static void input_set_text(struct viewer *viewer, const char *text)
{
    struct isovalue isovalue;
    char reason[200];
    if (!isovalue_typed(text, &isovalue, reason)) {
        struct problem problem;
        problem_set(
            &problem, PROBLEM_USAGE,
            "%s The isovalue stays %.7g. Type a number, a percentage of the range such as 40%%, "
            "a percentile such as p99, or auto.",
            reason, viewer->settings.view.isos[viewer->settings.view.contour]);
        message_complain(&viewer->message, &problem, ABOUT_TYPED);
        return;
    }
    if (viewer->message.about == ABOUT_TYPED) {
        message_unsay(&viewer->message);
    }
    const struct volume_facts *facts = &viewer->works.document->facts;
    input_set_iso(
        &viewer->settings, isovalue_resolve(&isovalue, facts), isovalue.kind == ISOVALUE_AUTO);
    if (viewer->settings.view.isos[viewer->settings.view.contour] < facts->min ||
        viewer->settings.view.isos[viewer->settings.view.contour] > facts->max) {
        message_say(
            &viewer->message, "This isovalue is outside the samples' range: the surface is empty.");
    }
}

// Whether rays are drawn. If so, a message says that they have neither triangles nor lists.
static bool input_casts(const struct view *view, struct message *message)
{
    char hint[BINDINGS_HINT];
    if (view->draw != DRAW_RAYS) {
        return false;
    }
    bindings_hint("rays", "draws triangles.", hint);
    message_say(message, "Rays have neither triangles nor lists.%s%s", *hint ? " " : "", hint);
    return true;
}

// Whether the setting applies to what is drawn. If it does not, a message says so.
static bool
input_applies(const struct setting *setting, const struct view *view, struct message *message)
{
    char hint[BINDINGS_HINT];
    if (setting->rays_only && view->draw != DRAW_RAYS) {
        bindings_hint("rays", "draws them.", hint);
        message_say(
            message, "%ss need rays.%s%s", setting->title ? setting->title : setting->option,
            *hint ? " " : "", hint);
        return false;
    }
    return !setting->no_rays || !input_casts(view, message);
}

static void input_toggle_lines(struct viewer *viewer, const struct key_row *row)
{
    if (viewer->works.display.renderer.lines) {
        bool *setting = key_row_setting(row, &viewer->settings);
        *setting = !*setting;
    } else {
        message_say(
            &viewer->message, "No %s: %s cannot draw lines of triangles (no fillModeNonSolid).",
            row->text, viewer->gpu.properties.deviceName);
    }
}

void input_scale_text(struct settings *settings, float scale)
{
    settings->text_scale = fminf(fmaxf(scale, 0.5f), 3);
}

bool input_fit_window(struct settings *settings, float width, float height)
{
    settings->panel = width >= 700 && height >= 450;
    return settings->panel;
}

void input_refused(struct viewer *viewer)
{
    struct refusal *refusal = &viewer->works.refusal;
    if (refusal->shadow) {
        refusal->shadow = false;
        viewer->settings.view.shadow = false;
        message_say(&viewer->message, "There is no memory for shadows.");
    }
    if (refusal->rays) {
        char hint[BINDINGS_HINT];
        struct problem shown;
        bindings_hint("rays", "tries again.", hint);
        problem_set(
            &shown, refusal->why.kind, "The surface is drawn as triangles, not by rays: %s.%s%s",
            refusal->why.text, *hint ? " " : "", hint);
        refusal->rays = false;
        viewer->settings.view.draw = DRAW_TRIANGLES;
        undo_amend(&viewer->undo, &viewer->settings.view);
        message_complain(&viewer->message, &shown, ABOUT_OTHERS);
        works_redraw(&viewer->works);
    }
}

// Cancels the work that a box over the picture shows. False: there is none.
static bool input_cancel(struct viewer *viewer)
{
    const struct open *opening = &viewer->files.open;
    if (opening->loader || viewer->works.uploading) {
        open_cancel(&viewer->files.open);
    } else if (viewer->files.saver.exporter) {
        exporter_cancel(viewer->files.saver.exporter);
    } else if (viewer->comparing.running) {
        measurement_end(&viewer->comparing);
        casts_end_measuring(&viewer->works);
        schedule_measured(&viewer->schedule);
        message_say(
            &viewer->message, "Measuring was cancelled, %s.",
            measurement_ended(&viewer->comparing));
    } else {
        return false;
    }
    return true;
}

static void input_escape(struct viewer *viewer)
{
    if (viewer->settings.help) {
        viewer->settings.help = false;
    } else if (ui_close_popup(viewer->screen.ui) || input_cancel(viewer)) {
        return;
    } else if (viewer->comparing.shows) {
        viewer->comparing.shows = false;
    } else {
        message_unsay(&viewer->message);
    }
}

static void input_form_shown(struct viewer *viewer)
{
    viewer->settings.help = false;
    schedule_redraw(&viewer->schedule, 3);
}

static void input_show_export(struct viewer *viewer)
{
    char stem[200];
    if (saver_can_export(&viewer->files)) {
        document_stem(viewer->works.document, stem, sizeof stem);
        if (!forms_export(
                &viewer->forms,
                viewer->settings.view.further > 0 ? "Export the mesh of the selected contour"
                                                  : "Export the mesh",
                stem)) {
            message_say(&viewer->message, "Out of memory for the formats.");
        }
        input_form_shown(viewer);
    }
}

static void input_show_open(struct viewer *viewer)
{
    viewer->forms.open.open = open_path(&viewer->files);
    forms_open(&viewer->forms, viewer->files.open.place, viewer->files.store.waits);
    input_form_shown(viewer);
}

void input_ask(struct viewer *viewer)
{
    const struct raw_file file = viewer->files.open.unsized;
    if (file.path) {
        viewer->files.open.unsized.path = NULL;
        if (!forms_ask_raw(&viewer->forms, file, viewer->params->volume)) {
            message_complain(&viewer->message, &file.why, ABOUT_OTHERS);
        }
        input_form_shown(viewer);
    }
    if (viewer->files.store.needs_form) {
        viewer->files.store.needs_form = false;
        input_show_open(viewer);
    }
}

// Does what the person asked for in a form that has closed. FORM_NONE: no form has closed.
static void input_wish(struct viewer *viewer, const struct form_wish *wish)
{
    const struct raw_file *raw = &viewer->forms.raw.file;
    const char *first = viewer->params->path;
    struct problem problem;
    bool fine = true;
    if (wish->kind == FORM_EXPORT && wish->accepted) {
        saver_export_soon(&viewer->files, wish->path);
    } else if (wish->kind == FORM_OPEN && wish->accepted) {
        fine = open_chosen(&viewer->files, wish->path, &problem);
    } else if (wish->kind == FORM_OPEN) {
        fine = !store_give_up(&viewer->files.store);
        problem = viewer->files.store.why;
    } else if (wish->kind == FORM_RAW && wish->accepted) {
        const bool with_options = first && strcmp(raw->path, first) == 0;
        fine = open_start_as(&viewer->files, raw->path, &wish->volume, with_options, &problem);
    } else if (wish->kind == FORM_RAW) {
        fine = false;
        problem = raw->why;
    }
    if (!fine) {
        message_complain(&viewer->message, &problem, ABOUT_OTHERS);
    }
    if (wish->kind != FORM_NONE) {
        schedule_redraw(&viewer->schedule, 3);
    }
}

static void input_toggle_rays(struct viewer *viewer)
{
    struct view *view = &viewer->settings.view;
    const bool rays = view->draw != DRAW_RAYS;
    if (!rays && view_is_transparent(view)) {
        message_say(
            &viewer->message,
            "Triangles are never transparent. They can be drawn when each contour that is shown "
            "has opacity 1.");
        return;
    }
    view->draw = rays ? DRAW_RAYS : DRAW_TRIANGLES;
    works_redraw(&viewer->works);
    if (rays) {
        message_say(&viewer->message, "Rays: %s. They need no mesh.", view_caster(view)->name);
        return;
    }
    message_say(&viewer->message, "Triangles.");
    works_retry(&viewer->works); // make the mesh now; rays did not need it
}

static void input_next_caster(struct view *view, struct message *message)
{
    const struct caster *before = view_caster(view), *next = caster_next(before);
    char hint[BINDINGS_HINT];
    next = next ? next : caster_next(NULL);
    view->caster = next == caster_default() ? NULL : next; // NULL: the default one
    bindings_hint("rays", "draws them.", hint);
    message_say(
        message, "%s %s: %s.%s%s",
        next == before ? "The only caster of rays is" : "Rays:", next->name, next->summary,
        *hint && view->draw != DRAW_RAYS ? " " : "", view->draw != DRAW_RAYS ? hint : "");
}

// Sets a setting to another one of its named values.
static void input_next(const struct key_row *row, struct view *view, struct message *message)
{
    const struct setting *setting = setting_at(row->setting);
    unsigned *word = setting_in(setting, view);
    *word = (*word + setting->count + (unsigned)(int)row->value) % setting->count;
    if (setting->title) {
        message_say(message, "%s: %s.", setting->title, setting->names[*word]);
    }
}

// The colour that the person has given, if any, comes after the other backgrounds.
static void input_next_background(struct view *view, struct message *message)
{
    const int count = view->background_colour.set ? BACKGROUND_COLOUR + 1 : BACKGROUND_COLOUR;
    char text[8];
    view->background = (enum background)(((int)view->background + 1) % count);
    message_say(
        message, "Background: %s.",
        view->background == BACKGROUND_COLOUR ? colour_text(&view->background_colour, text)
                                              : background_names[view->background]);
}

// Enlarges pictures in files to the next factor: 1, 2, 4, 8 times the window's size, then 1 again.
static void input_enlarge(struct viewer *viewer)
{
    const VkExtent2D size = viewer->works.area.extent;
    const uint32_t before = bands_times(size.width, size.height, viewer->settings.enlarged);
    const uint32_t next = before < 8 ? bands_times(size.width, size.height, 2 * before) : 1;
    const uint32_t times = next > before ? 2 * before : 1;
    const uint32_t now = bands_times(size.width, size.height, times);
    viewer->settings.enlarged = times;
    message_say(
        &viewer->message, "Screenshots are %ux%u pixels now, %u time%s the size in the window.",
        size.width * now, size.height * now, times, times == 1 ? "" : "s");
}

// Goes one step back (-1) or forward (+1).
static void input_undo(struct viewer *viewer, int step)
{
    struct view *view = &viewer->settings.view;
    const struct method *method = view->method;
    if (!undo_step(&viewer->undo, step, view)) {
        message_say(&viewer->message, "There is nothing to %s.", step < 0 ? "undo" : "redo");
        return;
    }
    viewer->settings.sweeping = false;
    view_place(view, &viewer->works.document->volume, &viewer->works.document->placement);
    if (works_refuses(&viewer->works, view->method)) {
        view->method = method; // the step's method cannot run here: keep the present one
    }
    undo_begin_gesture(&viewer->undo);
}

// The slow forms of methods would take most of the time, and of the table's scale.
static bool input_measures(const struct viewer *viewer, const struct method *method)
{
    return method->form == FORM_PLAIN || method == viewer->settings.view.method;
}

// Adds all casters: those that work in rounds with each method that can compact rays.
static void input_measure_casts(struct viewer *viewer)
{
    casts_begin_measuring(&viewer->works);
    for (const struct caster *caster = NULL; (caster = caster_next(caster));) {
        for (uint32_t i = 0; i < method_count() && caster->wavefront; i++) {
            if (input_measures(viewer, method_at(i)) && !method_at(i)->selects &&
                !wavefront_refuses(&viewer->gpu, method_at(i))) {
                measurement_add(&viewer->comparing, method_at(i), caster);
            }
        }
        if (!caster->wavefront) {
            measurement_add(&viewer->comparing, method_default(), caster);
        }
    }
}

static void input_measure(struct viewer *viewer)
{
    struct measurement *measurement = &viewer->comparing;
    const struct document *document = viewer->works.document;
    const char *device = viewer->gpu.properties.deviceName;
    if (measurement->running || !document->shown->has_result) {
        return;
    }
    if (!document_steps(document)) {
        message_say(
            &viewer->message,
            "Methods are measured on a volume that the device holds in one part. This one "
            "is in several.");
        return;
    }
    const bool casts = casts_ready(&viewer->works);
    if (casts && view_is_transparent(&viewer->settings.view)) {
        message_say(&viewer->message, "Rays through transparent contours are not measured.");
        return;
    }
    if (!viewer->gpu.timestamps) {
        message_say(&viewer->message, "%s measures no times.", device);
        return;
    }
    auto_times_drop(&viewer->calibrating);
    measurement_begin(
        measurement, document->name, device,
        viewer->settings.view.isos[viewer->settings.view.contour],
        viewer->settings.view.every_brick);
    if (casts) {
        input_measure_casts(viewer);
    }
    for (uint32_t i = 0; i < method_count() && !casts; i++) {
        const struct method *method = method_at(i);
        if (input_measures(viewer, method) && !works_refuses(&viewer->works, method)) {
            measurement_add(measurement, method, NULL);
        }
    }
    viewer->settings.sweeping = false;
    message_unsay(&viewer->message);
}

static void
input_copy_table(const struct measurement *table, struct window *window, struct message *message)
{
    if (!table->has_table) {
        char hint[BINDINGS_HINT];
        bindings_hint("measure-all", "measures all methods", hint);
        if (table->running) {
            message_say(message, "The table can be copied when all methods are measured.");
        } else {
            message_say(message, "There is no table to copy yet%s%s.", *hint ? ": " : "", hint);
        }
        return;
    }
    char *text = measurement_csv(table);
    if (!text) {
        message_say(message, "Out of memory for the table.");
        return;
    }
    window_copy(window, text);
    message_say(message, "Copied the times of %u methods as CSV.", table->count);
    free(text);
}

// The volume must be open.
static struct plane_scene input_planes(struct viewer *viewer)
{
    return (struct plane_scene){
        .view = &viewer->settings.view,
        .placement = &viewer->works.document->placement,
        .message = &viewer->message,
        .width = (float)viewer->works.area.extent.width,
        .height = (float)viewer->works.area.extent.height,
    };
}

uint32_t input_outlines(const struct viewer *viewer)
{
    return plane_tool_shows(
        &viewer->hand.planes, &viewer->settings.view,
        ui_shows_planes(viewer->screen.ui, &viewer->settings));
}

// Actions that need a volume. They do nothing without one.
static bool input_act_on_volume(struct viewer *viewer, const struct key_row *row)
{
    const struct document *document = viewer->works.document;
    struct view *view = &viewer->settings.view;
    const VkRect2D area = viewer->works.area;
    const float width = (float)area.extent.width, height = (float)area.extent.height;
    const struct plane_scene planes = input_planes(viewer);
    switch (row->action) {
    case ACTION_ISO_STEP:
        input_step_iso(&viewer->settings, &document->facts, row->value);
        return true;
    case ACTION_ISO_AUTO:
        input_set_iso(&viewer->settings, document->facts.iso, true);
        return true;
    case ACTION_SWEEP:
        input_toggle_sweep(&viewer->hand, &viewer->settings, &document->facts);
        return true;
    case ACTION_UP:
        view->up = (enum up)(((int)view->up + (int)row->value + UPS) % UPS);
        view->up_is_set = true;
        view_place(view, &viewer->works.document->volume, &viewer->works.document->placement);
        view_fit_surface(view, &document->placement, &document->cubes, width, height);
        message_say(&viewer->message, "Up is %s.", up_name(view->up));
        return true;
    case ACTION_RESET:
        view->camera.trackball = false;
        camera_reset(&view->camera);
        view_fit_surface(view, &document->placement, &document->cubes, width, height);
        return true;
    case ACTION_FIT:
        view_fit_surface(view, &document->placement, &document->cubes, width, height);
        return true;
    case ACTION_FIT_VOLUME:
        view_fit_volume(view, &document->placement, width, height);
        return true;
    case ACTION_UNDO:
        input_undo(viewer, (int)row->value);
        return true;
    case ACTION_SCREENSHOT:
        saver_screenshot(&viewer->files, row->value != 0);
        return true;
    case ACTION_ENLARGE:
        input_enlarge(viewer);
        return true;
    case ACTION_COPY_LINE:
        saver_copy_line(&viewer->files);
        return true;
    case ACTION_SAVE_SESSION:
        store_save(&viewer->files);
        return true;
    case ACTION_COMPARE:
        input_measure(viewer);
        return true;
    case ACTION_EXPORT:
        input_show_export(viewer);
        return true;
    default:
        return plane_tool_act(&viewer->hand.planes, &planes, row) ||
               contours_act(view, &document->facts, &viewer->message, row->action, (int)row->value);
    }
}

static void input_do(struct viewer *viewer, const struct key_row *row, int argument)
{
    if (viewer->works.document && input_act_on_volume(viewer, row)) {
        return;
    }
    struct problem problem;
    struct view *view = &viewer->settings.view;
    bool *setting = key_row_setting(row, &viewer->settings);
    if (row->setting && !input_applies(setting_at(row->setting), view, &viewer->message)) {
        return;
    }
    switch (row->action) {
    case ACTION_TOGGLE:
        *setting = !*setting;
        if (setting_at(row->setting)->title) {
            message_say(
                &viewer->message, "%s: %s.", setting_at(row->setting)->title,
                *setting ? "on" : "off");
        }
        break;
    case ACTION_NEXT:
        input_next(row, view, &viewer->message);
        break;
    case ACTION_TOGGLE_LINES:
        input_toggle_lines(viewer, row);
        break;
    case ACTION_METHOD_STEP:
        store_next_method(&viewer->files, (int)row->value);
        break;
    case ACTION_METHOD_PICK:
        if ((uint32_t)argument < method_count()) {
            input_set_method(viewer, method_at((uint32_t)argument));
        }
        break;
    case ACTION_COPY_TABLE:
        input_copy_table(&viewer->comparing, viewer->screen.window, &viewer->message);
        break;
    case ACTION_SKIPPING:
        *setting = !*setting;
        message_say(
            &viewer->message, *setting ? "Every brick is visited: methods work on all cells."
                                       : "Bricks that the isovalue misses are skipped.");
        break;
    case ACTION_VIEW:
        camera_set_view(&viewer->settings.view.camera, (enum camera_view)row->value);
        break;
    case ACTION_ORBIT:
        camera_step(&viewer->settings.view.camera, (enum camera_step)row->value);
        break;
    case ACTION_TRACKBALL:
        camera_toggle_trackball(&viewer->settings.view.camera);
        break;
    case ACTION_BACKGROUND:
        input_next_background(view, &viewer->message);
        break;
    case ACTION_RAYS:
        input_toggle_rays(viewer);
        break;
    case ACTION_CASTER:
        input_next_caster(view, &viewer->message);
        break;
    case ACTION_UI_SCALE:
        input_scale_text(
            &viewer->settings,
            row->value == 0 ? 1 : viewer->settings.text_scale * powf(1.125f, (float)row->value));
        break;
    case ACTION_FULLSCREEN:
        window_toggle_fullscreen(viewer->screen.window);
        break;
    case ACTION_FILE_STEP:
        open_step(&viewer->files, (int)row->value);
        break;
    case ACTION_OPEN:
        input_show_open(viewer);
        break;
    case ACTION_RELOAD:
        if (!open_reload(&viewer->files, &problem)) {
            message_complain(&viewer->message, &problem, ABOUT_OTHERS);
        }
        break;
    case ACTION_HELP:
        viewer->settings.help = !viewer->settings.help;
        break;
    case ACTION_ESCAPE:
        input_escape(viewer);
        break;
    case ACTION_QUIT:
        schedule_close(&viewer->schedule);
        break;
    default:
        break;
    }
}

// Redraws the picture only if the action has changed the view or the picture's position. A full
// picture may take seconds, and a draft would flash after each key that only shows a text.
static void input_act(struct viewer *viewer, const struct key_row *row, int argument)
{
    const struct view before = viewer->settings.view;
    const VkRect2D area = viewer->works.area;
    input_do(viewer, row, argument);
    viewer_fit_area(viewer);
    if (!view_same_picture(&before, &viewer->settings.view) ||
        viewer->works.area.offset.x != area.offset.x) {
        works_redraw(&viewer->works);
    }
}

// The help searches for typed text, even if its field is not active. A form has its own keys.
static bool input_is_text(const struct ui *ui, const struct settings *settings)
{
    return settings->help || (ui_wants_text(ui) && !ui_helps(ui) && !ui_has_form(ui));
}

// Stores a key while a form is shown. The form's fields get typed text with the next frame, and the
// key is handled after that.
static void input_keep(struct viewer *viewer, const struct window_event *event)
{
    struct forms *forms = &viewer->forms;
    if (event->kind != WINDOW_KEY || event->key == KEY_NONE ||
        forms->key_count == sizeof forms->keys / sizeof *forms->keys) {
        return;
    }
    if (event->key == KEY_BACKSPACE) {
        forms->was_empty = !forms->form.fields[forms->form.focus].text[0];
        ui_erase(viewer->screen.ui);
    }
    forms->waited = forms->key_count ? forms->waited : 0;
    forms->keys[forms->key_count++] = *event;
}

static void input_on_key(struct viewer *viewer, const struct window_event *event)
{
    int argument = 0;
    if (viewer->forms.kind != FORM_NONE) {
        input_keep(viewer, event);
        return;
    }
    if (event->key == KEY_ENTER && !event->repeat) {
        ui_enter(viewer->screen.ui);
    }
    const struct key_row *row = bindings_find(event->character, 0, &argument);
    if (!row) {
        row = bindings_find(event->key, event->mods, &argument);
    }
    if (!row || (event->repeat && !row->repeats)) {
        return;
    }
    if (!event->repeat) {
        undo_begin_gesture(&viewer->undo);
    }
    // In a text field keys are text, except function keys and these.
    const bool always = row->action == ACTION_QUIT || row->action == ACTION_UI_SCALE ||
                        (row->action == ACTION_ESCAPE && viewer->settings.help);
    if (input_is_text(viewer->screen.ui, &viewer->settings) && event->key < KEY_F1 && !always) {
        return;
    }
    if (!plane_tool_press(&viewer->hand.planes, row, event->key)) {
        input_act(viewer, row, argument);
    }
}

// Handles the keys that waited for the form.
static void input_kept(struct viewer *viewer)
{
    static const uint32_t PATIENCE = 8; // frames
    struct forms *forms = &viewer->forms;
    forms->waited++;
    while (forms->key_count > 0 &&
           (forms->kind == FORM_NONE || forms->form.ready || forms->waited > PATIENCE)) {
        const struct window_event event = forms->keys[0];
        int argument = 0;
        const struct key_row *row = bindings_find(event.key, event.mods, &argument);
        forms->key_count--;
        memmove(forms->keys, forms->keys + 1, forms->key_count * sizeof event);
        if (forms->kind == FORM_NONE) {
            input_on_key(viewer, &event);
        } else if (row && (row->action == ACTION_QUIT || row->action == ACTION_UI_SCALE)) {
            input_act(viewer, row, argument);
        } else {
            struct form_wish wish = { 0 };
            forms_key(forms, &event, &wish);
            input_wish(viewer, &wish);
            schedule_redraw(&viewer->schedule, 3);
        }
    }
    if (forms->key_count > 0) {
        schedule_redraw(&viewer->schedule, 2);
    }
}

void input_answer(struct viewer *viewer, const struct ui_answer *answer)
{
    const struct document *document = viewer->works.document;
    struct settings *settings = &viewer->settings;
    const struct view before = settings->view;
    contours_answer(&settings->view, &viewer->message, answer);
    if (document && answer->has_iso && !answer->adds) {
        input_set_iso(settings, answer->iso, false);
    }
    if (document && answer->iso_step != 0) {
        input_step_iso(settings, &document->facts, answer->iso_step);
    }
    if (document && answer->has_text) {
        input_set_text(viewer, answer->text);
    }
    if (answer->sort) {
        settings->by_time = !settings->by_time;
    }
    if (document && answer->has_view) {
        settings->view = answer->view;
        works_redraw(&viewer->works);
    }
    if (answer->action != ACTION_NONE) {
        // Not input_act: the picture stays until the new surface is there.
        input_do(viewer, &(struct key_row){ .action = answer->action }, answer->argument);
    }
    if (answer->dismiss) {
        message_unsay(&viewer->message);
    }
    struct problem problem;
    if (document && answer->has_pick &&
        !open_pick(&viewer->files, &answer->pick, answer->turns_spacing, &problem)) {
        message_complain(&viewer->message, &problem, ABOUT_OTHERS);
    }
    if (viewer->forms.kind != FORM_NONE) {
        struct form_wish wish = { 0 };
        viewer->forms.open.open = open_path(&viewer->files);
        forms_answer(&viewer->forms, &answer->form, &wish);
        input_wish(viewer, &wish);
    }
    input_kept(viewer);
    if (!contours_look_same(&before, &settings->view)) {
        works_redraw(&viewer->works);
    }
    input_settle(viewer);
}

// Compares positions. The panel's code may not know the pointer's position yet if it has jumped.
static bool input_over_panel(const struct viewer *viewer, float x)
{
    const VkRect2D area = viewer->works.area;
    return x < (float)area.offset.x || viewer->settings.help || viewer->forms.kind != FORM_NONE ||
           ui_has_popup(viewer->screen.ui) ||
           ((viewer->files.open.loader || viewer->works.uploading || viewer->files.saver.exporter ||
             viewer->comparing.running || viewer->comparing.shows || viewer->message.text[0]) &&
            ui_wants_mouse(viewer->screen.ui));
}

static void input_on_move(struct viewer *viewer, float x, float y)
{
    const VkRect2D area = viewer->works.area;
    const float dx = x - viewer->hand.cursor[0], dy = y - viewer->hand.cursor[1];
    const float width = (float)area.extent.width, height = (float)area.extent.height;
    viewer->hand.cursor[0] = x;
    viewer->hand.cursor[1] = y;
    if (viewer->hand.sizing && dx != 0) {
        viewer->settings.panel_width = ui_width_at(viewer->screen.ui, x);
        viewer_fit_area(viewer);
        works_redraw(&viewer->works);
    }
    if (viewer->hand.planes.drags && viewer->works.document) {
        const struct plane_scene planes = input_planes(viewer);
        plane_tool_drag(&viewer->hand.planes, &planes, dx, dy);
        works_redraw(&viewer->works);
        return;
    }
    if (!viewer->hand.drag || (dx == 0 && dy == 0)) {
        return;
    }
    const enum window_button button = (enum window_button)(viewer->hand.drag - 1);
    const bool shift = viewer->hand.drag_mods & MOD_SHIFT, ctrl = viewer->hand.drag_mods & MOD_CTRL;
    if (button == WINDOW_MIDDLE || (button == WINDOW_LEFT && shift)) {
        camera_pan(&viewer->settings.view.camera, dx, dy, height);
    } else if (button == WINDOW_RIGHT) {
        camera_zoom(&viewer->settings.view.camera, -dy / fmaxf(1, height) * 16);
    } else if (ctrl) {
        camera_roll(
            &viewer->settings.view.camera, x - (float)area.offset.x, y - (float)area.offset.y, dx,
            dy, width, height);
    } else {
        camera_orbit(&viewer->settings.view.camera, dx, dy, width, height);
    }
    works_redraw(&viewer->works);
}

static void input_on_scroll(struct viewer *viewer, const struct window_event *event)
{
    const VkRect2D area = viewer->works.area;
    if (viewer->forms.kind != FORM_NONE) {
        return;
    }
    if (viewer->works.document) {
        const struct plane_scene planes = input_planes(viewer);
        const double samples = (double)event->steps / (event->mods & MOD_SHIFT ? 10 : 1);
        if (plane_tool_scroll(&viewer->hand.planes, &planes, samples)) {
            works_redraw(&viewer->works);
            return;
        }
    }
    if (input_over_panel(viewer, event->x)) {
        ui_scroll(viewer->screen.ui, event->x, event->y, event->steps, event->mods);
        return;
    }
    if (event->mods & MOD_CTRL) {
        camera_zoom_at(
            &viewer->settings.view.camera, event->steps, event->x - (float)area.offset.x,
            event->y - (float)area.offset.y, (float)area.extent.width, (float)area.extent.height);
    } else {
        camera_zoom(&viewer->settings.view.camera, event->steps);
    }
    works_redraw(&viewer->works);
}

// Looks at the volume from this end of its axes: 0 for +x, 1 for -x, and so on.
static void input_look_from(struct camera *camera, const struct placement *placement, int end)
{
    static const enum camera_view views[3][2] = {
        { CAMERA_RIGHT, CAMERA_LEFT },
        { CAMERA_BACK, CAMERA_FRONT },
        { CAMERA_TOP, CAMERA_BOTTOM },
    };
    const float *axis = placement->axes[end / 2];
    for (int r = 0; r < 3; r++) {
        if (fabsf(axis[r]) > 0.5f) {
            camera_set_view(camera, views[r][(axis[r] < 0) ^ (end % 2)]);
        }
    }
}

static bool input_grab_plane(struct viewer *viewer, float x, float y)
{
    const VkOffset2D from = viewer->works.area.offset;
    if (!viewer->works.document) {
        return false;
    }
    const struct plane_scene planes = input_planes(viewer);
    return plane_tool_grab(
        &viewer->hand.planes, &planes, input_outlines(viewer), x - (float)from.x, y - (float)from.y,
        PLANE_GRIP * window_scale(viewer->screen.window));
}

static void input_on_button(struct viewer *viewer, const struct window_event *event)
{
    input_on_move(viewer, event->x, event->y);
    if (event->button == WINDOW_LEFT && !viewer->hand.drag) {
        viewer->hand.planes.drags = false;
        viewer->hand.sizing =
            event->down && ui_at_edge(viewer->screen.ui, &viewer->settings, event->x);
    }
    if (event->down && !viewer->hand.drag && !viewer->hand.sizing &&
        !input_over_panel(viewer, event->x)) {
        const int end = ui_axis_at(viewer->screen.ui, event->x, event->y);
        if (event->button == WINDOW_LEFT && end >= 0 && viewer->works.document) {
            input_look_from(&viewer->settings.view.camera, &viewer->works.document->placement, end);
            works_redraw(&viewer->works);
            return;
        }
        viewer->hand.planes.used = true;
        if (event->button == WINDOW_LEFT && input_grab_plane(viewer, event->x, event->y)) {
            return;
        }
        viewer->hand.drag = (int)event->button + 1;
        viewer->hand.drag_mods = event->mods;
    } else if (!event->down && viewer->hand.drag == (int)event->button + 1) {
        viewer->hand.drag = 0;
    }
}

void input_events(struct viewer *viewer, double seconds)
{
    struct problem problem;
    struct window_event event;
    const struct key_row *row;
    const double before = window_time();
    window_poll(seconds);
    viewer->hand.planes.waited += window_time() - before; // a slow picture makes no key press long
    while (window_next(viewer->screen.window, &event)) {
        schedule_input(&viewer->schedule, window_time());
        switch (event.kind) {
        case WINDOW_KEY:
        case WINDOW_TYPED:
            input_on_key(viewer, &event);
            break;
        case WINDOW_RELEASE:
            row = plane_tool_release(&viewer->hand.planes, event.key);
            if (row) {
                input_act(viewer, row, 0);
            }
            break;
        case WINDOW_BUTTON:
            if (event.button == WINDOW_LEFT && !event.down) {
                ui_release(viewer->screen.ui, event.x);
            }
            if (event.down) {
                undo_begin_gesture(&viewer->undo);
            }
            input_on_button(viewer, &event);
            break;
        case WINDOW_MOVE:
            input_on_move(viewer, event.x, event.y);
            break;
        case WINDOW_SCROLL:
            undo_scroll(&viewer->undo, window_time());
            input_on_scroll(viewer, &event);
            break;
        case WINDOW_DROP:
            forms_close(&viewer->forms);
            schedule_redraw(&viewer->schedule, 3);
            if (!open_chosen(&viewer->files, event.path, &problem)) {
                message_complain(&viewer->message, &problem, ABOUT_OTHERS);
            } else if (event.more > 0) {
                message_say(
                    &viewer->message,
                    "The first of %u dropped files is opened. The window shows one.",
                    event.more + 1);
            }
            break;
        case WINDOW_RESIZE: // the next frame compares the sizes
            break;
        case WINDOW_CLOSE:
            schedule_close(&viewer->schedule);
            break;
        case WINDOW_OTHER:
            break;
        }
        input_settle(viewer);
    }
}
