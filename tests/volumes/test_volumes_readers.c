// Which reader is selected for a file: by content, then by name; and formats that are recognized
// but not supported.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/formats.h"
#include "volumes/affine.h"
#include "volumes/formats/readers.h"
#include "volumes/formats/sidecar.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static const char nrrd[] =
    "NRRD0001\ntype: short\ndimension: 3\nsizes: 4 3 5\nendian: little\nencoding: raw\n\n";
static const char meta[] = "NDims = 3\nDimSize = 4 3 5\nElementType = MET_SHORT\n"
                           "ElementDataFile = LOCAL\n";

static const char *file(const char *name, const char *header)
{
    size_t size;
    unsigned char *bytes = format_samples(VOLUME_INT16, false, false, FORMAT_COUNT, &size);
    const char *path = format_write(name, header, bytes, size);
    free(bytes);
    return path;
}

static void content_before_name(void **state)
{
    (void)state;
    format_good(file("no extension", nrrd), VOLUME_INT16);
    format_good(file("x.NRRD", nrrd), VOLUME_INT16);
    format_good(file("x.foo", meta), VOLUME_INT16);
    format_warned(file("x.mha", nrrd), VOLUME_INT16, "is NRRD although its name says MetaImage");
    format_warned(file("x.nrrd", meta), VOLUME_INT16, "is MetaImage although its name says NRRD");
    // A raw file is what its name says, whatever its samples look like. If neither its name nor an
    // option gives the dims, its content decides.
    format_good(file("x.raw", nrrd), VOLUME_INT16);
    struct volume volume;
    struct problem problem;
    const char *path = file("x_1x1x1_uint8.raw", nrrd);
    assert_false(volume_read(path, NULL, &volume, &problem));
    assert_non_null(strstr(problem.text, "two samples along each axis"));
    struct stat st;
    assert_int_equal(stat(file("x.nrrd", nrrd), &st), 0);
    const struct volume_params raw = {
        .dim = { 2, 2, 2 },
        .has_type = true,
        .offset = (uint64_t)st.st_size - 8,
    };
    assert_true(volume_read(file("x.nrrd", nrrd), &raw, &volume, &problem));
    assert_int_equal(volume.type, VOLUME_UINT8);
    volume_destroy(&volume);
    // A given spacing takes precedence over the file's.
    const struct volume_params spacing = { .spacing = { 2, 3, 4 } };
    assert_true(volume_read(file("x.nrrd", nrrd), &spacing, &volume, &problem));
    format_near(volume.spacing, spacing.spacing, 3);
    volume_destroy(&volume);
    const struct volume_params bad = { .spacing = { 2, -3, 4 } };
    assert_false(volume_read(file("x.nrrd", nrrd), &bad, &volume, &problem));
    assert_int_equal(problem.kind, PROBLEM_USAGE);
    // Only the name identifies the format: its reader reports what is missing.
    format_refused(scratch_write("y.nrrd", "what?", 5), PROBLEM_INPUT, "not an NRRD magic");
    format_refused(scratch_write("y.mhd", "what?", 5), PROBLEM_INPUT, "is not a field");
    format_refused(scratch_write("y.foo", "what?", 5), PROBLEM_INPUT, "cubist --list-formats");
    format_refused(scratch_write("y.foo", "", 0), PROBLEM_INPUT, "is empty");
    for (size_t i = 0; i < reader_count; i++) {
        char name[64];
        snprintf(
            name, sizeof name, "empty%.*s", (int)strcspn(readers[i].extensions, " "),
            readers[i].extensions);
        format_refused(scratch_write(name, "", 0), PROBLEM_INPUT, "is empty");
        format_refused(scratch_write(name, "?", 1), PROBLEM_INPUT, name);
    }
}

static void rows_are_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < reader_count; i++) {
        assert_true(readers[i].name[0] && readers[i].summary[0]);
        assert_true(!readers[i].open == (readers[i].process != NULL));
        assert_int_equal(readers[i].extensions[0], '.');
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(readers[i].name, readers[j].name);
        }
    }
    assert_true(path_has_extension("a/b.NII.gz", ".nii .nii.gz"));
    assert_true(path_has_extension("b.nii", ".nii .nii.gz"));
    assert_false(path_has_extension(".nii", ".nii .nii.gz"));
    assert_false(path_has_extension("a.nii/b", ".nii .nii.gz"));
    assert_false(path_has_extension("b.ni", ".nii .nii.gz"));
}

// Bytes at an offset in a file of 2000 otherwise meaningless bytes.
static const char *with(const char *name, size_t at, const void *bytes, size_t size)
{
    char all[2000];
    memset(all, 1, sizeof all);
    memcpy(all + at, bytes, size);
    return scratch_write(name, all, sizeof all);
}

static void known_by_sight(void **state)
{
    (void)state;
    for (size_t i = 0; i < foreign_count; i++) {
        const struct foreign *kind = &foreign_kinds[i];
        // Its name makes no difference.
        static const char *const names[] = { "f", "f.dcm", "f.nrrd", "f.raw" };
        for (int n = 0; n < 4; n++) {
            const char *path = with(names[n], kind->at, kind->bytes, kind->size);
            format_refused(path, PROBLEM_INPUT, kind->kind);
            format_refused(path, PROBLEM_INPUT, kind->advice);
        }
    }
    // With dims it is a raw file like any other.
    struct volume volume;
    struct problem problem;
    const struct volume_params params = { .dim = { 20, 10, 10 }, .has_type = true };
    assert_true(volume_read(with("f", 0, "\xff\xd8\xff", 3), &params, &volume, &problem));
    volume_destroy(&volume);
    // Through gzip too.
    char tar[2000] = "";
    size_t packed;
    memcpy(tar + 257, "ustar", 5);
    unsigned char *gz = format_deflate(tar, sizeof tar, 31, &packed);
    format_refused(scratch_write("f.tar.gz", gz, packed), PROBLEM_INPUT, "a tar archive");
    free(gz);
}

// The first bytes of a file of each reader, so far as they select it.
static const struct {
    const char *reader, *bytes;
    size_t size;
} beginnings[] = {
    { "DICOM", "II*\0", 4 }, // and its magic at 128
    { "HDF5", "\x89HDF\r\n\x1a\n", 8 },
    { "NetCDF", "CDF\1", 4 },
    { "NRRD", "NRRD0004\n", 9 },
    { "BOV", "DATA_FILE: a\n", 13 },
    { "NumPy archive", "PK\3\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0a.npy", 35 },
    { "MetaImage", "NDims = 3\n", 10 },
    { "NIfTI", "\x5c\x01\0", 4 }, // and its magic at 344
    { "VTK ImageData", "<VTKFile", 8 },
    { "legacy VTK", "# vtk DataFile Version 3.0\n", 27 },
    { "Inviwo", "RawFile: x\n", 11 },
    { "MRC", "\4\0\0\0", 4 }, // and its magic at 208
    { "MGH", "\0\0\0\1\0\0\0\4\0\0\0\4\0\0\0\4\0\0\0\1\0\0\0\0\0\0\0\0\0\1", 30 },
    { "SLC", "11111\n", 6 },
    { "Gaussian cube", "a\nb\n0 0 0 0\n2 1 0 0\n2 0 1 0\n2 0 0 1\n", 36 },
    { "OpenDX", "object 1 class gridpositions counts 2 2 2\n", 42 },
    { "NumPy", "\x93NUMPY\1\0", 8 },
    { "TIFF", "II*\0", 4 },
    { "TIFF", "MM\0*", 4 },
    { "TIFF", "II+\0\x08\0\0", 8 },
    { "TIFF", "MM\0+\0\x08\0", 8 },
    { NULL, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16 },
    { NULL, "\x1f\x8b\x08", 4 },
};

// Writes a file that begins with `bytes`, and has `magic` further on.
static const char *
within(const void *bytes, size_t size, size_t at, const void *magic, size_t magic_size, char filler)
{
    char all[5000];
    memset(all, filler, sizeof all);
    memcpy(all, bytes, size);
    memcpy(all + 344, "n+1", 4);
    memcpy(all + 208, "MAP ", 4);
    memcpy(all + at, magic, magic_size);
    memcpy(all + at + magic_size, "\2\0\0\0", 4);
    return scratch_write("within", all, sizeof all);
}

// Nothing that stands before the magic of a DICOM file, a tar archive or an HDF5 file makes it a
// file of another kind, for any reader of the table and any other kind.
static void magic_behind_a_magic(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        const char *bytes;
        size_t size;
        const char *kind;
    } cases[] = {
        { 128, "DICM", 4, "is a DICOM file" },
        { 257, "ustar", 5, "is a tar archive" },
        { 512, "\x89HDF\r\n\x1a\n", 8, "is an HDF5 file" },
        { 2048, "\x89HDF\r\n\x1a\n", 8, "is an HDF5 file" },
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (size_t r = 0; r < reader_count; r++) {
            bool tried = false;
            for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
                tried |= beginnings[i].reader && strcmp(beginnings[i].reader, readers[r].name) == 0;
                for (int filler = 0; filler <= ' '; filler += ' ') {
                    const char *path = within(
                        beginnings[i].bytes, beginnings[i].size, cases[c].at, cases[c].bytes,
                        cases[c].size, (char)filler);
                    format_refused(path, PROBLEM_INPUT, cases[c].kind);
                }
            }
            if (!tried && readers[r].matches) {
                fail_msg("%s: give the first bytes that select it", readers[r].name);
            }
        }
        for (size_t i = 0; i < foreign_count; i++) {
            const struct foreign *kind = &foreign_kinds[i];
            if (kind->at + kind->size <= cases[c].at) {
                char before[2048] = "";
                memcpy(before + kind->at, kind->bytes, kind->size);
                const char *path = within(
                    before, kind->at + kind->size, cases[c].at, cases[c].bytes, cases[c].size, 0);
                format_refused(path, PROBLEM_INPUT, i == 0 ? kind->kind : cases[c].kind);
            }
        }
    }
    // A word in the comment of a text header is none of these.
    static const char comment[] = "NRRD0001\n# It was DICM before, and it was in an archive: ";
    for (size_t at = 128; at <= 257; at += 257 - 128) {
        char header[600];
        const int dots = (int)(at - (sizeof comment - 1));
        snprintf(
            header, sizeof header, "%s%.*s%s\n# %.*s\n%s", comment, dots,
            "................................................................................"
            "................................................................................"
            "................................................................................",
            at == 128 ? "DICM" : "ustar", 60,
            "............................................................", nrrd + 9);
        format_good(file("comment.nrrd", header), VOLUME_INT16);
    }
}

static void folders_known_by_sight(void **state)
{
    (void)state;
    mkdir(scratch("store"), 0700);
    scratch_write("store/.zarray", "{}", 2);
    format_refused(scratch("store"), PROBLEM_INPUT, "its shape and its chunks");
    mkdir(scratch("series"), 0700);
    with("series/IM0001", 128, "DICM", 4);
    format_refused(scratch("series"), PROBLEM_INPUT, "a DICOM series");
    mkdir(scratch("pipes"), 0700);
    assert_int_equal(mkfifo(scratch("pipes/IM0001"), 0600), 0);
    format_refused(scratch("pipes"), PROBLEM_INPUT, "pipes");
    mkdir(scratch("nothing"), 0700);
    format_refused(scratch("nothing"), PROBLEM_INPUT, "nothing");
}

static void affines(void **state)
{
    (void)state;
    struct volume volume = { .direction = { 9 } };
    const struct volume before = volume;
    struct problem problem;
    const double origin[] = { 1, 2, 3 };
    static const double bad[][3][3] = {
        { { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } },
        { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 0 } },
        { { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 1e-9 } },
        { { NAN, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
        { { 1, 0, 0 }, { 0, INFINITY, 0 }, { 0, 0, 1 } },
        { { 1e-39, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
        { { 1e39, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(affine_set(&volume, bad[i], origin, "it", &problem));
        assert_int_equal(problem.kind, PROBLEM_INPUT);
        assert_memory_equal(&volume, &before, sizeof volume);
    }
    const double far[] = { 1, -INFINITY, 3 };
    const double good[3][3] = { { 1e-30, 0, 0 }, { 0, -2, 0 }, { 0, 3, 4 } };
    assert_false(affine_set(&volume, good, far, "it", &problem));
    assert_true(affine_set(&volume, good, origin, "it", &problem));
    format_near(volume.spacing, (double[]){ 1e-30, 2, 5 }, 3);
    assert_true(volume.spacing[0] == 1e-30);
    format_near(volume.direction, (double[]){ 1, 0, 0, 0, -1, 0.6, 0, 0, 0.8 }, 9);
    format_near(volume.origin, origin, 3);
    double steps[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 0, 9 } }, at[] = { 1, 0, 3 };
    affine_flip(steps, at, (const double[2]){ -1, -1 });
    format_near(&steps[0][0], (double[]){ -1, -2, 3, -4, -5, 6, -7, 0, 9 }, 9);
    format_near(at, (double[]){ -1, 0, 3 }, 3);
    assert_false(signbit(steps[2][1]) || signbit(at[1]));
}

// One name for each way out of a folder, and one for each way that stays inside.
static void sidecars(void)
{
    mkdir(scratch("sub"), 0700);
    mkdir(scratch("sub/deep"), 0700);
    scratch_write("sub/deep/data", "x", 1);
    scratch_write("outside", "x", 1);
    unlink(scratch("sub/up"));
    unlink(scratch("sub/away"));
    assert_int_equal(symlink("..", scratch("sub/up")), 0);
    assert_int_equal(symlink("/etc", scratch("sub/away")), 0);
    static const struct {
        const char *name;
        bool good;
    } cases[] = {
        { "deep/data", true },
        { "./deep//data", true },
        { "../outside", false },
        { "up/outside", false },
        { "away/passwd", false },
        { "/etc/passwd", false },
        { "deep", false },
        { "deep/", false },
        { "deep/../deep/data", false },
        { "deep/data/x", false },
        { "", false },
        { ".", false },
    };
    const char *header = scratch("sub/header");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct source source;
        struct problem problem = { 0 };
        const bool ok = sidecar_open(header, cases[i].name, false, &source, &problem);
        if (ok != cases[i].good) {
            fail_msg("'%s': %s", cases[i].name, ok ? "opened" : problem.text);
        }
        assert_int_equal(source.fd >= 0, ok);
        assert_int_equal(problem.kind, ok ? PROBLEM_NONE : PROBLEM_INPUT);
        source_close(&source);
    }
    // Relative to the folder that the header is in when its path has none.
    struct source source;
    struct problem problem;
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(scratch("sub")), 0);
    assert_true(sidecar_open("header", "deep/data", false, &source, &problem));
    source_close(&source);
    // What a person names may lead anywhere, but only to files.
    for (const char *const *name = (const char *[]){ "../outside", scratch("outside"), NULL };
         *name; name++) {
        assert_true(sidecar_open("header", *name, true, &source, &problem));
        source_close(&source);
    }
    assert_false(sidecar_open("header", "..", true, &source, &problem));
    assert_false(sidecar_open("header", "up/outside", true, &source, &problem));
    assert_int_equal(chdir(here), 0);
}

// Runs a shell's commands in the scratch folder.
static void in_scratch(const char *commands)
{
    char *line;
    scratch("x"); // makes the folder
    assert_true(asprintf(&line, "cd '%s' && %s", scratch(""), commands) > 0);
    assert_int_equal(system(line), 0);
    free(line);
}

// Headers whose own path is a link: data lie beside the link, beside the file that it names, or in
// the store where both are.
static void linked_headers(void)
{
#define HEX1 "0123456789abcdef0123456789abcd"
#define HEX2 "abcdef0123456789abcdef01234567"
    in_scratch(
        "rm -rf l && mkdir l && cd l && mkdir home real sub lnk bare far other x && echo x "
        ">x/id_rsa &&"
        "echo h >real/h && echo d >real/d && echo e >real/e && mkdir real/deep && "
        "echo d >real/deep/d && echo d >other/d && echo own >far/own &&"
        "ln -s ../real/h ../real/d lnk/ && ln -s ../real/h bare/h && ln -s ../bare/h far/h &&"
        "ln -s ../other/d far/d && ln -s ../real/e far/e && ln -s ../nowhere far/gone && "
        "ln -s ../x/id_rsa ../real far/ && ln -s ../x/id_rsa real/key && "
        "ln -s /proc/self/fd/0 far/stdin && "
        // git-annex: a repository, a second one, and a file that only looks like an object.
        "mkdir -p r/.git/annex/objects/a1/b2 r/s/deep q/.git/annex/objects/a1/b2/K3 && "
        "cd r/.git/annex/objects/a1/b2 && mkdir K1.h K2.d K4 && echo h >K1.h/K1.h && "
        "echo d >K2.d/K2.d && echo d >K4/other && ln -s ../../../../../../../x/id_rsa K4/K4 && "
        "echo d >../../../../../../q/.git/annex/objects/a1/b2/K3/K3 && cd ../../../../../s && "
        "O=../.git/annex/objects/a1/b2 && ln -s $O/K1.h/K1.h h && ln -s $O/K2.d/K2.d d && "
        "ln -s ../$O/K2.d/K2.d deep/d && ln -s $O/K4/other plain && ln -s $O/K4/K4 out && "
        "ln -s ../../q/.git/annex/objects/a1/b2/K3/K3 q && ln -s ../../x/id_rsa id && "
        "echo h >regular && cd ../.. && ln -s ../r/s/h home/h && "
        // DVC.
        "mkdir -p c/md5/0a c/md5/0b v && echo h >c/md5/0a/" HEX1 " && echo d >c/md5/0b/" HEX2
        " && echo d >c/md5/0b/plain && ln -s ../c/md5/0a/" HEX1 " v/h && ln -s ../c/md5/0b/" HEX2
        " v/d && ln -s ../c/md5/0b/plain ../x/id_rsa v/ && mkdir -p x/0a x/0b && "
        "cp x/id_rsa x/0b/" HEX2 " && ln -s ../x/0b/" HEX2 " v/stranger");
    static const struct {
        const char *header, *name;
        bool good;
    } cases[] = {
        // Both are links; the header alone is one; a chain of two.
        { "lnk/h", "d", true },
        { "bare/h", "d", true },
        { "bare/h", "deep/d", true },
        { "far/h", "own", true },
        { "far/h", "e", true },
        { "far/h", "deep/d", true },
        // The link beside the header names another file than the header's own folder has, or none.
        { "far/h", "d", false },
        { "far/h", "gone", false },
        { "far/h", "id_rsa", false },
        { "far/h", "real/d", false },
        { "far/h", "missing", false },
        { "far/h", "stdin", false },
        { "bare/h", "key", false },
        { "bare/h", "../x/id_rsa", false },
        { "real/h", "key", false },
        // A header in a place of its own is not linked: links beside it stay inside.
        { "far/own", "e", false },
        { "r/s/h", "d", true },
        { "r/s/h", "deep/d", true },
        { "home/h", "d", true },
        { "r/s/h", "plain", false },
        { "r/s/h", "out", false },
        { "r/s/h", "q", false },
        { "r/s/h", "id", false },
        { "r/s/regular", "d", false },
        { "v/h", "d", true },
        { "v/h", "plain", false },
        { "v/h", "id_rsa", false },
        { "v/h", "stranger", false },
        { "v/d", "h", true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct source source;
        struct problem problem = { 0 };
        char header[PATH_MAX];
        snprintf(header, sizeof header, "%sl/%s", scratch(""), cases[i].header);
        const bool ok = sidecar_open(header, cases[i].name, false, &source, &problem);
        if (ok != cases[i].good) {
            fail_msg("%s, '%s': %s", cases[i].header, cases[i].name, ok ? "opened" : problem.text);
        }
        assert_int_equal(problem.kind, ok ? PROBLEM_NONE : PROBLEM_INPUT);
        char byte = 0;
        assert_true(!ok || (source_peek(&source, &byte, 1) == 1 && byte != 'x'));
        source_close(&source);
    }
}

static void sidecars_stay_beneath(void **state)
{
    (void)state;
    sidecars();
    linked_headers();
}

// The same where the kernel has no openat2.
static void sidecars_without_openat2(void **state)
{
    (void)state;
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = { sizeof filter / sizeof filter[0], filter };
    scratch("x"); // the parent creates the folder
    const pid_t child = fork();
    if (child == 0) {
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
            prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
            _exit(77);
        }
        sidecars();
        linked_headers();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        print_message("no seccomp here: passed over\n");
        skip();
    }
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static bool stop_at_half(void *user, double share)
{
    *(double *)user = share;
    return share < 0.5;
}

static void cancelled(void **state)
{
    (void)state;
    double last = -1;
    const struct progress progress = { stop_at_half, &last };
    const struct volume_params params = { .progress = &progress };
    struct volume volume;
    struct problem problem;
    assert_false(volume_read(file("c.nrrd", nrrd), &params, &volume, &problem));
    assert_int_equal(problem.kind, PROBLEM_INTERRUPTED);
    assert_null(volume.samples);
    assert_true(last == 1);
}

static void a_peek_that_fails_is_told(void **state)
{
    (void)state;
    struct source source;
    struct problem problem = { 0 };
    char bytes[8];
    const char *path = scratch_write("peek", "0123456789", 10);
    assert_true(source_open(path, &source, &problem));
    // The end of the file is not an error.
    assert_int_equal(source_peek_at(&source, 6, bytes, 8), 4);
    assert_true(source_sound(&source, &problem));
    assert_int_equal(truncate(path, 3), 0);
    assert_int_equal(source_peek(&source, bytes, 8), 3);
    assert_false(source_sound(&source, &problem));
    assert_int_equal(problem.kind, PROBLEM_INPUT);
    assert_non_null(strstr(problem.text, "at byte 3: the file shrank"));
    size_t got;
    assert_false(source_read(&source, bytes, 1, &got, &problem));
    source_close(&source);
    // Errors of the disk: here a file that cannot be read at all.
    assert_true(source_open(path, &source, &problem));
    close(source.fd);
    source.fd = open(path, O_WRONLY);
    assert_int_equal(source_peek(&source, bytes, 1), 0);
    assert_false(source_sound(&source, &problem));
    assert_non_null(strstr(problem.text, "at byte 0: Bad file descriptor"));
    source_close(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_peek_that_fails_is_told),
        cmocka_unit_test(content_before_name),
        cmocka_unit_test(rows_are_whole),
        cmocka_unit_test(known_by_sight),
        cmocka_unit_test(magic_behind_a_magic),
        cmocka_unit_test(folders_known_by_sight),
        cmocka_unit_test(affines),
        cmocka_unit_test(sidecars_stay_beneath),
        cmocka_unit_test(sidecars_without_openat2),
        cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
