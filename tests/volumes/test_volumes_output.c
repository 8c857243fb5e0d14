// Output: the old file or the complete new one, and nothing left behind.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/scratch.h"
#include "volumes/base/apart.h"
#include "volumes/base/output.h"

#include <errno.h>
#include <linux/magic.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>

static void is_file(const char *path, const char *text)
{
    size_t size;
    unsigned char *bytes = scratch_read(path, &size);
    assert_non_null(bytes);
    assert_int_equal(size, strlen(text));
    assert_memory_equal(bytes, text, size);
    free(bytes);
}

static const char *folder(const char *name)
{
    const char *path = scratch(name);
    assert_int_equal(mkdir(path, 0700), 0);
    return path;
}

static void writes(const char *path, const char *text)
{
    struct output output;
    struct problem problem = { 0 };
    if (!output_open(path, &output, &problem) ||
        !output_write(&output, text, strlen(text), &problem) || !output_commit(&output, &problem)) {
        output_abort(&output);
        fail_msg("%d: %s", problem.kind, problem.text);
    }
}

static void refused(const char *path, enum problem_kind code, const char *word)
{
    struct output output;
    struct problem problem = { 0 };
    assert_false(output_open(path, &output, &problem));
    if (problem.kind != code || !strstr(problem.text, word)) {
        fail_msg("expected %d and '%s', got %d: %s", code, word, problem.kind, problem.text);
    }
    assert_null(strchr(problem.text, '\n'));
    output_abort(&output); // takes a closed one
}

static void replaces_whole_files(void **state)
{
    (void)state;
    folder("whole");
    struct output output;
    struct problem problem;
    writes(scratch("whole/a"), "first");
    is_file(scratch("whole/a"), "first");
    chmod(scratch("whole/a"), 0640);
    assert_true(output_open(scratch("whole/a"), &output, &problem));
    assert_true(output_write(&output, "second", 6, &problem));
    // Before the commit: the old file is unchanged, the new one has a name of its own.
    is_file(scratch("whole/a"), "first");
    assert_int_equal(scratch_count(scratch("whole")), 2);
    assert_int_equal(strncmp(output.temporary, ".cubist-", 8), 0);
    assert_true(output_commit(&output, &problem));
    is_file(scratch("whole/a"), "second");
    struct stat st;
    assert_int_equal(stat(scratch("whole/a"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    // Aborted: everything is as before.
    assert_true(output_open(scratch("whole/a"), &output, &problem));
    assert_true(output_write(&output, "third", 5, &problem));
    output_abort(&output);
    output_abort(&output);
    is_file(scratch("whole/a"), "second");
    assert_true(output_open(scratch("whole/b"), &output, &problem));
    output_abort(&output);
    assert_int_equal(scratch_count(scratch("whole")), 1);
    struct output zeroed = { 0 };
    output_abort(&zeroed);
    assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0 || errno == EBADF);
}

static void small_and_large_pieces(void **state)
{
    (void)state;
    struct output output;
    struct problem problem;
    const size_t total = 3000000;
    char *bytes = malloc(total);
    for (size_t i = 0; i < total; i++) {
        bytes[i] = (char)(i * 2654435761u >> 11);
    }
    assert_true(output_open(scratch("pieces"), &output, &problem));
    size_t at = 0;
    for (size_t piece = 0; at < total; piece = piece * 2 + 1) {
        piece = piece > 700000 ? 0 : piece;
        const size_t n = piece < total - at ? piece : total - at;
        assert_true(output_write(&output, bytes + at, n, &problem));
        at += n;
        assert_int_equal(output.written, at);
    }
    assert_true(output_commit(&output, &problem));
    size_t size;
    unsigned char *again = scratch_read(scratch("pieces"), &size);
    assert_int_equal(size, total);
    assert_memory_equal(again, bytes, total);
    free(again);
    free(bytes);
}

static void targets_that_cannot_be(void **state)
{
    (void)state;
    folder("cannot");
    folder("cannot/folder");
    writes(scratch("cannot/file"), "x");
    refused("", PROBLEM_USAGE, "empty");
    refused(scratch("cannot/folder"), PROBLEM_OUTPUT, "directory");
    refused(scratch("cannot/folder/"), PROBLEM_OUTPUT, "directory");
    refused(scratch("cannot/new/"), PROBLEM_OUTPUT, "directory");
    refused(scratch("cannot/no/file"), PROBLEM_OUTPUT, "create the folder");
    refused(scratch("cannot/file/file"), PROBLEM_OUTPUT, "Not a directory");
    refused("/proc/nothing", PROBLEM_OUTPUT, "cannot write");
    assert_int_equal(symlink("loop", scratch("cannot/loop")), 0);
    refused(scratch("cannot/loop"), PROBLEM_OUTPUT, "symbolic links");
    char name[400];
    memset(name, 'n', sizeof name);
    name[399] = 0;
    refused(scratch(name), PROBLEM_OUTPUT, "too long");
    assert_int_equal(scratch_count(scratch("cannot")), 3);
    // The longest possible name.
    name[255] = 0;
    writes(scratch(name), "long");
    is_file(scratch(name), "long");
}

// Runs `what` as a user without privileges.
static int as_nobody(int (*what)(void))
{
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) {
            _exit(77);
        }
        _exit(what());
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int try_read_only(void)
{
    struct output output;
    struct problem problem = { 0 };
    if (output_open(scratch("locked/file"), &output, &problem) || problem.kind != PROBLEM_OUTPUT ||
        !strstr(problem.text, "read-only")) {
        return 1;
    }
    if (output_open(scratch("shut/new"), &output, &problem) || problem.kind != PROBLEM_OUTPUT ||
        !strstr(problem.text, "denied")) {
        return 2;
    }
    return 0;
}

// An attribute of a file as text; "" for none.
static const char *attribute(const char *path, const char *name)
{
    static char value[64];
    const ssize_t got = getxattr(path, name, value, sizeof value - 1);
    value[got > 0 ? got : 0] = 0;
    return value;
}

static void attributes_are_kept(void **state)
{
    (void)state;
    folder("attributes");
    const char *path = scratch("attributes/a");
    scratch_write("attributes/a", "old", 3);
    if (setxattr(path, "user.origin", "scanner 3", 9, 0) != 0) {
        print_message("not tried: this file system has no extended attributes\n");
        return;
    }
    assert_int_equal(setxattr(path, "user.empty", "", 0, 0), 0);
    // An access control list in the kernel's format: the owner and group 77 may read and write.
    static const unsigned char list[] = {
        2,  0, 0, 0,                     // version
        1,  0, 6, 0, 255, 255, 255, 255, // owner
        4,  0, 0, 0, 255, 255, 255, 255, // group
        8,  0, 6, 0, 77,  0,   0,   0,   // group 77
        16, 0, 6, 0, 255, 255, 255, 255, // mask
        32, 0, 0, 0, 255, 255, 255, 255, // others
    };
    const char *acl = "system.posix_acl_access";
    const bool has_lists = setxattr(path, acl, list, sizeof list, 0) == 0;
    writes(path, "new");
    is_file(path, "new");
    assert_string_equal(attribute(path, "user.origin"), "scanner 3");
    assert_int_equal(getxattr(path, "user.empty", NULL, 0), 0);
    assert_int_equal(listxattr(path, NULL, 0), 12 + 11 + (has_lists ? (int)strlen(acl) + 1 : 0));
    unsigned char got[sizeof list + 1];
    if (!has_lists) {
        print_message("not tried: this file system has no access control lists\n");
        return;
    }
    assert_int_equal(getxattr(path, acl, got, sizeof got), sizeof list);
    assert_memory_equal(got, list, sizeof list);
    // A file without a list gets none, even where its folder gives one to new files.
    assert_int_equal(
        setxattr(scratch("attributes"), "system.posix_acl_default", list, sizeof list, 0), 0);
    assert_int_equal(removexattr(path, acl), 0);
    assert_int_equal(chmod(path, 0640), 0);
    writes(path, "newer");
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    assert_int_equal(getxattr(path, acl, got, sizeof got), -1);
    // A new file gets the folder's.
    writes(scratch("attributes/b"), "b");
    assert_int_equal(getxattr(scratch("attributes/b"), acl, got, sizeof got), sizeof list);
}

static void nameless_files_leave_nothing(void **state)
{
    (void)state;
    const char *path = folder("nameless");
    const int fd = output_nameless(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "12", 2), 2);
    char got[3] = "";
    assert_int_equal(pread(fd, got, 2, 0), 2);
    assert_string_equal(got, "12");
    struct stat st;
    assert_int_equal(fstat(fd, &st), 0);
    assert_int_equal(st.st_nlink, 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(scratch_count(path), 0);
    close(fd);
    assert_int_equal(output_nameless(scratch("nameless/none")), -1);
}

static void read_only_is_respected(void **state)
{
    (void)state;
    folder("locked");
    folder("shut");
    writes(scratch("locked/file"), "keep");
    chmod(scratch_folder, 0755);
    chmod(scratch("locked"), 0777);
    chmod(scratch("locked/file"), 0444);
    chmod(scratch("shut"), 0555);
    const int result = as_nobody(try_read_only);
    if (result == 77) {
        print_message("no other user to be: skipped\n");
        skip();
    }
    assert_int_equal(result, 0);
    is_file(scratch("locked/file"), "keep");
    assert_int_equal(scratch_count(scratch("locked")), 1);
}

static void links_are_followed(void **state)
{
    (void)state;
    folder("links");
    folder("links/far");
    writes(scratch("links/far/real"), "old");
    assert_int_equal(symlink("far/real", scratch("links/one")), 0);
    assert_int_equal(symlink("one", scratch("links/two")), 0);
    assert_int_equal(symlink("far/later", scratch("links/dangling")), 0);
    writes(scratch("links/two"), "new");
    is_file(scratch("links/far/real"), "new");
    struct stat st;
    assert_int_equal(lstat(scratch("links/two"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(lstat(scratch("links/one"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    writes(scratch("links/dangling"), "made");
    is_file(scratch("links/far/later"), "made");
    assert_int_equal(scratch_count(scratch("links/far")), 2);
    assert_int_equal(scratch_count(scratch("links")), 4);
    assert_int_equal(symlink("/dev/full", scratch("links/full")), 0);
    struct output output;
    struct problem problem = { 0 };
    assert_true(output_open(scratch("links/full"), &output, &problem));
    assert_true(output_write(&output, "x", 1, &problem));
    assert_false(output_commit(&output, &problem));
    assert_int_equal(problem.kind, PROBLEM_OUTPUT);
    assert_int_equal(lstat(scratch("links/full"), &st), 0);
}

static void devices_and_pipes_are_written_straight(void **state)
{
    (void)state;
    struct output output;
    struct problem problem = { 0 };
    writes("/dev/null", "away");
    struct stat st;
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    // A full disk: found on commit at the latest, and at once if much is written.
    assert_true(output_open("/dev/full", &output, &problem));
    assert_true(output_write(&output, "x", 1, &problem));
    assert_false(output_commit(&output, &problem));
    assert_int_equal(problem.kind, PROBLEM_OUTPUT);
    assert_non_null(strstr(problem.text, "No space"));
    char *much = calloc(1, 1 << 20);
    assert_true(output_open("/dev/full", &output, &problem));
    assert_false(output_write(&output, much, 1 << 20, &problem));
    output_abort(&output);
    free(much);
    // A named pipe stays a named pipe.
    const char *fifo = scratch("fifo");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    const int reader = open(fifo, O_RDONLY | O_NONBLOCK);
    writes(fifo, "through");
    char got[8] = { 0 };
    assert_int_equal(read(reader, got, 8), 7);
    assert_string_equal(got, "through");
    close(reader);
    assert_int_equal(lstat(fifo, &st), 0);
    assert_true(S_ISFIFO(st.st_mode));
    // A pipe whose reader is gone.
    signal(SIGPIPE, SIG_IGN);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    char path[64];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    close(ends[0]);
    assert_true(output_open(path, &output, &problem));
    assert_true(output_write(&output, "x", 1, &problem));
    assert_false(output_commit(&output, &problem));
    assert_non_null(strstr(problem.text, "Broken pipe"));
    close(ends[1]);
    refused(path, PROBLEM_OUTPUT, "cannot write");
}

static void standard_output_is_continued(void **state)
{
    (void)state;
    // The target of a shell's redirection, under any name, is written at its current position and
    // not replaced.
    static const char *const names[] = { "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1" };
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    for (int i = 0; i < 4; i++) {
        const int fd = open(scratch("redirect"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        struct stat before, after;
        dup2(fd, STDOUT_FILENO);
        close(fd);
        struct output output = { 0 };
        struct problem problem;
        const bool ok = write(STDOUT_FILENO, "head ", 5) == 5 &&
                        output_open(names[i], &output, &problem) &&
                        output_write(&output, "body", 4, &problem) &&
                        output_commit(&output, &problem) && write(STDOUT_FILENO, " tail", 5) == 5;
        fstat(STDOUT_FILENO, &before);
        dup2(kept, STDOUT_FILENO);
        assert_true(ok);
        assert_int_equal(stat(scratch("redirect"), &after), 0);
        assert_int_equal(before.st_ino, after.st_ino);
        is_file(scratch("redirect"), "head body tail");
    }
    close(kept);
}

static int try_large(void)
{
    signal(SIGXFSZ, SIG_IGN);
    const struct rlimit limit = { 100000, 100000 };
    setrlimit(RLIMIT_FSIZE, &limit);
    struct output output;
    struct problem problem = { 0 };
    char *much = calloc(1, 1 << 20);
    const bool ok = output_open(scratch("limit/file"), &output, &problem) &&
                    output_write(&output, much, 1 << 20, &problem) &&
                    output_commit(&output, &problem);
    free(much);
    output_abort(&output);
    return !ok && problem.kind == PROBLEM_OUTPUT && strstr(problem.text, "too large") ? 0 : 1;
}

static void a_limit_leaves_the_old_file(void **state)
{
    (void)state;
    folder("limit");
    chmod(scratch("limit"), 0777);
    chmod(scratch_folder, 0755);
    writes(scratch("limit/file"), "old");
    chmod(scratch("limit/file"), 0666);
    assert_int_equal(as_nobody(try_large), 0);
    is_file(scratch("limit/file"), "old");
    assert_int_equal(scratch_count(scratch("limit")), 1);
}

// ".cubist-HOST-HASH-": the beginning of this host's temporary names.
static const char *host_prefix(void)
{
    static char prefix[OUTPUT_TEMPORARY];
    struct output output;
    struct problem problem;
    assert_true(output_open(scratch("prefix"), &output, &problem));
    snprintf(prefix, sizeof prefix, "%s", output.temporary);
    output_abort(&output);
    char host[256] = "", end[32];
    gethostname(host, sizeof host - 1);
    assert_int_equal(strncmp(prefix, ".cubist-", 8), 0);
    assert_int_equal(strncmp(prefix + 8, host, strspn(host, "abcdefghijklmnopqrstuvwxyz")), 0);
    snprintf(end, sizeof end, "-%d-", (int)getpid());
    char *tail = strstr(prefix, end);
    assert_non_null(tail);
    tail[1] = 0;
    return prefix;
}

static const char *stale_name(long pid, const char *number)
{
    static char name[OUTPUT_TEMPORARY + 32];
    snprintf(name, sizeof name, "%s%ld-%s.part", host_prefix(), pid, number);
    return name;
}

static const char *of_stale(long pid, const char *number)
{
    static char path[OUTPUT_TEMPORARY + 64];
    snprintf(path, sizeof path, "stale/%s", stale_name(pid, number));
    return path;
}

static void stale_files_are_swept(void **state)
{
    (void)state;
    folder("stale");
    // A process that is killed while it writes leaves its temporary file.
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        struct output output;
        struct problem problem;
        if (output_open(scratch("stale/file"), &output, &problem) &&
            output_write(&output, "part", 4, &problem)) {
            if (write(ready[1], "x", 1) == 1) {
                pause();
            }
        }
        _exit(1);
    }
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    // While the process runs, its file is kept.
    writes(scratch("stale/other"), "other");
    assert_int_equal(scratch_count(scratch("stale")), 2);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(scratch_count(scratch("stale")), 2);
    assert_int_equal(access(scratch("stale/file"), F_OK), -1);
    // Files are kept that are locked, belong to other hosts, or only look like ours.
    char locked[OUTPUT_TEMPORARY + 64];
    snprintf(locked, sizeof locked, "%s", of_stale((long)child, "77"));
    scratch_write(of_stale((long)child, "x"), "", 0);
    scratch_write(of_stale(0, "1"), "", 0);
    scratch_write(of_stale((long)getppid(), "1"), "", 0);
    char padded[128], elsewhere[128], nowhere[128];
    snprintf(padded, sizeof padded, "stale/%s0%d-1.part", host_prefix(), (int)child);
    snprintf(elsewhere, sizeof elsewhere, "stale/.cubist-x%s%d-1.part", host_prefix() + 8, child);
    snprintf(nowhere, sizeof nowhere, "stale/.cubist-%d-1.part", (int)child);
    scratch_write(padded, "", 0);
    scratch_write(elsewhere, "", 0);
    scratch_write(nowhere, "", 0);
    scratch_write("stale/x.cubist-1-1.part", "", 0);
    scratch_write(locked, "", 0);
    const int lock = open(scratch(locked), O_RDONLY);
    assert_int_equal(flock(lock, LOCK_EX | LOCK_NB), 0);
    writes(scratch("stale/other"), "other");
    assert_int_equal(scratch_count(scratch("stale")), 9);
    close(lock);
    writes(scratch("stale/other"), "other");
    assert_int_equal(scratch_count(scratch("stale")), 8);
    assert_int_equal(access(scratch(locked), F_OK), -1);
    // An earlier process may have had our own id.
    const char *own = of_stale((long)getpid(), "999999");
    scratch_write(own, "", 0);
    writes(scratch("stale/other"), "other");
    assert_int_equal(access(scratch(own), F_OK), -1);
    // But files that this process has open stay.
    struct output output;
    struct problem problem;
    assert_true(output_open(scratch("stale/file"), &output, &problem));
    assert_true(output_write(&output, "done", 4, &problem));
    writes(scratch("stale/other"), "other");
    assert_true(output_commit(&output, &problem));
    is_file(scratch("stale/file"), "done");
    close(ready[0]);
    close(ready[1]);
}

static void on_signal(int number)
{
    output_unlink_pending();
    signal(number, SIG_DFL);
    raise(number);
}

static void an_interrupt_leaves_nothing(void **state)
{
    (void)state;
    folder("interrupt");
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        struct output outputs[3];
        struct problem problem;
        signal(SIGINT, on_signal);
        bool ok = output_open(scratch("interrupt/a"), &outputs[0], &problem) &&
                  output_open(scratch("interrupt/b"), &outputs[1], &problem) &&
                  output_open(scratch("interrupt/c"), &outputs[2], &problem) &&
                  output_write(&outputs[1], "part", 4, &problem) &&
                  output_commit(&outputs[2], &problem);
        if (ok && write(ready[1], "x", 1) == 1) {
            pause();
        }
        _exit(1);
    }
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(scratch_count(scratch("interrupt")), 3);
    kill(child, SIGINT);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    // Committed files stay, the others are removed.
    assert_int_equal(scratch_count(scratch("interrupt")), 1);
    is_file(scratch("interrupt/c"), "");
    close(ready[0]);
    close(ready[1]);
}

static void *write_often(void *path)
{
    for (int i = 0; i < 400; i++) {
        struct output output;
        struct problem problem;
        if (!output_open(path, &output, &problem) || !output_commit(&output, &problem)) {
            return path;
        }
    }
    return NULL;
}

// What one thread opens is not swept by another one, which has the same process id.
static void threads_share_a_folder(void **state)
{
    (void)state;
    folder("threads");
    pthread_t threads[4];
    const void *failed = NULL;
    for (int i = 0; i < 4; i++) {
        char name[20];
        snprintf(name, sizeof name, "threads/%d", i);
        assert_int_equal(pthread_create(&threads[i], NULL, write_often, (void *)scratch(name)), 0);
    }
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        failed = result ? result : failed;
    }
    assert_null(failed);
    assert_int_equal(scratch_count(scratch("threads")), 4);
}

// The test makes a file system look like NFS.
static bool as_nfs;

int fstatfs(int fd, struct statfs *out)
{
    const int result = (int)syscall(SYS_fstatfs, fd, out);
    if (as_nfs) {
        out->f_type = NFS_SUPER_MAGIC;
    }
    return result;
}

// There, each process has to write through: otherwise its pages cover what others write.
static void several_write_through(void **state)
{
    (void)state;
    folder("nfs");
    for (int i = 0; i < 2; i++) {
        struct output owner, other;
        struct problem problem;
        char temporary[OUTPUT_SHARED];
        as_nfs = i == 1;
        assert_true(output_open(scratch("nfs/file"), &owner, &problem));
        assert_true(output_temporary_path(&owner, temporary, &problem));
        assert_true(output_join("file", temporary, &other, &problem));
        assert_int_equal((fcntl(owner.fd, F_GETFL) & O_DSYNC) != 0, as_nfs);
        assert_int_equal((fcntl(other.fd, F_GETFL) & O_DSYNC) != 0, as_nfs);
        // It is still locked.
        const int fd = open(temporary, O_RDONLY);
        assert_true(fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0);
        close(fd);
        assert_true(output_write(&owner, "a", 1, &problem));
        assert_true(output_sync(&owner, &problem));
        is_file(temporary, "a");
        assert_true(output_seek(&other, 1, &problem) && output_write(&other, "b", 1, &problem));
        assert_true(output_commit(&other, &problem) && output_commit(&owner, &problem));
        is_file(scratch("nfs/file"), "ab");
        assert_int_equal(scratch_count(scratch("nfs")), 1);
    }
    as_nfs = false;
}

// Two outputs write one file, each its own bytes.
static void several_write_one(void **state)
{
    (void)state;
    folder("joined");
    enum { SIZE = 700000 };
    struct output owner, other;
    struct problem problem;
    char temporary[OUTPUT_SHARED];
    char *bytes = malloc(2 * SIZE);
    for (size_t i = 0; i < 2 * SIZE; i++) {
        bytes[i] = (char)(i * 2654435761u >> 11);
    }
    assert_true(output_open(scratch("joined/file"), &owner, &problem));
    assert_true(output_temporary_path(&owner, temporary, &problem));
    assert_true(output_join("file", temporary, &other, &problem));
    // Backwards, forwards, and to where it is.
    assert_true(output_seek(&other, SIZE + 10, &problem));
    assert_true(output_write(&other, bytes + SIZE + 10, SIZE - 10, &problem));
    assert_true(output_write(&owner, bytes, 10, &problem));
    assert_true(output_seek(&owner, 10, &problem));
    assert_true(output_write(&owner, bytes + 10, SIZE - 10, &problem));
    assert_true(output_seek(&other, SIZE, &problem));
    assert_true(output_write(&other, bytes + SIZE, 10, &problem));
    assert_true(output_commit(&other, &problem));
    assert_int_equal(access(scratch("joined/file"), F_OK), -1);
    assert_true(output_commit(&owner, &problem));
    size_t size;
    char *again = (char *)scratch_read(scratch("joined/file"), &size);
    assert_int_equal(size, 2 * SIZE);
    assert_memory_equal(again, bytes, size);
    free(again);
    free(bytes);
    // Dropped by one that joined: the owner's file stays. Dropped by the owner: it is gone.
    assert_true(output_open(scratch("joined/file"), &owner, &problem));
    assert_true(output_temporary_path(&owner, temporary, &problem));
    assert_true(output_join("file", temporary, &other, &problem));
    output_abort(&other);
    assert_int_equal(scratch_count(scratch("joined")), 2);
    output_abort(&owner);
    assert_int_equal(scratch_count(scratch("joined")), 1);
    // No file to join, and no file to share.
    assert_false(output_join("file", temporary, &other, &problem));
    assert_int_equal(problem.kind, PROBLEM_OUTPUT);
    assert_non_null(strstr(problem.text, "'file'"));
    assert_false(output_join("file", scratch("nowhere/x"), &other, &problem));
    assert_int_equal(problem.kind, PROBLEM_OUTPUT);
    assert_true(output_open("/dev/null", &owner, &problem));
    assert_false(output_temporary_path(&owner, temporary, &problem));
    assert_int_equal(problem.kind, PROBLEM_OUTPUT);
    output_abort(&owner);
}

// The owner is gone without a word: what joined its file removes it.
static void an_interrupt_of_one_that_joined(void **state)
{
    (void)state;
    folder("orphan");
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    const char *path = scratch_write("orphan/.cubist-elsewhere-0-1-1.part", "", 0);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        struct output output;
        struct problem problem;
        signal(SIGINT, on_signal);
        if (output_join("file", path, &output, &problem) && write(ready[1], "x", 1) == 1) {
            pause();
        }
        _exit(1);
    }
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    kill(child, SIGINT);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    assert_int_equal(scratch_count(scratch("orphan")), 0);
    close(ready[0]);
    close(ready[1]);
}

static void kills_never_tear(void **state)
{
    (void)state;
    folder("kill");
    const size_t size = 1 << 20;
    char *bytes = malloc(size);
    memset(bytes, 'a', size);
    writes(scratch("kill/file"), "");
    unsigned random = 1;
    for (int round = 0; round < 100; round++) {
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            for (;;) {
                struct output output;
                struct problem problem;
                if (!output_open(scratch("kill/file"), &output, &problem) ||
                    !output_write(&output, bytes, size, &problem) ||
                    !output_commit(&output, &problem)) {
                    _exit(1);
                }
            }
        }
        random = random * 1664525 + 1013904223;
        usleep(random >> 8 & 4095);
        kill(child, SIGKILL);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        struct stat st;
        assert_int_equal(stat(scratch("kill/file"), &st), 0);
        assert_true(st.st_size == 0 || st.st_size == (off_t)size);
        assert_true(scratch_count(scratch("kill")) <= 3);
    }
    writes(scratch("kill/file"), "last");
    assert_int_equal(scratch_count(scratch("kill")), 1);
    free(bytes);
}

static void writes_new(const char *path, const char *text, const char *expected)
{
    static char placed[OUTPUT_PLACED];
    struct output output;
    struct problem problem = { 0 };
    if (!output_open_new(path, placed, &output, &problem) ||
        !output_write(&output, text, strlen(text), &problem) || !output_commit(&output, &problem)) {
        output_abort(&output);
        fail_msg("%d: %s", problem.kind, problem.text);
    }
    assert_string_equal(placed, scratch(expected));
    is_file(placed, text);
}

static void new_files_replace_nothing(void **state)
{
    (void)state;
    folder("new");
    char path[300];
    snprintf(path, sizeof path, "%s", scratch("new/a.b.png"));
    writes_new(path, "first", "new/a.b.png");
    writes_new(path, "second", "new/a.b-2.png");
    // The name is kept by whatever has it: a dangling link, or a folder.
    assert_int_equal(symlink("nowhere", scratch("new/a.b-3.png")), 0);
    folder("new/a.b-4.png");
    writes_new(path, "third", "new/a.b-5.png");
    is_file(scratch("new/a.b.png"), "first");
    assert_int_not_equal(access(scratch("new/nowhere"), F_OK), 0);
    snprintf(path, sizeof path, "%s", scratch("new/.hidden"));
    writes_new(path, "first", "new/.hidden");
    writes_new(path, "second", "new/.hidden-2");
    assert_int_equal(scratch_count(scratch("new")), 7);
}

// Several processes at once: each file is there in the end.
static void new_files_of_several_processes(void **state)
{
    (void)state;
    enum { PROCESSES = 4, FILES = 25 };
    folder("several");
    const char *path = scratch("several/file.ply");
    pid_t children[PROCESSES];
    fflush(NULL);
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        for (int k = 0; children[i] == 0 && k < FILES; k++) {
            static char placed[OUTPUT_PLACED];
            struct output output;
            struct problem problem;
            if (!output_open_new(path, placed, &output, &problem) ||
                !output_write(&output, "whole", 5, &problem) || !output_commit(&output, &problem)) {
                _exit(1);
            }
        }
        if (children[i] == 0) {
            _exit(0);
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(scratch_count(scratch("several")), PROCESSES * FILES);
}

// One rule numbers the names of all new files: screenshots, meshes, pictures without a display.
static void names_are_numbered(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int number;
        const char *expected;
    } cases[] = {
        { "bonsai.ply", 1, "bonsai.ply" },     { "bonsai.ply", 2, "bonsai-2.ply" },
        { "bonsai.ply", 13, "bonsai-13.ply" }, { "/a.b/bonsai", 2, "/a.b/bonsai-2" },
        { "a.b.png", 3, "a.b-3.png" },         { ".hidden", 2, ".hidden-2" },
        { "folder/.x", 2, "folder/.x-2" },     { "x-2.png", 2, "x-2-2.png" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char out[100];
        output_number(cases[i].name, cases[i].number, out, sizeof out);
        assert_string_equal(out, cases[i].expected);
    }
    // It is the rule of output_open_new.
    char path[OUTPUT_PLACED], placed[OUTPUT_PLACED], expected[OUTPUT_PLACED];
    snprintf(path, sizeof path, "%s", scratch("some.thing.off"));
    for (int number = 1; number <= 3; number++) {
        struct output output;
        struct problem problem;
        assert_true(output_open_new(path, placed, &output, &problem));
        assert_true(output_commit(&output, &problem));
        output_number(path, number, expected, sizeof expected);
        assert_string_equal(placed, expected);
    }
}

static void is_read(const char *path)
{
    struct problem problem = { 0 };
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0 && apart_input(fd, path, &problem));
    close(fd);
}

// Also where no command has said before what it writes: by another name, and as standard output.
static void what_was_read_is_not_replaced(void **state)
{
    (void)state;
    folder("apart");
    const char *path = scratch("apart/in"), *hard = scratch("apart/hard");
    writes(path, "input");
    is_read(path);
    is_read(path); // it may be read again
    assert_int_equal(link(path, hard), 0);
    assert_int_equal(symlink("in", scratch("apart/soft")), 0);
    refused(path, PROBLEM_USAGE, "in' is part of the input: ");
    refused(hard, PROBLEM_USAGE, "hard' is part of the input, as '");
    refused(scratch("apart/soft"), PROBLEM_USAGE, "soft' is part of the input, as '");
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    char straight[40];
    snprintf(straight, sizeof straight, "/dev/fd/%d", fd);
    refused(straight, PROBLEM_USAGE, "is part of the input");
    close(fd);
    is_file(path, "input");
    assert_int_equal(scratch_count(scratch("apart")), 3);
    writes(scratch("apart/other"), "another file");
    // A new file may have the inode of an input that is gone, and may be replaced.
    for (int i = 0; i < 20; i++) {
        assert_int_equal(unlink(hard) | unlink(path), 0);
        usleep(10000); // more than a step of the clock of births
        writes(path, "new");
        writes(path, "newer");
        assert_int_equal(link(path, hard), 0);
        is_read(hard);
    }
}

// The same names, said before anything is read.
static void what_will_be_written_is_not_read(void **state)
{
    (void)state;
    struct problem problem = { 0 };
    folder("said");
    const char *path = scratch("said/a"), *other = scratch("said/b");
    writes(path, "a");
    writes(other, "b");
    assert_true(apart_output(path, &problem) && apart_output(path, &problem));
    assert_true(
        apart_output(scratch("said/none"), &problem) && apart_output("/dev/null", &problem));
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_false(apart_input(fd, path, &problem));
    assert_int_equal(problem.kind, PROBLEM_USAGE);
    close(fd);
    writes(path, "b"); // it may be written
    is_read(other);
    assert_false(apart_output(other, &problem));
}

// A file that the program keeps for itself replaces what was read. Only its user may read it.
static void secret_files(void **state)
{
    (void)state;
    const char *path = scratch("secret");
    const mode_t mask = umask(0);
    for (int secret = 0; secret <= 1; secret++) {
        for (int old = 0; old <= 1; old++) {
            struct output output;
            struct problem problem = { 0 };
            struct stat st;
            unlink(path);
            if (old) {
                writes(path, "old");
                assert_int_equal(chmod(path, 0644), 0);
                is_read(path);
            }
            assert_true(output_open_again(path, secret, &output, &problem));
            assert_int_equal(fstat(output.fd, &st), 0);
            assert_int_equal(st.st_mode & 0777, secret ? 0600 : old ? 0644 : 0666);
            assert_true(output_commit(&output, &problem));
            assert_int_equal(stat(path, &st), 0);
            assert_int_equal(st.st_mode & 0777, secret ? 0600 : old ? 0644 : 0666);
        }
    }
    umask(mask);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaces_whole_files),
        cmocka_unit_test(small_and_large_pieces),
        cmocka_unit_test(targets_that_cannot_be),
        cmocka_unit_test(attributes_are_kept),
        cmocka_unit_test(nameless_files_leave_nothing),
        cmocka_unit_test(read_only_is_respected),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(devices_and_pipes_are_written_straight),
        cmocka_unit_test(standard_output_is_continued),
        cmocka_unit_test(a_limit_leaves_the_old_file),
        cmocka_unit_test(stale_files_are_swept),
        cmocka_unit_test(an_interrupt_leaves_nothing),
        cmocka_unit_test(threads_share_a_folder),
        cmocka_unit_test(several_write_one),
        cmocka_unit_test(several_write_through),
        cmocka_unit_test(an_interrupt_of_one_that_joined),
        cmocka_unit_test(kills_never_tear),
        cmocka_unit_test(new_files_replace_nothing),
        cmocka_unit_test(new_files_of_several_processes),
        cmocka_unit_test(names_are_numbered),
        cmocka_unit_test(what_was_read_is_not_replaced),
        cmocka_unit_test(what_will_be_written_is_not_read),
        cmocka_unit_test(secret_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
