// Where Insert adds a contour: without a window and a device.
// ctest: plain
#include "app/viewer/contours.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SIDE 32

static struct volume_facts facts;

// Facts of floats, some of which are far above or below the others.
static void find_facts(double (*value)(int i), enum volume_type type)
{
    struct volume volume = { .dim = { SIDE, SIDE, SIDE }, .type = type, .file_type = type };
    volume.samples = calloc(SIDE * SIDE * SIDE, sizeof(float));
    assert_non_null(volume.samples);
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        if (type == VOLUME_FLOAT32) {
            ((float *)volume.samples)[i] = (float)value(i);
        } else {
            ((uint8_t *)volume.samples)[i] = (uint8_t)value(i);
        }
    }
    volume_facts(&volume, &facts);
    free(volume.samples);
}

static double even(int i)
{
    return i % 256;
}

static double outliers(int i)
{
    return i == 77 ? 1e6 : i == 99 ? -1e6 : i % 100;
}

static double padded(int i)
{
    return i % 3 ? -3024 : i / 3 % 100;
}

static double labels(int i)
{
    return i % 3;
}

static double constant(int i)
{
    (void)i;
    return 7;
}

// Adds all contours. None is near another one, measured by the span of the values; all lie in it.
static void adds(double first, double low, double high, double apart)
{
    struct view view = { .isos = { first } };
    struct schedule schedule = { 0 };
    struct message message = { .schedule = &schedule };
    while (view.further + 1 < CONTOURS_MOST) {
        view.contour = (uint32_t)rand() % view_contours(&view); // the selected one does not matter
        assert_true(contours_act(&view, &facts, &message, ACTION_CONTOUR_ADD, 0));
        const double iso = view.isos[view.further];
        assert_true(iso > low && iso < high);
        if (facts.max > facts.min) {
            char text[32];
            snprintf(text, sizeof text, "%.6g", iso);
            assert_true(strtod(text, NULL) == iso); // no digits that a pixel does not resolve
        }
        for (uint32_t i = 0; i < view.further; i++) {
            assert_true(fabs(view.isos[i] - iso) > apart * (high - low));
        }
    }
}

static void test_gaps(void **state)
{
    (void)state;
    find_facts(even, VOLUME_UINT8);
    adds(128, 0, 255, 0.05);
    adds(250, 0, 255, 0.05);
    adds(-1e9, 0, 255, 0.05);
    adds(1e9, 0, 255, 0.05);
    find_facts(outliers, VOLUME_FLOAT32);
    adds(50, 0, 99, 0.05);
    adds(98, 0, 99, 0.05);
    find_facts(padded, VOLUME_FLOAT32);
    adds(50, 0, 99, 0.05);
    find_facts(labels, VOLUME_UINT8);
    adds(0.5, 0, 2, 1e-4);
    find_facts(constant, VOLUME_UINT8);
    adds(7, 6.999, 8, 1e-4);
}

// Most samples are low, as of air: the rest of the range has contours, too, but not only its end.
static double air(int i)
{
    return i % 50 ? i % 8 : i / 50 % 256;
}

static void test_air(void **state)
{
    struct view view = { .isos = { 36 } };
    struct schedule schedule = { 0 };
    struct message message = { .schedule = &schedule };
    (void)state;
    find_facts(air, VOLUME_UINT8);
    assert_true(contours_act(&view, &facts, &message, ACTION_CONTOUR_ADD, 0));
    assert_true(view.isos[1] > 100 && view.isos[1] < 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_air),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
