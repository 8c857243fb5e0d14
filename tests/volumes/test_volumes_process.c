// An open volume whose samples a reader process has: read by ranges, cancelled and read again, its
// file changed, its process killed; and no process is left. test_volumes_reader_process.py has the rest.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/volume_files.h"
#include "volumes/base/input.h"
#include "volumes/formats/volume_file.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { W = 512, H = 400, D = 60, SLICE = W * H };

static uint16_t sample(uint64_t i)
{
    return (uint16_t)(i * 2654435761U >> 13);
}

// Writes a file of the example reader, of 24 MB: more than one request asks for.
static const char *example(const char *name)
{
    static uint16_t samples[D * SLICE];
    char all[64];
    for (uint64_t i = 0; i < D * SLICE; i++) {
        samples[i] = sample(i);
    }
    const int length = snprintf(all, sizeof all, "example %d %d %d\n", W, H, D);
    const char *path = scratch_write(name, all, (size_t)length);
    FILE *file = fopen(path, "ab");
    assert_int_equal(fwrite(samples, sizeof *samples, D * SLICE, file), D * SLICE);
    fclose(file);
    return path;
}

static void slices_are(struct volume_file *file, uint32_t z, uint32_t count)
{
    struct problem problem = { 0 };
    uint16_t *samples = malloc((size_t)count * SLICE * 2);
    if (!volume_file_read(file, z, count, samples, NULL, &problem)) {
        fail_msg("%s", problem.text);
    }
    for (uint64_t i = 0; i < (uint64_t)count * SLICE; i++) {
        if (samples[i] != sample((uint64_t)z * SLICE + i)) {
            fail_msg("sample %d of slices from %u differs", (int)i, z);
        }
    }
    free(samples);
}

static bool no_child_is_left(void)
{
    return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
}

static void opened(const char *path, struct volume_file *file)
{
    struct problem problem = { 0 };
    if (!volume_file_open(path, NULL, file, &problem)) {
        fail_msg("%s", problem.text);
    }
    assert_true(file->process && file->seekable && file->volume.type == VOLUME_UINT16);
}

static void ranges(void **state)
{
    (void)state;
    struct volume_file file;
    opened(example("a.example"), &file);
    slices_are(&file, 0, D);
    slices_are(&file, 57, 3);
    slices_are(&file, 0, 1);
    slices_are(&file, 20, 21);
    volume_file_close(&file);
    assert_true(no_child_is_left());
}

// Cancels when it is asked for the n-th time.
static bool until(void *user, double share)
{
    (void)share;
    return --*(int *)user > 0;
}

static void cancelled_and_read_again(void **state)
{
    (void)state;
    struct volume_file file;
    struct problem problem;
    opened(example("a.example"), &file);
    void *samples = malloc((size_t)D * SLICE * 2);
    bool cancelled = true;
    for (int n = 1; cancelled && n < 1000000; n += 1 + n / 4) {
        int left = n;
        const struct progress progress = { .report = until, .user = &left };
        cancelled = !volume_file_read(&file, 0, D, samples, &progress, &problem);
        assert_true(!cancelled || problem.kind == PROBLEM_INTERRUPTED);
        slices_are(&file, 30, 2);
    }
    assert_false(cancelled);
    free(samples);
    volume_file_close(&file);
    assert_true(no_child_is_left());
}

// The one child of this process, which is the reader; 0: there is none.
static int reader_of(int parent)
{
    int child = 0, of;
    DIR *all = opendir("/proc");
    for (struct dirent *entry; child == 0 && (entry = readdir(all));) {
        char path[300];
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        FILE *file = fopen(path, "re");
        if (!file || fscanf(file, "%d (%*[^)]) %*c %d", &child, &of) != 2 || of != parent) {
            child = 0;
        }
        if (file) {
            fclose(file);
        }
    }
    closedir(all);
    return child;
}

static void killed(void **state)
{
    (void)state;
    struct volume_file file;
    struct problem problem;
    char samples[SLICE * 2], again[sizeof problem.text];
    siginfo_t info = { 0 };
    opened(example("a.example"), &file);
    const int child = reader_of(getpid());
    assert_true(child > 0);
    kill(child, SIGKILL);
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    for (int i = 0; i < 2; i++) {
        assert_false(volume_file_read(&file, 0, 1, samples, NULL, &problem));
        assert_int_equal(problem.kind, PROBLEM_INPUT);
        assert_non_null(strstr(problem.text, "the example reader (example 1) was killed (signal 9)"));
        assert_true(i == 0 || strcmp(problem.text, again) == 0);
        memcpy(again, problem.text, sizeof again);
    }
    assert_true(no_child_is_left());
    volume_file_close(&file);
}

static void changed(void **state)
{
    (void)state;
    struct volume_file file;
    struct problem problem;
    char samples[SLICE * 2];
    const char *path = example("a.example");
    opened(path, &file);
    assert_true(volume_file_unchanged(&file, &problem));
    assert_int_equal(truncate(path, 10000), 0);
    assert_false(volume_file_unchanged(&file, &problem));
    assert_false(volume_file_read(&file, 0, 1, samples, NULL, &problem));
    assert_non_null(strstr(problem.text, "changed while it was read"));
    volume_file_close(&file);
    assert_true(no_child_is_left());
}

// Installs the example reader as a user does.
static int install(void **state)
{
    (void)state;
    char command[PATH_MAX * 3];
    setenv("XDG_CONFIG_HOME", scratch("config"), 1);
    snprintf(
        command, sizeof command,
        "mkdir -p '%s/cubist/readers' && cp '%s/tests/volumes/readers/cubist-read-example' "
        "'%s/cubist/readers'",
        getenv("XDG_CONFIG_HOME"), getenv("CUBIST_SOURCE"), getenv("XDG_CONFIG_HOME"));
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges),
        cmocka_unit_test(cancelled_and_read_again),
        cmocka_unit_test(killed),
        cmocka_unit_test(changed),
    };
    return cmocka_run_group_tests(tests, install, NULL);
}
