// Which device each of several processes takes.
#include "compute/gpu/physical.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct gpu_row row_at(const char *type, unsigned char no_pci, unsigned char place)
{
    struct gpu_row row = { .computes = true, .usable = true };
    snprintf(row.type, sizeof row.type, "%s", type);
    row.place[0] = no_pci;
    row.place[8] = place; // the last byte of a PCI address's bus, or one of a UUID
    return row;
}

static uint32_t
taken(const struct gpu_row *rows, uint32_t count, uint32_t process, uint32_t processes)
{
    const struct gpu_params params = { .process = process, .processes = processes };
    return physical_take_turns(rows, count, 1, &params);
}

// Devices as a loader may list them: in any order, with others in between.
static void test_turns(void **state)
{
    (void)state;
    struct gpu_row rows[] = {
        row_at("cpu", 1, 0),      row_at("discrete", 0, 0xc1), row_at("discrete", 0, 0x41),
        row_at("discrete", 1, 3), row_at("discrete", 0, 0x81), row_at("integrated", 0, 1),
        row_at("discrete", 1, 2), row_at("discrete", 0, 0),    row_at("discrete", 0, 0),
    };
    const uint32_t count = sizeof rows / sizeof *rows;
    rows[7].usable = false;
    rows[8].blind = true;
    static const uint32_t order[] = { 2, 4, 1, 6, 3 }; // by PCI address, then by UUID
    for (uint32_t process = 0; process < 12; process++) {
        assert_int_equal(taken(rows, count, process, 12), order[process % 5]);
    }
    // One process takes the best one, wherever it is.
    assert_int_equal(taken(rows, count, 0, 0), 1);
    assert_int_equal(taken(rows, count, 0, 1), 1);
    // One device is everybody's.
    assert_int_equal(taken(rows, 2, 1, 2), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_turns) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
