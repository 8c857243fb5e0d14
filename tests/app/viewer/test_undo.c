// Undo and redo of views: without a window and a device.
// ctest: plain
#include "app/settings/table.h"
#include "app/viewer/files/undo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct undo undo;
static struct view view;

static void begin(double iso)
{
    memset(&undo, 0, sizeof undo);
    memset(&view, 0, sizeof view);
    view.isos[0] = iso;
    undo_begin(&undo, &view);
}

static void change(double iso, uint64_t gesture)
{
    view.isos[0] = iso;
    undo.gesture = gesture;
    undo_note(&undo, &view);
}

static void steps_to(int step, double iso)
{
    assert_true(undo_step(&undo, step, &view));
    assert_true(view.isos[0] == iso);
}

static void stays(int step)
{
    const struct view before = view;
    assert_false(undo_step(&undo, step, &view));
    assert_true(view_same(&view, &before));
}

static void goes_back_and_forward(void **state)
{
    (void)state;
    begin(1);
    stays(-1);
    stays(+1);
    change(2, 1);
    change(3, 2);
    steps_to(-1, 2);
    steps_to(-1, 1);
    stays(-1);
    steps_to(+1, 2);
    steps_to(+1, 3);
    stays(+1);
}

static void selecting_a_contour_is_no_step(void **state)
{
    (void)state;
    begin(1);
    view_add(&view, 5);
    change(1, 1);
    view.contour = 0;
    change(1, 2);
    steps_to(-1, 1);
    assert_int_equal(view.further, 0);
    stays(-1);
    steps_to(+1, 1);
    assert_true(view.further == 1 && view.contour == 0);
    stays(+1);
}

static void one_gesture_is_one_step(void **state)
{
    (void)state;
    begin(1);
    for (int i = 0; i < 50; i++) {
        change(2 + i, 7);
    }
    change(100, 8);
    steps_to(-1, 51);
    steps_to(-1, 1);
    steps_to(+1, 51);
    // After a step the same gesture begins a new one.
    change(60, 8);
    stays(+1);
    steps_to(-1, 51);
}

static void a_change_drops_what_could_be_redone(void **state)
{
    (void)state;
    begin(1);
    change(2, 1);
    change(3, 2);
    steps_to(-1, 2);
    steps_to(-1, 1);
    change(9, 3);
    stays(+1);
    steps_to(-1, 1);
    steps_to(+1, 9);
}

static void a_drag_that_comes_back_is_no_step(void **state)
{
    (void)state;
    begin(1);
    change(2, 1);
    change(5, 2);
    change(2, 2);
    steps_to(-1, 1);
    steps_to(+1, 2);
    stays(+1);
    // It may go on from there.
    begin(1);
    change(5, 2);
    change(1, 2);
    change(6, 2);
    steps_to(-1, 1);
    steps_to(+1, 6);
}

static void no_change_is_no_step(void **state)
{
    (void)state;
    begin(1);
    change(2, 1);
    steps_to(-1, 1);
    undo.gesture = 5;
    undo_note(&undo, &view); // a key that changes nothing keeps what can be redone
    steps_to(+1, 2);
    undo.gesture = 6;
    undo_note(&undo, &view);
    steps_to(-1, 1);
    stays(-1);
}

static void keeps_the_last_steps(void **state)
{
    (void)state;
    begin(0);
    for (int i = 1; i <= UNDO_STEPS + 30; i++) {
        change(i, (uint64_t)i);
    }
    for (int i = UNDO_STEPS + 29; i >= 30; i--) {
        steps_to(-1, i);
    }
    stays(-1);
    for (int i = 31; i <= UNDO_STEPS + 30; i++) {
        steps_to(+1, i);
    }
    stays(+1);
}

static void other_volumes_have_other_views(void **state)
{
    (void)state;
    begin(1);
    change(2, 1);
    view.isos[0] = 50;
    undo_begin(&undo, &view);
    stays(-1);
    // What changes by itself is not undone.
    change(51, 2);
    view.isos[0] = 52;
    undo_amend(&undo, &view);
    steps_to(-1, 50);
    steps_to(+1, 52);
}

static void nothing_before_the_first_volume(void **state)
{
    (void)state;
    memset(&undo, 0, sizeof undo);
    memset(&view, 0, sizeof view);
    change(3, 1);
    undo_amend(&undo, &view);
    stays(-1);
    stays(+1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_back_and_forward),
        cmocka_unit_test(selecting_a_contour_is_no_step),
        cmocka_unit_test(one_gesture_is_one_step),
        cmocka_unit_test(a_change_drops_what_could_be_redone),
        cmocka_unit_test(a_drag_that_comes_back_is_no_step),
        cmocka_unit_test(no_change_is_no_step),
        cmocka_unit_test(keeps_the_last_steps),
        cmocka_unit_test(other_volumes_have_other_views),
        cmocka_unit_test(nothing_before_the_first_volume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
