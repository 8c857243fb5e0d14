// Volumes that are read by ranges of slices. Every test of a reader also compares them with
// volume_read (by_slices.h). Here: real files, files that change, and the costs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/formats.h"
#include "volumes/formats/write.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

// Every file and folder of CUBIST_DATA.
static void real_files(void **state)
{
    (void)state;
    const char *data = getenv("CUBIST_DATA");
    DIR *dir = data ? opendir(data) : NULL;
    int files = 0;
    if (!dir) {
        skip();
    }
    for (struct dirent *entry; (entry = readdir(dir));) {
        char path[8192];
        struct volume volume;
        struct volume_params params = { 0 };
        struct problem problem;
        if (strstr(entry->d_name, "16x16tiles")) {
            params.atlas[0] = params.atlas[1] = 16;
        }
        snprintf(path, sizeof path, "%s/%s", data, entry->d_name);
        scratch_listen();
        const bool volume_there =
            entry->d_name[0] != '.' && volume_read(path, &params, &volume, &problem);
        scratch_heard();
        if (volume_there) {
            files++;
            by_slices(path, &params, &volume, volume.dim[2] / 2);
            volume_destroy(&volume);
        }
    }
    closedir(dir);
    print_message("%d volumes\n", files);
    assert_true(files > 0);
}

static const char nrrd[] = "NRRD0004\ntype: uint16\ndimension: 3\nsizes: 64 64 40\n"
                           "endian: little\nencoding: %s\n%s\n";
#define BYTES ((size_t)64 * 64 * 40 * 2)

// The same samples in files of every encoding.
static const char *const ways[] = { "raw_64x64x40_uint16.raw", "gz_64x64x40_uint16.raw.gz",
                                    "attached.nrrd",           "packed.nrrd",
                                    "detached.nhdr",           "text.nrrd" };
enum { WAYS = sizeof ways / sizeof *ways };

static const char *make(int way)
{
    static unsigned char samples[BYTES];
    uint32_t random = 1;
    for (size_t i = 0; i < BYTES; i++) {
        random = random * 1664525 + 1013904223;
        samples[i] = (unsigned char)(random >> 25); // cannot be compressed
    }
    size_t size;
    unsigned char *packed = format_deflate(samples, BYTES, 15 + 16, &size);
    char header[300], *text = malloc(BYTES * 4);
    const char *path = NULL;
    size_t length = 0;
    switch (way) {
    case 0:
        path = scratch_write(ways[way], samples, BYTES);
        break;
    case 1:
        path = scratch_write(ways[way], packed, size);
        break;
    case 2:
        snprintf(header, sizeof header, nrrd, "raw", "");
        path = format_write(ways[way], header, samples, BYTES);
        break;
    case 3:
        snprintf(header, sizeof header, nrrd, "gzip", "");
        path = format_write(ways[way], header, packed, size);
        break;
    case 4:
        scratch_write("detached.raw", samples, BYTES);
        snprintf(header, sizeof header, nrrd, "raw", "data file: detached.raw\n");
        path = format_write(ways[way], header, "", 0);
        break;
    case 5:
        for (size_t i = 0; i < BYTES; i += 2) {
            length += (size_t)sprintf(text + length, "%d ", samples[i] | samples[i + 1] << 8);
        }
        snprintf(header, sizeof header, nrrd, "ascii", "");
        path = format_write(ways[way], header, text, length);
        break;
    }
    free(packed);
    free(text);
    return path;
}

static struct volume_file opened(const char *path)
{
    struct volume_file file;
    struct problem problem = { 0 };
    if (!volume_file_open(path, NULL, &file, &problem)) {
        fail_msg("%s", problem.text);
    }
    return file;
}

// A line that reports bad input; after the file is restored and opened again, its samples.
static void cut_while_it_is_read(void **state)
{
    (void)state;
    static unsigned char expected[BYTES], room[BYTES];
    struct problem problem = { 0 };
    for (int way = 0; way < WAYS; way++) {
        const char *path = make(way);
        struct volume_file file = opened(path);
        assert_true(file.seekable == (way % 2 == 0));
        assert_true(volume_file_read(&file, 0, 40, expected, NULL, &problem));
        assert_true(volume_file_read(&file, 0, 1, room, NULL, &problem));
        assert_true(volume_file_unchanged(&file, &problem));
        const char *cut = way == 4 ? scratch("detached.raw") : path;
        struct stat st;
        assert_int_equal(stat(cut, &st), 0);
        for (int part = 0; part < 4; part++) {
            assert_int_equal(truncate(cut, st.st_size * part / 4), 0);
            problem = (struct problem){ 0 };
            assert_false(volume_file_read(&file, 1, 39, room, NULL, &problem));
            assert_int_equal(problem.kind, PROBLEM_INPUT);
            assert_true(strstr(problem.text, cut) && !strchr(problem.text, '\n'));
            assert_false(volume_file_unchanged(&file, &problem));
        }
        make(way);
        problem = (struct problem){ 0 };
        assert_false(volume_file_unchanged(&file, &problem));
        assert_int_equal(problem.kind, PROBLEM_INPUT);
        assert_true(strstr(problem.text, cut) && strstr(problem.text, "changed while it was"));
        problem = (struct problem){ 0 };
        assert_false(volume_file_read(&file, 39, 1, room, NULL, &problem));
        assert_int_equal(problem.kind, PROBLEM_INPUT);
        assert_non_null(strstr(problem.text, "changed while it was read"));
        volume_file_close(&file);
        file = opened(path);
        for (uint32_t z = 39; z < 40; z -= 13) {
            memset(room, 0, sizeof room);
            if (!volume_file_read(&file, z, 1, room, NULL, &problem)) {
                fail_msg("%s: %s", path, problem.text);
            }
            assert_memory_equal(room, expected + z * 8192, 8192);
        }
        volume_file_close(&file);
    }
}

static bool stop(void *user, double share)
{
    (void)share;
    return --*(int *)user > 0;
}

// Also while the data before the slices are decoded.
static void cancelled(void **state)
{
    (void)state;
    static unsigned char expected[BYTES], room[BYTES];
    struct problem problem = { 0 };
    for (int way = 0; way < WAYS; way++) {
        struct volume_file file = opened(make(way));
        int left = 1;
        const struct progress progress = { stop, &left };
        assert_true(volume_file_read(&file, 0, 40, expected, NULL, &problem));
        assert_false(volume_file_read(&file, 20, 20, room, &progress, &problem));
        assert_int_equal(problem.kind, PROBLEM_INTERRUPTED);
        left = 1;
        struct volume_facts facts;
        struct cubes cubes;
        assert_false(volume_file_facts(&file, NULL, &progress, &facts, NULL, &cubes, &problem));
        assert_null(cubes.range);
        assert_int_equal(problem.kind, PROBLEM_INTERRUPTED);
        assert_true(volume_file_read(&file, 20, 20, room, NULL, &problem));
        assert_memory_equal(room, expected + BYTES / 2, BYTES / 2);
        volume_file_close(&file);
    }
}

// A number that does not fit in 32 bits is reported with its position in the file, for every range
// that it is in.
static void too_wide(void **state)
{
    (void)state;
    uint64_t samples[4 * 3 * 5] = { [53] = UINT64_C(1) << 40 };
    char room[4 * 3 * 5 * 4];
    struct problem problem = { 0 };
    const char *path = format_write(
        "wide.nrrd",
        "NRRD0004\ntype: uint64\ndimension: 3\nsizes: 4 3 5\nendian: little\nencoding: raw\n\n",
        samples, sizeof samples);
    struct volume_file file = opened(path);
    assert_true(volume_file_read(&file, 0, 4, room, NULL, &problem));
    assert_false(volume_file_read(&file, 4, 1, room, NULL, &problem));
    assert_int_equal(problem.kind, PROBLEM_INPUT);
    assert_non_null(strstr(problem.text, "sample 53 is 1099511627776"));
    volume_file_close(&file);
}

static void from_standard_input(const char *path)
{
    const int fd = open(path, O_RDONLY);
    assert_true(fd >= 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    close(fd);
}

// Messages about standard input, on opening and on reading, use its name.
static void warnings_of_standard_input(void **state)
{
    (void)state;
    const int kept = dup(STDIN_FILENO);
    struct problem problem = { 0 };
    size_t packed;
    char room[8];
    const char *heard;
    unsigned char *gz = format_deflate("123456789", 9, 31, &packed);
    from_standard_input(format_write(
        "w.nrrd",
        "NRRD0001\ncolour: red\ntype: uchar\ndimension: 3\nsizes: 2 2 2\nencoding: gzip\n\n", gz,
        packed));
    struct volume_file file;
    scratch_listen();
    const bool opens = volume_file_open("-", NULL, &file, &problem);
    heard = scratch_heard();
    assert_true(opens && !strstr(heard, "/dev/fd"));
    assert_non_null(strstr(heard, "cubist: warning: 'standard input' line 2: the field 'colour'"));
    scratch_listen();
    const bool reads = volume_file_read(&file, 0, 2, room, NULL, &problem);
    heard = scratch_heard();
    assert_true(reads && !strstr(heard, "/dev/fd"));
    assert_non_null(strstr(heard, "'standard input' has, inflated, more bytes"));
    volume_file_close(&file);
    struct volume whole;
    from_standard_input(scratch("w.nrrd"));
    scratch_listen();
    const bool read = volume_read("-", NULL, &whole, &problem);
    heard = scratch_heard();
    assert_true(read && !strstr(heard, "/dev/fd"));
    assert_non_null(strstr(heard, "'standard input' line 2"));
    assert_non_null(strstr(heard, "'standard input' has, inflated"));
    volume_destroy(&whole);
    free(gz);
    dup2(kept, STDIN_FILENO);
    close(kept);
}

// A refusal is the only line: notes about the volume are not printed.
static void no_warning_before_a_refusal(void **state)
{
    (void)state;
    static const char header[] = "NRRD0001\ncolour: red\ntype: double\ndimension: 3\n"
                                 "sizes: 2 2 %d\nencoding: %s\nendian: little\n\n";
    struct problem problem = { 0 };
    struct volume volume;
    struct volume_file file;
    char text[200];
    snprintf(text, sizeof text, header, 3, "raw");
    const char *path = format_write("r.nrrd", text, "12345678", 8);
    scratch_listen();
    assert_false(volume_read(path, NULL, &volume, &problem));
    assert_false(volume_file_open(path, NULL, &file, &problem));
    assert_string_equal(scratch_heard(), "");
    // Found only during reading, after samples that cause a note.
    enum { SIDE = 1 << 17 };
    double *samples = calloc(4 * SIDE, sizeof *samples);
    samples[0] = 1e300;
    size_t packed;
    unsigned char *gz = format_deflate(samples, 4 * SIDE * sizeof *samples, 31, &packed);
    snprintf(text, sizeof text, header, SIDE, "gzip");
    path = format_write("r.nrrd", text, gz, packed - 8);
    scratch_listen();
    assert_false(volume_read(path, NULL, &volume, &problem));
    assert_string_equal(scratch_heard(), "");
    scratch_listen();
    assert_true(volume_file_open(path, NULL, &file, &problem));
    assert_non_null(strstr(scratch_heard(), "'colour'"));
    struct volume_facts facts;
    scratch_listen();
    assert_false(volume_file_facts(&file, NULL, NULL, &facts, NULL, NULL, &problem));
    assert_string_equal(scratch_heard(), "");
    volume_file_close(&file);
    path = format_write("r.nrrd", text, gz, packed);
    scratch_listen();
    assert_true(volume_read(path, NULL, &volume, &problem));
    const char *heard = scratch_heard();
    assert_non_null(strstr(heard, "'colour'"));
    assert_non_null(strstr(heard, "1 samples are too large for float32"));
    volume_destroy(&volume);
    free(gz);
    free(samples);
}

static void standard_input(void **state)
{
    (void)state;
    const int kept = dup(STDIN_FILENO);
    struct problem problem = { 0 };
    struct volume whole;
    for (int way = 2; way < 4; way++) {
        const char *path = make(way);
        assert_true(volume_read(path, NULL, &whole, &problem));
        from_standard_input(path);
        struct volume_file file = opened("-");
        char *room = malloc(BYTES);
        by_slices_range(&file, &whole, 20, 20, room);
        by_slices_range(&file, &whole, 0, 21, room);
        free(room);
        volume_file_close(&file);
        volume_destroy(&whole);
    }
    // A file that is opened a second time, under its remaining name.
    const char *vti =
        "<VTKFile type=\"ImageData\"><ImageData WholeExtent=\"0 1 0 1 0 1\">"
        "<Piece Extent=\"0 1 0 1 0 1\"><PointData><DataArray Name=\"a\" type=\"UInt8\""
        " format=\"ascii\">1 2 3 4 5 6 7 8</DataArray></PointData></Piece>"
        "</ImageData></VTKFile>";
    from_standard_input(scratch_write("a.vti", vti, strlen(vti)));
    struct volume_file file = opened("-");
    unsigned char samples[4];
    assert_true(volume_file_read(&file, 1, 1, samples, NULL, &problem));
    assert_int_equal(samples[3], 8);
    volume_file_close(&file);
    // And a file that is not a volume.
    from_standard_input(scratch_write("nothing", "nothing", 7));
    assert_false(volume_file_open("-", NULL, &file, &problem));
    assert_true(!file.path && problem.kind == PROBLEM_INPUT);
    assert_non_null(strstr(problem.text, "standard input"));
    dup2(kept, STDIN_FILENO);
    close(kept);
}

// Peak resident memory of the process in bytes.
static uint64_t peak(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return (uint64_t)usage.ru_maxrss * 1024;
}

// 128 MiB are generated, examined and read in ranges of 16 slices, within a quarter of that memory.
// It is the first test, because the peak is that of the whole process.
static void little_memory(void **state)
{
    (void)state;
    enum { SIDE = 512, DEPTH = 256, PART = 17 };
    struct problem problem = { 0 };
    struct volume_facts facts;
    const uint64_t bytes = (uint64_t)SIDE * SIDE * DEPTH * 2;
    const char *path = scratch("big_512x512x256_uint16.raw");
    const uint64_t before = peak();
    if (!volume_write_generated(
            "sphere", (uint32_t[]){ SIDE, SIDE, DEPTH }, VOLUME_UINT16, volume_format_find("raw"),
            path, &(struct volume_write_params){ 0 }, &problem)) {
        fail_msg("%s", problem.text);
    }
    struct volume_file file = opened(path);
    struct cubes cubes;
    assert_true(volume_file_facts(&file, NULL, NULL, &facts, NULL, &cubes, &problem));
    cubes_destroy(&cubes);
    assert_true(facts.min == 0 && facts.max > 60000);
    char *part = malloc((uint64_t)SIDE * SIDE * PART * 2);
    for (uint32_t z = 0; z + PART <= DEPTH; z += PART - 1) {
        assert_true(volume_file_read(&file, z, PART, part, NULL, &problem));
    }
    free(part);
    volume_file_close(&file);
    unlink(path);
    const uint64_t after = peak();
    print_message("%d MiB before, %d at the peak\n", (int)(before >> 20), (int)(after >> 20));
    assert_true(after - before < bytes / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(little_memory),
        cmocka_unit_test(real_files),
        cmocka_unit_test(cut_while_it_is_read),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(too_wide),
        cmocka_unit_test(standard_input),
        cmocka_unit_test(warnings_of_standard_input),
        cmocka_unit_test(no_warning_before_a_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
