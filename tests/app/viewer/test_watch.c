// When a watched volume is read again, by the stamps of its files; and which files those are.
// ctest: plain
#include "app/viewer/files/watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/scratch.h"
#include "volumes/volume.h"

static struct source_files two_files(void)
{
    struct source_files files = { calloc(2, sizeof(char *)), calloc(2, sizeof *files.stamps), 2,
                                  2 };
    for (int i = 0; i < 2; i++) {
        files.paths[i] = strdup(i ? "raw" : "nhdr");
        files.stamps[i] = (struct source_stamp){ 1, 10 + i, 100, 1000, 0 };
    }
    return files;
}

static void read_again_when_still(void **state)
{
    (void)state;
    struct source_files files = two_files();
    struct watch watch = { 0 };
    assert_false(watch_is_due(&watch, 5));
    watch_begin(&watch, &files);
    assert_null(files.paths); // taken over
    struct source_stamp now[2];
    memcpy(now, watch.files.stamps, sizeof now);
    assert_true(watch_is_due(&watch, 5));
    assert_false(watch_look(&watch, now, 5)); // nothing new
    assert_false(watch_is_due(&watch, 5.1));
    assert_true(watch_is_due(&watch, 5.3));
    now[1].size = 50; // somebody writes
    assert_false(watch_look(&watch, now, 5.3));
    now[1].size = 90;
    assert_false(watch_look(&watch, now, 5.7));
    assert_false(watch_look(&watch, now, 5.9));
    now[1].nanoseconds = 7;
    assert_false(watch_look(&watch, now, 6.1));
    assert_false(watch_look(&watch, now, 6.3));
    assert_true(watch_look(&watch, now, 6.5));  // for 0.4 s nobody has
    assert_false(watch_look(&watch, now, 6.7)); // once
    assert_false(watch_look(&watch, now, 9));
    // A file that is gone is waited for, however long.
    now[0] = (struct source_stamp){ 0 };
    assert_false(watch_look(&watch, now, 10));
    assert_false(watch_look(&watch, now, 20));
    now[0] = (struct source_stamp){ 1, 99, 100, 1000, 0 }; // another one in its place
    assert_false(watch_look(&watch, now, 20.2));
    assert_true(watch_look(&watch, now, 20.6));
    // What changes and comes back as it was needs no reading.
    now[1].size = 1;
    assert_false(watch_look(&watch, now, 21));
    now[1].size = 90;
    assert_false(watch_look(&watch, now, 21.2));
    assert_false(watch_look(&watch, now, 30));
    watch_end(&watch);
    assert_false(watch_is_due(&watch, 50));
}

static void all_files_of_a_volume(void **state)
{
    (void)state;
    static const char header[] =
        "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 2 2 2\nencoding: raw\n"
        "data file: samples.bin\n";
    scratch_write("samples.bin", "12345678", 8);
    char *path = strdup(scratch_write("volume.nhdr", header, sizeof header - 1));
    struct source_files files = { 0 };
    struct volume volume;
    struct problem problem;
    const struct volume_params noting = { .files = &files };
    assert_true(volume_read(path, &noting, &volume, &problem));
    volume_destroy(&volume);
    assert_int_equal(files.count, 2);
    assert_string_equal(files.paths[0], path);
    assert_non_null(strstr(files.paths[1], "/samples.bin"));
    assert_true(volume_read(path, NULL, &volume, &problem)); // not noted
    volume_destroy(&volume);
    assert_int_equal(files.count, 2);
    struct watch watch = { 0 };
    watch_begin(&watch, &files);
    assert_false(watch_poll(&watch, 1));
    scratch_write("samples.bin", "123456789", 9);
    assert_false(watch_poll(&watch, 2));
    assert_true(watch_poll(&watch, 3));
    assert_false(watch_poll(&watch, 4));
    watch_end(&watch);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_again_when_still),
        cmocka_unit_test(all_files_of_a_volume),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_end();
    return failed;
}
