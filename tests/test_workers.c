// ctest: plain
// llvmpipe's compute threads: each has a CPU of its own, and no other thread is pinned.
#include "device.h"

#include <dirent.h>
#include <sched.h>

static void test_each_has_a_cpu(void **state)
{
    (void)state;
    cpu_set_t allowed, taken;
    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    if (!gpu.software || !strstr(gpu.properties.deviceName, "llvmpipe") ||
        CPU_COUNT(&allowed) < 2 || getenv("LP_NUM_THREADS")) {
        print_message("skipped: it is about llvmpipe on more than one CPU\n");
        skip();
    }
    CPU_ZERO(&taken);
    DIR *folder = opendir("/proc/self/task");
    assert_non_null(folder);
    const struct dirent *entry;
    while ((entry = readdir(folder))) {
        cpu_set_t set, both;
        if (entry->d_name[0] == '.' ||
            sched_getaffinity(atoi(entry->d_name), sizeof set, &set) != 0 ||
            CPU_EQUAL(&set, &allowed)) {
            continue;
        }
        assert_int_equal(CPU_COUNT(&set), 1);
        CPU_AND(&both, &set, &taken);
        assert_int_equal(CPU_COUNT(&both), 0);
        CPU_OR(&taken, &taken, &set);
    }
    closedir(folder);
    assert_true(CPU_EQUAL(&taken, &allowed));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_each_has_a_cpu) };
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
