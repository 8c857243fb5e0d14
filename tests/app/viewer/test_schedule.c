// What the window does next, rule by rule; without a window and a device.
// ctest: plain
#include "app/viewer/base/schedule.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// An idle user and a finished surface: each test changes what it is about.
struct bench {
    struct view view;
    struct schedule schedule;
    struct situation at;
};

static int methods[2]; // to point at: the schedule only compares them

static struct bench at_rest(void)
{
    struct bench bench = { .view = { .isos = { 10 }, .method = (const void *)&methods[0] } };
    schedule_begin(&bench.schedule, &bench.view);
    bench.at =
        (struct situation){ .now = 1000, .surface = { .wanted = true, .needs_frame = true } };
    return bench;
}

// A surface is being made, between frames.
static void work_between_frames(struct bench *bench)
{
    bench->at.surface.runs = true;
    bench->at.surface.needs_frame = false;
}

static struct due look(struct bench *bench)
{
    struct due due;
    bench->at.view = &bench->view;
    schedule_look(&bench->schedule, &bench->view, bench->at.now);
    schedule_due(&bench->schedule, &bench->at, &due);
    return due;
}

static void nothing_is_due_at_rest(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    const struct due due = look(&bench);
    assert_false(
        due.end || due.step || due.gives_up || due.exports || due.unsays || due.frame ||
        due.calibrates);
    assert_true(due.wait >= 0.25);
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_STAYS);
}

static void each_setting_of_the_surface_makes_a_step_due(void **state)
{
    (void)state;
    struct bench iso = at_rest(), method = at_rest(), bricks = at_rest(), camera = at_rest();
    iso.view.isos[0] = 11;
    method.view.method = (const void *)&methods[1];
    bricks.view.every_brick = true;
    camera.view.camera.distance = 7;
    camera.view.wireframe = camera.view.edges = camera.view.box = camera.view.axes = true;
    struct bench *due[] = { &iso, &method, &bricks };
    for (int i = 0; i < 3; i++) {
        assert_true(look(due[i]).step && look(due[i]).frame);
        assert_true(look(due[i]).wait == 0);
    }
    assert_false(look(&camera).step);
}

static void without_a_volume_nothing_is_made(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    schedule_again(&bench.schedule);
    bench.at.surface.wanted = false;
    assert_false(look(&bench).step);
    bench.at.surface.wanted = true;
    assert_true(look(&bench).step);
}

// However often the isovalue changes meanwhile, only one more surface is made, for the last
// isovalue.
static void a_drag_never_queues(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    bench.at.surface.needs_frame = false;
    bench.view.isos[0] = 11;
    assert_true(look(&bench).step);
    schedule_begin(&bench.schedule, &bench.view);
    bench.at.surface.runs = true;
    for (int i = 0; i < 100; i++) {
        bench.view.isos[0] += 1;
        bench.at.now += 0.01;
        assert_false(look(&bench).step);
    }
    bench.at.surface.runs = false;
    assert_true(look(&bench).step);
    schedule_begin(&bench.schedule, &bench.view);
    assert_true(bench.schedule.contours[0].begun.iso == 111);
    assert_false(look(&bench).step);
}

// Rays of a volume in parts: a draft while something moves, then the picture in full; a frame draws
// them when they have been cast.
static void rays_over_parts_are_cast_between_frames(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    bench.view.draw = DRAW_RAYS;
    bench.at.surface.needs_frame = false;
    bench.at.rays = bench.at.cast.wanted = true;
    schedule_time(&bench.schedule, DRAW_RAYS, 1000);
    schedule_move(&bench.schedule, bench.at.now);
    assert_int_equal(look(&bench).cast, PICTURE_DRAFT);
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_STAYS);
    bench.at.cast.runs = bench.at.outdated = true;
    bench.at.cast_for = PICTURE_DRAFT;
    assert_true(look(&bench).cast == PICTURE_STAYS && !look(&bench).drops_cast);
    bench.at.now += 0.4; // it rests: another draft would come too late
    assert_true(look(&bench).drops_cast);
    bench.at.outdated = false;
    assert_false(look(&bench).drops_cast);
    bench.at.cast.runs = false;
    bench.at.cast_is_new = true;
    assert_true(look(&bench).frame && look(&bench).cast == PICTURE_STAYS);
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_DRAFT);
    schedule_draw(&bench.schedule, PICTURE_DRAFT);
    bench.at.cast_is_new = false;
    assert_int_equal(look(&bench).cast, PICTURE_FULL);
    bench.at.cast.runs = true;
    bench.at.cast_for = PICTURE_FULL;
    assert_false(look(&bench).drops_cast);
    bench.at.outdated = true;
    assert_true(look(&bench).drops_cast);
    bench.at.cast.runs = bench.at.outdated = false;
    bench.at.steady = bench.at.cast_is_new = true;
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_FULL);
    schedule_draw(&bench.schedule, PICTURE_FULL);
    bench.at.cast_is_new = false;
    assert_true(look(&bench).cast == PICTURE_STAYS);
}

// Only one thing at a time works on the parts. A cast interrupts a mesh that is for its numbers,
// and waits for one that is for a file.
static void casts_and_meshes_take_turns(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    bench.view.draw = DRAW_RAYS;
    work_between_frames(&bench);
    bench.at.rays = bench.at.cast.wanted = true;
    schedule_move(&bench.schedule, bench.at.now);
    assert_true(look(&bench).gives_up && look(&bench).cast == PICTURE_STAYS);
    bench.at.joining = true;
    assert_false(look(&bench).gives_up);
    bench.at.surface.runs = bench.at.joining = false;
    assert_true(look(&bench).cast != PICTURE_STAYS);
    schedule_export(&bench.schedule, true);
    assert_true(look(&bench).exports && look(&bench).cast == PICTURE_STAYS);
    bench.at.cast.runs = true;
    assert_false(look(&bench).exports);
}

static void a_sweep_draws_no_faster_than_is_of_use(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    bench.at.sweeping = true;
    bench.at.interval = 0.016;
    for (int i = 0; i < 3; i++) {
        bench.view.isos[0] += 1;
        assert_true(look(&bench).frame);
        schedule_drawn(&bench.schedule, bench.at.now);
        bench.at.now += 0.001;
        assert_false(look(&bench).frame);
        assert_true(fabs(look(&bench).wait - 0.003) < 1e-9);
        bench.at.now += 0.0031;
    }
    schedule_drawn(&bench.schedule, bench.at.now);
    bench.at.exit_after = 9; // nobody watches
    assert_true(look(&bench).frame);
    bench.at.exit_after = 0;
    bench.at.sweeping = false; // at rest again: it waits as long as ever
    schedule_begin(&bench.schedule, &bench.view);
    assert_false(look(&bench).frame);
    assert_true(look(&bench).wait >= 0.25);
}

static void what_is_begun_is_finished_while_the_isovalue_goes_on(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    work_between_frames(&bench);
    for (int i = 0; i < 100; i++) {
        bench.view.isos[0] += 1;
        bench.at.now += REST_SECONDS / 2;
        assert_false(look(&bench).gives_up);
    }
}

static void what_is_of_no_interest_is_given_up_after_a_rest(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    work_between_frames(&bench);
    bench.view.isos[0] = 11;
    assert_false(look(&bench).gives_up);
    bench.at.now += REST_SECONDS + 0.01;
    assert_true(look(&bench).gives_up);
    bench.view.isos[0] = 12; // goes on: the rest begins anew
    assert_false(look(&bench).gives_up);
    bench.at.now += REST_SECONDS - 0.01;
    assert_false(look(&bench).gives_up);
    bench.view.isos[0] = 10; // back at what is being made
    bench.at.now += 1;
    assert_false(look(&bench).gives_up);
}

static void a_volume_that_has_come_ends_what_is_made(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    work_between_frames(&bench);
    bench.at.loading = true;
    assert_false(look(&bench).gives_up);
    bench.at.loaded = true;
    assert_true(look(&bench).gives_up);
}

static void closing_ends_what_is_made_unless_it_is_to_be_exported(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    work_between_frames(&bench);
    schedule_close(&bench.schedule);
    assert_true(look(&bench).gives_up && look(&bench).end);
    schedule_export(&bench.schedule, true);
    assert_false(look(&bench).gives_up || look(&bench).end);
}

// Only another volume ends the mesh that is being read back for an export.
static void a_mesh_is_read_back_to_the_end(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    work_between_frames(&bench);
    bench.at.joining = true;
    schedule_close(&bench.schedule);
    assert_false(look(&bench).gives_up || look(&bench).end);
    bench.view.isos[0] = 11;
    look(&bench);
    bench.at.now += REST_SECONDS + 1;
    assert_false(look(&bench).gives_up || look(&bench).step);
    bench.at.loading = bench.at.loaded = true;
    assert_true(look(&bench).gives_up);
}

// Frames continue to make surfaces of the shown volume; surfaces in parts would take its memory.
static void a_volume_on_its_way_to_the_device_has_the_room(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    bench.at.uploading = true;
    assert_true(look(&bench).wait == 0); // there is work
    bench.view.isos[0] = 11;
    schedule_put_off(&bench.schedule, bench.at.now);
    assert_true(look(&bench).step);
    assert_false(look(&bench).frame);
    bench.at.now += FRAME_SECONDS;
    assert_true(look(&bench).frame);
    bench.at.surface.needs_frame = false;
    schedule_export(&bench.schedule, false);
    schedule_begin(&bench.schedule, &bench.view);
    assert_false(look(&bench).exports);
    bench.view.isos[0] = 12;
    assert_false(look(&bench).step);
    assert_true(schedule_begin_export(&bench.schedule, 0));
    bench.at.exit_after = bench.at.frames = 3;
    schedule_begin(&bench.schedule, &bench.view);
    assert_false(look(&bench).end);
    bench.at.uploading = false;
    assert_true(look(&bench).end);
}

static void frames_come_now_and_then_while_a_surface_is_made(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    work_between_frames(&bench);
    assert_true(look(&bench).wait == 0); // there is work
    schedule_redraw(&bench.schedule, 5);
    schedule_put_off(&bench.schedule, bench.at.now);
    assert_false(look(&bench).frame);
    bench.at.now += FRAME_SECONDS;
    assert_true(look(&bench).frame);
}

static void a_refused_surface_is_tried_again_only_for_a_change(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    schedule_refuse(&bench.schedule);
    bench.at.now += 1000;
    assert_false(look(&bench).step);
    bench.view.isos[0] = 11;
    assert_true(look(&bench).step);
    schedule_begin(&bench.schedule, &bench.view);
    assert_false(look(&bench).step);
    schedule_again(&bench.schedule); // there is more room
    assert_true(look(&bench).step);
}

static void the_export_of_a_refused_surface_is_not_begun(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    schedule_refuse(&bench.schedule);
    schedule_export(&bench.schedule, false); // of the surface that is shown
    assert_true(look(&bench).exports && schedule_begin_export(&bench.schedule, 0));
    schedule_export(&bench.schedule, true);
    assert_false(schedule_begin_export(&bench.schedule, 0));
    assert_false(look(&bench).exports);
    schedule_begin(&bench.schedule, &bench.view); // there is room this time
    schedule_export(&bench.schedule, true);
    assert_true(schedule_begin_export(&bench.schedule, 0));
}

static void another_volume_has_a_surface_due_and_no_export(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    schedule_export(&bench.schedule, false);
    schedule_open(&bench.schedule);
    assert_true(look(&bench).step);
    schedule_begin(&bench.schedule, &bench.view);
    assert_false(look(&bench).exports);
}

static void drafts_while_it_moves_and_the_whole_picture_after(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    schedule_time(&bench.schedule, DRAW_TRIANGLES, SLOW_MS + 1);
    schedule_move(&bench.schedule, bench.at.now);
    assert_true(look(&bench).frame);
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_DRAFT);
    schedule_draw(&bench.schedule, PICTURE_DRAFT);
    schedule_drawn(&bench.schedule, bench.at.now);
    schedule_drawn(&bench.schedule, bench.at.now);
    struct due due = look(&bench);
    assert_false(due.frame);
    assert_true(due.wait > 0 && due.wait <= REFINE_SECONDS);
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_STAYS);
    bench.at.now += REFINE_SECONDS + 0.001;
    due = look(&bench);
    assert_true(due.frame && due.wait == 0);
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_FULL);
    schedule_step(&bench.schedule, bench.at.now); // the next surface: it rests again
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_STAYS);
    bench.at.now += REFINE_SECONDS + 0.001;
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_FULL);
    schedule_draw(&bench.schedule, PICTURE_FULL);
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_STAYS);
}

static void quick_pictures_are_never_drafts(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    schedule_time(&bench.schedule, DRAW_TRIANGLES, SLOW_MS - 1);
    schedule_move(&bench.schedule, bench.at.now);
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_FULL);
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, true), PICTURE_FULL);
    schedule_time(&bench.schedule, DRAW_TRIANGLES, SLOW_MS + 1);
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, true), PICTURE_DRAFT);
    bench.at.exit_after = 3; // such runs measure whole pictures, each frame one
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, true), PICTURE_FULL);
    schedule_draw(&bench.schedule, PICTURE_FULL);
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_FULL);
}

static void the_picture_stays_where_it_cannot_be_drawn(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    schedule_move(&bench.schedule, bench.at.now);
    bench.at.stays = true;
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_STAYS);
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, true), PICTURE_STAYS);
}

static void an_export_waits_for_the_surface_asked_for(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    schedule_export(&bench.schedule, true);
    assert_true(look(&bench).exports);
    bench.view.isos[0] = 11;
    assert_false(look(&bench).exports);
    assert_true(look(&bench).step);
    schedule_begin(&bench.schedule, &bench.view);
    work_between_frames(&bench);
    assert_false(look(&bench).exports);
    bench.at.surface.runs = false;
    assert_true(look(&bench).exports);
    bench.at.exporting = true; // one at a time
    assert_false(look(&bench).exports);
}

// A sweep never becomes idle, and frames make no surface in a minimised window.
static void an_export_does_not_wait_for_ever(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    schedule_export(&bench.schedule, true);
    bench.view.isos[0] = 11;
    bench.at.sweeping = true;
    assert_true(look(&bench).exports);
    bench.at.sweeping = false;
    bench.at.hidden = bench.at.stuck = true;
    assert_true(look(&bench).exports);
    bench.at.surface.needs_frame = false; // parts need no window
    assert_false(look(&bench).exports);
}

static void messages_expire(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    bench.at.message_until = bench.at.now + 8;
    assert_false(look(&bench).unsays);
    assert_true(look(&bench).wait <= 0.05);
    bench.at.now += 8.01;
    assert_true(look(&bench).unsays);
    bench.at.message_until = 0; // an error stays
    assert_false(look(&bench).unsays);
}

static void the_window_closes_when_told_but_writes_its_mesh_first(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    schedule_close(&bench.schedule);
    bench.at.exporting = true;
    assert_false(look(&bench).end);
    bench.at.exporting = false;
    assert_true(look(&bench).end);
    schedule_export(&bench.schedule, false);
    assert_false(look(&bench).end);
    assert_true(look(&bench).exports);
}

static void exit_after_so_many_frames(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    bench.at.exit_after = 3;
    bench.at.frames = 2;
    struct due due = look(&bench);
    assert_true(!due.end && due.frame && due.wait == 0);
    bench.at.frames = 3;
    assert_true(look(&bench).end);
    bench.view.isos[0] = 11; // a surface that is asked for is still made
    assert_false(look(&bench).end);
    schedule_begin(&bench.schedule, &bench.view);
    bench.at.surface.runs = true;
    assert_false(look(&bench).end);
    bench.at.surface.runs = false;
    bench.at.exporting = true;
    assert_false(look(&bench).end);
}

static void rays_for_drafts_are_prepared_at_rest(void **state)
{
    (void)state;
    const struct bench rest = at_rest();
    struct bench bench[] = { rest, rest, rest, rest, rest, rest, rest };
    assert_false(look(&bench[0]).prepares);
    for (int i = 0; i < 7; i++) {
        bench[i].at.wants_caster = true;
    }
    const struct due due = look(&bench[0]);
    assert_true(due.prepares && !due.frame && due.wait > 0);
    bench[1].at.dragging = true;
    schedule_move(&bench[2].schedule, bench[2].at.now);
    schedule_draw(&bench[3].schedule, PICTURE_DRAFT);
    bench[3].schedule.moved = bench[3].at.now;
    bench[4].view.isos[0] = 11;
    work_between_frames(&bench[5]);
    bench[6].at.exporting = true;
    for (int i = 1; i < 7; i++) {
        assert_false(look(&bench[i]).prepares);
    }
}

static void methods_are_measured_while_nobody_wants_anything(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    bench.at.wants_times = true;
    schedule_input(&bench.schedule, bench.at.now);
    for (int i = 0; i < 3; i++) { // the panel shows what it does
        assert_true(look(&bench).frame);
        schedule_drawn(&bench.schedule, bench.at.now);
    }
    assert_false(look(&bench).calibrates || look(&bench).frame);
    bench.at.now += CALIBRATE_SECONDS + 0.01;
    assert_true(look(&bench).calibrates);
    assert_true(look(&bench).wait <= 1e-3);
    bench.at.dragging = true;
    assert_false(look(&bench).calibrates);
    bench.at.dragging = false;
    bench.view.isos[0] = 11;
    assert_false(look(&bench).calibrates);
}

static void a_caret_blinks_and_progress_is_shown(void **state)
{
    (void)state;
    struct bench typing = at_rest(), loading = at_rest(), exporting = at_rest();
    typing.at.typing = true;
    loading.at.loading = true;
    exporting.at.exporting = true;
    assert_true(look(&typing).frame);
    assert_true(look(&loading).frame && look(&loading).wait <= 0.05);
    assert_true(look(&exporting).frame && look(&exporting).wait <= 0.05);
}

static void a_window_that_cannot_be_drawn_in_is_not_tried_without_pause(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    bench.view.isos[0] = 11;
    bench.at.hidden = bench.at.stuck = true;
    const struct due due = look(&bench);
    assert_true(due.frame && due.wait == STUCK_SECONDS);
    work_between_frames(&bench); // parts need no window
    assert_true(look(&bench).wait == 0);
}

static void the_panel_is_drawn_until_it_has_settled(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    schedule_redraw(&bench.schedule, 3);
    schedule_redraw(&bench.schedule, 2);
    for (int i = 0; i < 3; i++) {
        assert_true(look(&bench).frame);
        schedule_drawn(&bench.schedule, bench.at.now);
    }
    assert_false(look(&bench).frame);
    schedule_drawn(&bench.schedule, bench.at.now);
    assert_int_equal(bench.schedule.redraw, 0);
}

// All methods are measured between frames, which go first, and not under a hand.
static void methods_are_compared_between_frames(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    assert_false(look(&bench).compares);
    bench.at.comparing = true;
    assert_true(look(&bench).compares && !look(&bench).frame);
    assert_true(look(&bench).wait <= 0.01);
    schedule_input(&bench.schedule, bench.at.now); // an event: the panel answers first
    assert_true(look(&bench).frame && !look(&bench).compares);
    for (int i = 0; i < 3; i++) {
        schedule_drawn(&bench.schedule, bench.at.now);
    }
    assert_true(look(&bench).compares);
    bench.at.dragging = true;
    assert_false(look(&bench).compares);
    bench.at.dragging = false;
    bench.view.isos[0] = 11; // its surface goes first, too
    assert_true(look(&bench).frame && !look(&bench).compares);
}

// With rays the mesh waits until nothing moves and the picture is complete; a file does not wait.
static void rays_come_before_the_mesh(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    bench.at.rays = true;
    bench.view.draw = DRAW_RAYS;
    look(&bench); // the first picture
    schedule_draw(&bench.schedule, PICTURE_FULL);
    for (int i = 0; i < 50; i++) {
        bench.view.isos[0] += 1;
        bench.at.now += 0.01;
        assert_true(look(&bench).frame); // each isovalue is a picture,
        assert_false(look(&bench).step); // and no surface
        assert_int_not_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_STAYS);
        schedule_draw(&bench.schedule, PICTURE_DRAFT);
    }
    bench.at.now += REST_SECONDS + 0.01;
    assert_false(look(&bench).step); // the picture in full goes first
    schedule_draw(&bench.schedule, PICTURE_FULL);
    bench.schedule.redraw = 0;
    struct bench drags = bench, sweeps = bench;
    drags.at.dragging = sweeps.at.sweeping = true;
    assert_false(look(&drags).step || look(&sweeps).step);
    assert_true(look(&bench).step && look(&bench).frame);
    schedule_begin(&bench.schedule, &bench.view);
    assert_false(look(&bench).step);

    bench.view.isos[0] += 1;
    assert_false(look(&bench).step);
    assert_true(look(&bench).wait <= 0.05); // it will be due by itself
    schedule_export(&bench.schedule, true);
    assert_true(look(&bench).step);
    assert_false(look(&bench).exports); // the mesh of the isovalue before
    schedule_begin(&bench.schedule, &bench.view);
    assert_true(look(&bench).exports);
}

// Each way of drawing has its own time.
static void rays_are_drafted_by_their_own_time(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    schedule_time(&bench.schedule, DRAW_TRIANGLES, SLOW_MS + 1);
    schedule_move(&bench.schedule, bench.at.now);
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_DRAFT);
    bench.at.rays = true;
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_FULL);
    schedule_time(&bench.schedule, DRAW_RAYS, SLOW_MS + 1);
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_DRAFT);
}

// A change of the light alone: the same rays need no draft, and the next band does not wait.
static void the_same_rays_are_never_drafts(void **state)
{
    (void)state;
    struct bench bench = at_rest();
    bench.at.rays = bench.at.steady = true;
    schedule_time(&bench.schedule, DRAW_RAYS, SLOW_MS + 1);
    schedule_move(&bench.schedule, bench.at.now);
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_FULL);
    schedule_draw(&bench.schedule, PICTURE_DRAFT); // a band
    bench.schedule.redraw = 0;
    assert_true(look(&bench).frame);
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_FULL);
    bench.at.steady = false;
    assert_false(look(&bench).frame);
    assert_int_equal(schedule_picture(&bench.schedule, &bench.at, false), PICTURE_STAYS);
}

// A view of contours at 10, 20 and 30, whose surfaces have been begun. The second one is selected.
static struct bench three_contours(void)
{
    struct bench bench = at_rest();
    view_add(&bench.view, 20);
    view_add(&bench.view, 30);
    bench.view.contour = 1;
    schedule_begin(&bench.schedule, &bench.view); // the first one has begun at rest
    schedule_begin(&bench.schedule, &bench.view);
    return bench;
}

static void the_selected_contour_is_made_first(void **state)
{
    (void)state;
    struct bench bench = three_contours();
    assert_false(look(&bench).step);
    bench.view.every_brick = true;
    const uint32_t order[] = { 1, 0, 2 };
    for (int i = 0; i < 3; i++) {
        assert_true(look(&bench).step);
        assert_int_equal(schedule_next(&bench.schedule, &bench.view), order[i]);
        schedule_begin(&bench.schedule, &bench.view);
        assert_int_equal(bench.schedule.contour, order[i]);
    }
    assert_false(look(&bench).step);
}

static void only_the_contour_that_changed_is_made(void **state)
{
    (void)state;
    struct bench bench = three_contours();
    bench.view.isos[2] = 31;
    bench.view.contour = 0;
    assert_int_equal(schedule_next(&bench.schedule, &bench.view), 2);
    schedule_begin(&bench.schedule, &bench.view);
    assert_false(look(&bench).step);
    schedule_again(&bench.schedule); // of the one that was begun last
    assert_int_equal(schedule_next(&bench.schedule, &bench.view), 2);
}

// Others than the selected one are made only if triangles show them.
static void contours_that_are_not_seen_wait(void **state)
{
    (void)state;
    struct bench hidden = three_contours(), rays = three_contours();
    hidden.view.isos[2] = rays.view.isos[2] = 31;
    hidden.view.hidden[2] = true;
    rays.view.draw = DRAW_RAYS;
    assert_false(schedule_wants(&hidden.schedule, &hidden.view));
    assert_false(schedule_wants(&rays.schedule, &rays.view));
    hidden.view.hidden[2] = false;
    rays.view.contour = 2;
    assert_int_equal(schedule_next(&hidden.schedule, &hidden.view), 2);
    assert_int_equal(schedule_next(&rays.schedule, &rays.view), 2);
}

// Between frames, a surface is given up for the selected contour's, or if its own settings change,
// but not because that of another contour is due after it.
static void a_contour_in_work_gives_way_to_the_selected_one(void **state)
{
    (void)state;
    struct bench bench = three_contours();
    bench.view.every_brick = true;
    schedule_begin(&bench.schedule, &bench.view);
    schedule_begin(&bench.schedule, &bench.view);
    assert_int_equal(bench.schedule.contour, 0);
    work_between_frames(&bench);
    look(&bench);
    bench.at.now += 1;
    assert_false(look(&bench).gives_up); // contour 2 is due
    bench.view.isos[1] = 21;
    look(&bench);
    bench.at.now += 1;
    assert_true(look(&bench).gives_up);
    bench.view.isos[1] = 20;
    assert_false(look(&bench).gives_up);
    bench.view.hidden[0] = true;
    bench.at.now += 1;
    assert_true(look(&bench).gives_up);
}

static void surfaces_follow_contours_that_move_up(void **state)
{
    (void)state;
    struct bench bench = three_contours();
    uint32_t from[CONTOURS_MOST];
    assert_false(schedule_arrange(&bench.schedule, &bench.view, from));
    bench.view.contour = 0;
    assert_true(view_remove(&bench.view));
    assert_true(schedule_arrange(&bench.schedule, &bench.view, from));
    assert_true(from[0] == 1 && from[1] == 2 && from[2] == 0);
    assert_false(look(&bench).step);
    assert_true(bench.schedule.contours[0].begun.iso == 20);
    assert_int_equal(bench.schedule.contour, 1); // that at 30 was begun last
    // A drag across another contour's isovalue takes nothing from it.
    bench.view.isos[0] = 30;
    assert_false(schedule_arrange(&bench.schedule, &bench.view, from));
    assert_int_equal(schedule_next(&bench.schedule, &bench.view), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_selected_contour_is_made_first),
        cmocka_unit_test(only_the_contour_that_changed_is_made),
        cmocka_unit_test(contours_that_are_not_seen_wait),
        cmocka_unit_test(a_contour_in_work_gives_way_to_the_selected_one),
        cmocka_unit_test(surfaces_follow_contours_that_move_up),
        cmocka_unit_test(rays_for_drafts_are_prepared_at_rest),
        cmocka_unit_test(nothing_is_due_at_rest),
        cmocka_unit_test(methods_are_compared_between_frames),
        cmocka_unit_test(each_setting_of_the_surface_makes_a_step_due),
        cmocka_unit_test(without_a_volume_nothing_is_made),
        cmocka_unit_test(a_drag_never_queues),
        cmocka_unit_test(rays_over_parts_are_cast_between_frames),
        cmocka_unit_test(casts_and_meshes_take_turns),
        cmocka_unit_test(a_sweep_draws_no_faster_than_is_of_use),
        cmocka_unit_test(what_is_begun_is_finished_while_the_isovalue_goes_on),
        cmocka_unit_test(what_is_of_no_interest_is_given_up_after_a_rest),
        cmocka_unit_test(a_volume_that_has_come_ends_what_is_made),
        cmocka_unit_test(closing_ends_what_is_made_unless_it_is_to_be_exported),
        cmocka_unit_test(a_mesh_is_read_back_to_the_end),
        cmocka_unit_test(a_volume_on_its_way_to_the_device_has_the_room),
        cmocka_unit_test(frames_come_now_and_then_while_a_surface_is_made),
        cmocka_unit_test(a_refused_surface_is_tried_again_only_for_a_change),
        cmocka_unit_test(the_export_of_a_refused_surface_is_not_begun),
        cmocka_unit_test(another_volume_has_a_surface_due_and_no_export),
        cmocka_unit_test(drafts_while_it_moves_and_the_whole_picture_after),
        cmocka_unit_test(quick_pictures_are_never_drafts),
        cmocka_unit_test(the_picture_stays_where_it_cannot_be_drawn),
        cmocka_unit_test(an_export_waits_for_the_surface_asked_for),
        cmocka_unit_test(an_export_does_not_wait_for_ever),
        cmocka_unit_test(messages_expire),
        cmocka_unit_test(the_window_closes_when_told_but_writes_its_mesh_first),
        cmocka_unit_test(rays_come_before_the_mesh),
        cmocka_unit_test(rays_are_drafted_by_their_own_time),
        cmocka_unit_test(the_same_rays_are_never_drafts),
        cmocka_unit_test(exit_after_so_many_frames),
        cmocka_unit_test(methods_are_measured_while_nobody_wants_anything),
        cmocka_unit_test(a_caret_blinks_and_progress_is_shown),
        cmocka_unit_test(a_window_that_cannot_be_drawn_in_is_not_tried_without_pause),
        cmocka_unit_test(the_panel_is_drawn_until_it_has_settled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
