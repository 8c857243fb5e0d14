// A thread starts the program and then waits for its end. So the kernel can kill the program when
// the thread ends, which it does with the caller. The thread does not reap the program: its number
// cannot be given to another process before process_end has killed it.
#include "volumes/formats/process.h"

#include "volumes/base/clock.h"
#include "volumes/base/input.h"
#include "volumes/base/size.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define HELD    ((size_t)1 << 16) // bytes that are read at a time before a line ends
#define TICK_MS 100
#define END_MS  1000 // how long a process may take from its last byte to its end

struct process {
    const char *path;
    char who[PROCESS_WHO];
    const char *const *argv; // during the start only
    int own[3], child[3];    // input, output and messages of the program: our ends and its ends
    pthread_t thread;
    sem_t started;
    pid_t pid; // 0: there is none
    int error; // errno of the start
    uint64_t memory, silence_ms;
    char *line; // bytes that have come and are not taken: from `at` up to `size`
    size_t at, size, capacity;
    char said[200];         // the last line of its messages that is not empty
    size_t heard;           // bytes of it; 0: the next byte begins a line
    struct problem problem; // kind PROBLEM_NONE: it runs
};

// ---- start and end ----

// The number in the environment; otherwise `fallback`.
static uint64_t process_limit(const char *variable, uint64_t unit, uint64_t fallback)
{
    const char *text = getenv(variable);
    const unsigned long number = text ? strtoul(text, NULL, 10) : 0;
    return number > 0 ? number * unit : fallback;
}

// In the new process, which shares its memory with the thread until it becomes the program.
static void process_become(struct process *process)
{
    static const struct rlimit none;
    const struct rlimit memory = { process->memory, process->memory };
    sigset_t empty;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < 3; i++) {
        dup2(process->child[i], i);
    }
    close_range(3, ~0U, 0);
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&empty);
    sigprocmask(SIG_SETMASK, &empty, NULL);
    execv(process->argv[0], (char *const *)process->argv);
    process->error = errno;
    _exit(127);
}

static void *process_run(void *state)
{
    struct process *process = state;
    siginfo_t info;
    const pid_t pid = vfork();
    if (pid == 0) {
        process_become(process);
    }
    process->error = pid < 0 ? errno : process->error;
    process->pid = pid > 0 ? pid : 0;
    sem_post(&process->started);
    while (pid > 0 && waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    return NULL;
}

// Opens both ends of the three channels to the program. Their descriptors are above 2, because the
// program's ends become 0, 1 and 2.
static bool process_open_ends(struct process *process)
{
    int ends[3][2] = { { -1, -1 }, { -1, -1 }, { -1, -1 } };
    // A socket, because a write to it can do without SIGPIPE.
    bool fine = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends[0]) == 0 &&
                pipe2(ends[1], O_CLOEXEC) == 0 && pipe2(ends[2], O_CLOEXEC) == 0;
    for (int i = 0; i < 3; i++) {
        process->own[i] = fcntl(ends[i][0], F_DUPFD_CLOEXEC, 3);
        process->child[i] = fcntl(ends[i][1], F_DUPFD_CLOEXEC, 3);
        fine &= process->own[i] >= 0 && process->child[i] >= 0;
        for (int k = 0; k < 2 && ends[i][k] >= 0; k++) {
            close(ends[i][k]);
        }
    }
    fcntl(process->own[1], F_SETPIPE_SZ, 1 << 20); // if the system allows it
    return fine && fcntl(process->own[1], F_SETFL, O_NONBLOCK) == 0 &&
           fcntl(process->own[2], F_SETFL, O_NONBLOCK) == 0;
}

static void process_close_ends(int ends[3])
{
    for (int i = 0; i < 3; i++) {
        if (ends[i] >= 0) {
            close(ends[i]);
        }
        ends[i] = -1;
    }
}

struct process *
process_start(const char *const argv[], const char *path, const char *who, struct problem *problem)
{
    struct process *process = calloc(1, sizeof *process);
    if (!process) {
        problem_no_memory(problem, "reading", path);
        return NULL;
    }
    const uint64_t half = size_memory_free() / 2, least = (uint64_t)1 << 30;
    *process = (struct process){
        .path = path,
        .argv = argv,
        .own = { -1, -1, -1 },
        .child = { -1, -1, -1 },
        .memory =
            process_limit("CUBIST_READER_MIB", (uint64_t)1 << 20, half > least ? half : least),
        .silence_ms = process_limit("CUBIST_READER_SECONDS", 1000, 30000),
    };
    process_rename(process, who);
    sem_init(&process->started, 0, 0);
    sigset_t all, old; // the program's signals are for its other threads
    sigfillset(&all);
    if (process_open_ends(process)) {
        pthread_sigmask(SIG_SETMASK, &all, &old);
        process->error = pthread_create(&process->thread, NULL, process_run, process);
        pthread_sigmask(SIG_SETMASK, &old, NULL);
        if (process->error == 0) {
            while (sem_wait(&process->started) != 0) {
            }
            if (!process->pid) {
                pthread_join(process->thread, NULL);
            }
        }
    } else {
        process->error = errno;
    }
    process_close_ends(process->child);
    if (process->pid && process->error == 0) {
        return process;
    }
    problem_set(
        problem, PROBLEM_INPUT, "%s: %s cannot be started: %s", who, argv[0],
        strerror(process->error));
    process_end(process);
    return NULL;
}

void process_rename(struct process *process, const char *who)
{
    snprintf(process->who, sizeof process->who, "%s", who);
}

static void process_kill(struct process *process)
{
    if (process->pid) {
        kill(-process->pid, SIGKILL);
        kill(process->pid, SIGKILL); // it may not have made its group yet
        pthread_join(process->thread, NULL);
        while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR) {
        }
        process->pid = 0;
    }
    process_close_ends(process->own);
}

void process_end(struct process *process)
{
    if (process) {
        process_kill(process);
        sem_destroy(&process->started);
        free(process->line);
        free(process);
    }
}

// ---- what went wrong ----

bool process_blame(struct process *process, struct problem *problem, const char *format, ...)
{
    char text[600];
    va_list list;
    va_start(list, format);
    problem_line(text, sizeof text, format, list);
    va_end(list);
    process_kill(process);
    problem_set(&process->problem, PROBLEM_INPUT, "%s %s", process->who, text);
    return problem_set(problem, PROBLEM_INPUT, "%s", process->problem.text);
}

// Takes what the process has written to standard error, and keeps the last line that is not empty.
// It may write without end, so at most as much as a pipe holds is taken at a time.
static void process_listen(struct process *process)
{
    char bytes[4096];
    ssize_t n = 1;
    for (int taken = 0; taken < 16 && n > 0; taken++) {
        n = read(process->own[2], bytes, sizeof bytes);
        for (ssize_t i = 0; i < n; i++) {
            if (bytes[i] == '\n') {
                process->heard = 0;
            } else if (bytes[i] && process->heard + 1 < sizeof process->said) {
                process->said[process->heard++] = bytes[i];
                process->said[process->heard] = 0;
            }
        }
    }
}

static bool process_ended(const struct process *process, siginfo_t *info)
{
    *info = (siginfo_t){ 0 };
    return waitid(P_PID, (id_t)process->pid, info, WEXITED | WNOWAIT | WNOHANG) == 0 &&
           info->si_pid != 0;
}

// No more can come from the process: says how it ended.
static bool process_gone(struct process *process, struct problem *problem)
{
    siginfo_t info;
    const double start = clock_ms();
    while (!process_ended(process, &info) && clock_ms() - start < END_MS) {
        poll(NULL, 0, 5);
    }
    process_listen(process);
    const char *said = process->said, *colon = *said ? ": " : "";
    if (info.si_pid == 0) {
        return process_blame(process, problem, "closed its output%s%s", colon, said);
    }
    const bool exited = info.si_code == CLD_EXITED;
    const bool killed = info.si_status == SIGKILL || info.si_status == SIGTERM;
    return process_blame(
        process, problem, "%s %d%s%s%s",
        exited   ? "ended early, with exit code"
        : killed ? "was killed (signal"
                 : "crashed (signal",
        info.si_status, exited ? "" : ")", colon, said);
}

// ---- asking and reading ----

// The CPU time of the process: it grows while the process works or reads.
static double process_cpu_ms(const struct process *process)
{
    clockid_t clock;
    struct timespec time = { 0 };
    if (clock_getcpuclockid(process->pid, &clock) == 0) {
        clock_gettime(clock, &time);
    }
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

// Reads some bytes, at least one.
static bool process_take(
    struct process *process, void *bytes, size_t size, size_t *got, struct problem *problem)
{
    double cpu = 0, active = clock_ms();
    siginfo_t info;
    for (;;) {
        const bool over = process_ended(process, &info);
        const ssize_t n = read(process->own[1], bytes, size);
        if (n > 0) {
            *got = (size_t)n;
            return true;
        }
        if (n == 0 || over || (n < 0 && errno != EAGAIN && errno != EINTR)) {
            return process_gone(process, problem);
        }
        process_listen(process);
        if (!input_go_on(process->path, problem)) {
            return false;
        }
        struct pollfd ready = { .fd = process->own[1], .events = POLLIN };
        if (poll(&ready, 1, TICK_MS) == 0) {
            const double now = process_cpu_ms(process);
            active = now > cpu ? clock_ms() : active;
            cpu = now;
        }
        if (clock_ms() - active > (double)process->silence_ms) {
            return process_blame(
                process, problem, "gave no answer for %u s, and was ended",
                (unsigned)(process->silence_ms / 1000));
        }
    }
}

static bool process_runs(const struct process *process, struct problem *problem)
{
    return process->problem.kind == PROBLEM_NONE ||
           problem_set(problem, process->problem.kind, "%s", process->problem.text);
}

bool process_ask(struct process *process, const char *text, struct problem *problem)
{
    const size_t length = strlen(text);
    if (!process_runs(process, problem)) {
        return false;
    }
    const ssize_t sent = send(process->own[0], text, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent == (ssize_t)length) {
        return true;
    }
    return sent < 0 && errno == EPIPE ? process_gone(process, problem)
                                      : process_blame(process, problem, "takes no requests");
}

bool process_line(
    struct process *process, size_t most, const char **line, size_t *length,
    struct problem *problem)
{
    size_t seen = process->at;
    if (!process_runs(process, problem)) {
        return false;
    }
    for (;;) {
        char *end =
            process->size > seen ? memchr(process->line + seen, '\n', process->size - seen) : NULL;
        const size_t held = (end ? (size_t)(end - process->line) : process->size) - process->at;
        if (held > most) {
            return process_blame(
                process, problem, "wrote more than %zu bytes where one line was expected", most);
        }
        if (end) {
            *end = 0;
            *line = process->line + process->at;
            *length = held;
            process->at += held + 1;
            return true;
        }
        if (process->at > 0) {
            process->size -= process->at;
            memmove(process->line, process->line + process->at, process->size);
            process->at = 0;
        }
        if (process->capacity - process->size < HELD) {
            const size_t capacity = 2 * process->capacity + HELD;
            char *grown = realloc(process->line, capacity);
            if (!grown) {
                return problem_no_memory(problem, "reading", process->path);
            }
            process->line = grown;
            process->capacity = capacity;
        }
        size_t got;
        seen = process->size;
        if (!process_take(process, process->line + seen, HELD, &got, problem)) {
            return false;
        }
        process->size += got;
    }
}

bool process_read(
    struct process *process, void *bytes, size_t size, size_t *got, struct problem *problem)
{
    const size_t held = process->size - process->at;
    *got = held < size ? held : size;
    if (*got > 0) {
        memcpy(bytes, process->line + process->at, *got);
        process->at += *got;
    }
    bool fine = process_runs(process, problem);
    while (fine && *got < size) {
        size_t more = 0;
        fine = process_take(process, (char *)bytes + *got, size - *got, &more, problem);
        *got += more;
    }
    return fine;
}
