// Ranks by MPI.
//
// No call waits inside MPI: an operation is started, then tested between short sleeps. The waits of
// MPI itself poll, which takes a core from the ranks that work.
//
// How a rank learns of a failure during long work: the ranks form a binary tree (the children of
// rank r are 2r + 1 and 2r + 2). A rank that fails, or learns of a failure, sends an empty message
// to its neighbours in the tree, once. A rank that does not fail sends it at its end. So between
// two neighbours exactly one message goes each way, and none is left over.
#include "app/ranks/ranks.h"

#include "volumes/base/clock.h"
#include "volumes/base/interrupt.h"
#include "volumes/base/output.h"
#include "volumes/base/printable.h"
#include "volumes/base/problem.h"

#include <errno.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef RANKS_BYTES
#define RANKS_BYTES (64 << 20) // limit of one transfer: MPI counts with int, in places in bytes
#endif
#ifndef RANKS_PATIENCE_MS
#define RANKS_PATIENCE_MS 60000 // how long other ranks may take to answer after a failure
#endif
#define LOOK_MS 100 // between two looks for a failure

// The collective functions. A rank that answers whether it is fine also sends which one it called.
enum call { CALL_AGREE, CALL_SUM, CALL_LEAST, CALL_SHARE, CALL_GATHER, CALL_RESTART };

static struct ranks me = { .count = 1, .local_count = 1, .mpi = true };
static MPI_Comm comm = MPI_COMM_NULL; // of the collective functions
static MPI_Comm news = MPI_COMM_NULL; // messages that something has failed
static MPI_Request heard[3], told[3]; // messages from and to the neighbours in the tree
static bool has_heard, has_told;
static struct problem own;             // the problem of this rank; PROBLEM_NONE: it is fine
static struct problem failure;         // the problem that all ranks know; PROBLEM_NONE: none
static MPI_Win counter = MPI_WIN_NULL; // the counter of ranks_take, at rank 0
static int64_t taken;                  // the counter of ranks_take if this rank is alone

const struct ranks *ranks(void)
{
    return &me;
}

// Ends all ranks at once: the others do not answer, or MPI has failed.
static void ranks_abandon(enum problem_kind kind, const char *why)
{
    struct problem line;
    problem_set(&line, kind, "rank %d (%s): %s", me.rank, me.host, why);
    fprintf(stderr, "cubist: %s\n", line.text);
    output_unlink_pending();
    MPI_Abort(MPI_COMM_WORLD, problem_exit(kind));
    _exit(problem_exit(kind));
}

static void ranks_check(int code)
{
    if (code != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING + 1] = "";
        int length;
        MPI_Error_string(code, text, &length);
        ranks_abandon(PROBLEM_INTERNAL, text);
    }
}

// Ends all ranks because others do not answer.
static void ranks_lose_patience(void)
{
    if (own.kind != PROBLEM_NONE) {
        ranks_abandon(own.kind, own.text);
    }
    const bool known = failure.kind != PROBLEM_NONE;
    ranks_abandon(
        known ? failure.kind : PROBLEM_INTERRUPTED,
        known ? failure.text : "other ranks were to end and do not answer");
}

// The neighbours of this rank in the tree: at most 3.
static int ranks_neighbours(int others[3])
{
    const int all[3] = { (me.rank - 1) / 2, 2 * me.rank + 1, 2 * me.rank + 2 };
    int count = 0;
    for (int i = me.rank == 0; i < 3; i++) {
        if (all[i] < me.count) {
            others[count++] = all[i];
        }
    }
    return count;
}

static void ranks_tell(void)
{
    int others[3];
    const int count = has_told ? 0 : ranks_neighbours(others);
    for (int i = 0; i < count; i++) {
        ranks_check(MPI_Isend(NULL, 0, MPI_BYTE, others[i], 0, news, &told[i]));
    }
    has_told = true;
}

// Whether something is wrong, here or elsewhere, as far as this rank knows.
static bool ranks_trouble(void)
{
    if (!has_heard && !has_told) {
        int which, done;
        ranks_check(MPI_Testany(3, heard, &which, &done, MPI_STATUS_IGNORE));
        has_heard = done && which != MPI_UNDEFINED;
        // A rank that waits cannot fail before its wait ends. So it reports an interrupt at once.
        if (has_heard || interrupted) {
            ranks_tell();
        }
    }
    return has_heard || has_told || interrupted;
}

// A failure does not end the wait, because all ranks take part in the operation. But after a
// failure all must answer within RANKS_PATIENCE_MS.
static void ranks_wait_for(MPI_Request *request, bool asleep)
{
    struct timespec nap = { .tv_nsec = 20000 };
    double since = 0;
    for (;;) {
        int done;
        ranks_check(MPI_Test(request, &done, MPI_STATUS_IGNORE));
        if (done) {
            return;
        }
        if (since == 0 && ranks_trouble()) {
            since = clock_ms();
        } else if (since > 0 && clock_ms() - since > RANKS_PATIENCE_MS) {
            ranks_lose_patience();
        }
        if (!asleep) {
            sched_yield();
            continue;
        }
        nanosleep(&nap, NULL);
        nap.tv_nsec += nap.tv_nsec < 2000000 ? nap.tv_nsec / 4 : 0;
    }
}

// Waits until others do their part.
static void ranks_wait(MPI_Request *request)
{
    ranks_wait_for(request, true);
}

// Waits for bytes after ranks_agree, when no rank is missing. MPI moves some KiB of them at each
// test: with a sleep between two tests, 8 MiB took 10 seconds.
static void ranks_wait_for_bytes(MPI_Request *request)
{
    ranks_wait_for(request, false);
}

// Finds the ranks on this host, and how many of its cores each may use.
static void ranks_find_local(void)
{
    MPI_Comm local;
    ranks_check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, me.rank, MPI_INFO_NULL, &local));
    ranks_check(MPI_Comm_rank(local, &me.local_rank));
    ranks_check(MPI_Comm_size(local, &me.local_count));
    cpu_set_t mine, all;
    CPU_ZERO(&mine);
    sched_getaffinity(0, sizeof mine, &mine);
    ranks_check(MPI_Allreduce(&mine, &all, sizeof mine, MPI_BYTE, MPI_BOR, local));
    ranks_check(MPI_Comm_free(&local));
    // A launcher may have given each rank its own cores, or all of them the same ones.
    const int share = CPU_COUNT(&all) / me.local_count;
    me.cores = share < 1 ? 1 : share < CPU_COUNT(&mine) ? share : CPU_COUNT(&mine);
}

bool ranks_begin(int *argc, char ***argv, struct problem *problem)
{
    int level;
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) {
        return problem_set(problem, PROBLEM_INTERNAL, "MPI cannot be started");
    }
    char host[sizeof me.host] = "";
    gethostname(host, sizeof host - 1);
    printable_copy(host, me.host, sizeof me.host);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    ranks_check(MPI_Comm_dup(MPI_COMM_WORLD, &comm)); // copies the error handler, too
    ranks_check(MPI_Comm_dup(MPI_COMM_WORLD, &news));
    ranks_check(MPI_Comm_rank(comm, &me.rank));
    ranks_check(MPI_Comm_size(comm, &me.count));
    ranks_find_local();
    int others[3];
    const int neighbours = ranks_neighbours(others);
    for (int i = 0; i < 3; i++) {
        heard[i] = told[i] = MPI_REQUEST_NULL;
        if (i < neighbours) {
            ranks_check(MPI_Irecv(NULL, 0, MPI_BYTE, others[i], 0, news, &heard[i]));
        }
    }
    if (me.rank > 0 && !freopen("/dev/null", "w", stdout)) {
        return problem_set(problem, PROBLEM_OUTPUT, "/dev/null: %s", strerror(errno));
    }
    return true;
}

// Whether all ranks are fine, and have called the same function with the same size.
static bool ranks_meet(bool fine, enum call call, size_t size, struct problem *problem)
{
    if (me.count == 1) {
        return fine;
    }
    if (failure.kind == PROBLEM_NONE) {
        // Interrupts come after other problems. Interrupts that only report the failure of another
        // rank come last.
        const int64_t what = ((int64_t)call << 56) + (int64_t)size;
        int64_t key = INT64_MAX;
        if (!fine) {
            own = *problem;
            const int64_t after = own.kind != PROBLEM_INTERRUPTED ? 0
                                  : has_heard && !interrupted     ? 2
                                                                  : 1;
            key = (after << 32) + me.rank;
            ranks_tell();
        }
        // The maximum is the negated minimum of the negated values.
        int64_t least[] = { key, what, -what };
        MPI_Request request;
        ranks_check(MPI_Iallreduce(MPI_IN_PLACE, least, 3, MPI_INT64_T, MPI_MIN, comm, &request));
        ranks_wait(&request);
        key = least[0];
        if (key == INT64_MAX && least[1] == -least[2]) {
            return true;
        }
        struct problem first = { 0 };
        if (key == INT64_MAX) {
            problem_set(
                &first, PROBLEM_USAGE,
                "the processes do different things; start all of them with the same arguments");
        } else {
            const int from = (int)(key & INT32_MAX);
            if (from == me.rank && own.kind == PROBLEM_USAGE) {
                first = own; // all ranks have the same command line
            } else if (from == me.rank) {
                problem_set(&first, own.kind, "rank %d (%s): %s", me.rank, me.host, own.text);
            }
            ranks_check(MPI_Ibcast(&first, sizeof first, MPI_BYTE, from, comm, &request));
            ranks_wait(&request);
        }
        failure = first;
        ranks_tell();
    }
    if (problem) {
        *problem = failure;
    }
    return false;
}

bool ranks_agree(bool fine, struct problem *problem)
{
    return ranks_meet(fine, CALL_AGREE, 0, problem);
}

bool ranks_go_on(struct problem *problem)
{
    static double looked;
    if (interrupted) {
        return problem_set(problem, PROBLEM_INTERRUPTED, "interrupted");
    }
    if (me.count > 1 && clock_ms() - looked >= LOOK_MS) {
        ranks_trouble();
        looked = clock_ms();
    }
    const bool fine = !has_heard && !has_told;
    return fine ||
           problem_set(problem, PROBLEM_INTERRUPTED, "another rank has failed or was interrupted");
}

// How many of `count` values fit into one transfer.
static int ranks_values(size_t count)
{
    const size_t most = RANKS_BYTES / sizeof(int64_t);
    return (int)(count < most ? count : most);
}

bool ranks_sum(int64_t *values, size_t count, struct problem *problem)
{
    if (!ranks_meet(true, CALL_SUM, count, problem)) {
        return false;
    }
    for (size_t n; me.count > 1 && count > 0; values += n, count -= n) {
        MPI_Request request;
        n = (size_t)ranks_values(count);
        ranks_check(
            MPI_Iallreduce(MPI_IN_PLACE, values, (int)n, MPI_INT64_T, MPI_SUM, comm, &request));
        ranks_wait_for_bytes(&request);
    }
    return true;
}

bool ranks_least(int64_t *values, size_t count, struct problem *problem)
{
    if (!ranks_meet(true, CALL_LEAST, count, problem)) {
        return false;
    }
    for (size_t n; me.count > 1 && count > 0; values += n, count -= n) {
        MPI_Request request;
        n = (size_t)ranks_values(count);
        ranks_check(MPI_Ireduce(
            me.rank == 0 ? MPI_IN_PLACE : values, values, (int)n, MPI_INT64_T, MPI_MIN, 0, comm,
            &request));
        ranks_wait_for_bytes(&request);
    }
    return true;
}

bool ranks_share(int from, void *bytes, size_t size, struct problem *problem)
{
    if (!ranks_meet(true, CALL_SHARE, size, problem)) {
        return false;
    }
    for (size_t at = 0, n; me.count > 1 && at < size; at += n) {
        MPI_Request request;
        n = size - at < RANKS_BYTES ? size - at : RANKS_BYTES;
        ranks_check(MPI_Ibcast((char *)bytes + at, (int)n, MPI_BYTE, from, comm, &request));
        ranks_wait_for_bytes(&request);
    }
    return true;
}

bool ranks_gather(const void *bytes, size_t size, void *all, struct problem *problem)
{
    if (!ranks_meet(true, CALL_GATHER, size, problem)) {
        return false;
    }
    for (size_t at = 0, n; at < size; at += n) {
        n = size - at < RANKS_BYTES ? size - at : RANKS_BYTES;
        // `n` bytes of each rank, `size` bytes apart.
        MPI_Datatype block, spread;
        MPI_Request request;
        ranks_check(MPI_Type_contiguous((int)n, MPI_BYTE, &block));
        ranks_check(MPI_Type_create_resized(block, 0, (MPI_Aint)size, &spread));
        ranks_check(MPI_Type_commit(&spread));
        ranks_check(MPI_Iallgather(
            (const char *)bytes + at, (int)n, MPI_BYTE, (char *)all + at, 1, spread, comm,
            &request));
        ranks_wait_for_bytes(&request);
        ranks_check(MPI_Type_free(&spread));
        ranks_check(MPI_Type_free(&block));
    }
    return true;
}

bool ranks_restart(struct problem *problem)
{
    if (!ranks_meet(true, CALL_RESTART, 0, problem)) {
        return false;
    }
    taken = 0;
    if (me.count == 1) {
        return true;
    }
    if (counter == MPI_WIN_NULL) {
        int64_t *memory;
        ranks_check(MPI_Win_allocate(
            me.rank == 0 ? sizeof *memory : 0, sizeof *memory, MPI_INFO_NULL, comm, &memory,
            &counter));
        ranks_check(MPI_Win_set_errhandler(counter, MPI_ERRORS_RETURN));
        ranks_check(MPI_Win_lock_all(MPI_MODE_NOCHECK, counter));
    }
    if (me.rank == 0) {
        ranks_check(
            MPI_Accumulate(&taken, 1, MPI_INT64_T, 0, 0, 1, MPI_INT64_T, MPI_REPLACE, counter));
        ranks_check(MPI_Win_flush(0, counter));
    }
    return ranks_agree(true, problem);
}

bool ranks_take(int64_t *next, struct problem *problem)
{
    if (!ranks_go_on(problem)) {
        return false;
    }
    if (me.count == 1) {
        *next = taken++;
        return true;
    }
    static const int64_t one = 1;
    MPI_Request request;
    ranks_check(MPI_Rget_accumulate(
        &one, 1, MPI_INT64_T, next, 1, MPI_INT64_T, 0, 0, 1, MPI_INT64_T, MPI_SUM, counter,
        &request));
    ranks_wait(&request);
    return true;
}

void ranks_end(void)
{
    if (comm == MPI_COMM_NULL) {
        return;
    }
    // This wait sleeps; MPI_Finalize may poll.
    MPI_Request request;
    ranks_check(MPI_Ibarrier(comm, &request));
    ranks_wait(&request);
    ranks_tell();
    for (int i = 0; i < 3; i++) {
        ranks_wait(&heard[i]);
        ranks_wait(&told[i]);
    }
    if (counter != MPI_WIN_NULL) {
        ranks_check(MPI_Win_unlock_all(counter));
        ranks_check(MPI_Win_free(&counter));
    }
    ranks_check(MPI_Comm_free(&news));
    ranks_check(MPI_Comm_free(&comm));
    MPI_Finalize();
}
