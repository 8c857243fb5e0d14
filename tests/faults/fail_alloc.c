// A library to preload. It makes one allocation of the program fail, or all from one on.
//
// An allocation counts if the program's own code asked for it: directly, or through the C library
// or a library that reads and writes data for it (strdup, fopen, jansson, zlib, expat, libtiff and
// its codecs). Allocations of the driver, the loader and the window library do not count. Dear
// ImGui is linked into the program, so its allocations count.
//
//     FAIL_ALLOC=7      the seventh fails; "7+": the seventh and all after it; unset: none
//     FAIL_ALLOC_APART=FROM-TO,...  allocations of the functions between these addresses
//                       (hexadecimal, relative to the program) are counted separately: there may
//                       be many that all fail alike. FAIL_ALLOC=a7 is the seventh of those
//     FAIL_ALLOC_LOG    a file of LOG_BYTES bytes, which gets `struct log` (see sweep.py)
//
// The log also lists what the program's own code has allocated and not freed at its end. In a run
// without a fault, such a block is a leak if it comes from a call that should free it. For a crash,
// the log has the name of the file that the crashing instruction is in.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

enum {
    FRAMES = 24,       // of the allocation that failed
    LIVE_FRAMES = 6,   // of a block that is not freed
    LIVE_LISTED = 512, // blocks that fit the log
    BLOCKS = 1 << 17,
    RANGES = 128,
    LOG_BYTES = 1 << 16,
    MODULES = 32,
    NAME = 24 // bytes of a library's name, with its end
};

// Addresses of the program's own functions, relative to its file, from the innermost.
struct log {
    uint64_t counted; // own allocations so far
    uint64_t failed;
    uint64_t ended; // 1: the program came to its end, and `live` is right
    uint64_t live;
    uint64_t apart; // own allocations that are counted apart
    uint64_t frames[FRAMES];
    char crashed_in[NAME]; // "" for none
    char failed_in[NAME];  // the library that the program had called; "" where it asked by itself
    uint64_t live_frames[LIVE_LISTED][LIVE_FRAMES];
    char live_in[LIVE_LISTED][NAME]; // as failed_in
};
_Static_assert(sizeof(struct log) <= LOG_BYTES, "the log fits its file");

#define QUICK __thread __attribute__((tls_model("initial-exec")))
static QUICK bool inside; // in the allocator's own work: what it allocates does not count

static struct log nowhere, *told = &nowhere;
static uint64_t first_to_fail;
static bool all_after, fail_apart;
static struct {
    uintptr_t from, to;
} apart[RANGES];
static int apart_count;

// Where the program and the libraries lie that work for it. Others are other people's.
enum owner { OTHER, PROGRAM, HELPER };
static struct {
    uintptr_t from, to;
    enum owner owner;
    int module;
} ranges[RANGES];
static int range_count;
static uintptr_t program_base;
static char modules[MODULES][NAME] = { "" }; // of helpers but the C library; the first is none
static int module_count = 1;

static enum owner owner_of(uintptr_t address, int *module)
{
    for (int i = 0; i < range_count; i++) {
        if (address >= ranges[i].from && address < ranges[i].to) {
            *module = ranges[i].module ? ranges[i].module : *module;
            return ranges[i].owner;
        }
    }
    return OTHER;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int note_module(struct dl_phdr_info *info, size_t size, void *user)
{
    static const char *const helpers[] = {
        "/libc.so",    "/libm.so",    "/libjansson.so", "/libz.so",      "/libexpat.so",
        "/libtiff.so", "/libzstd.so", "/liblzma.so",    "/libjpeg.so",   "/libwebp.so",
        "/libdeflate", "/libjbig.so", "/libLerc.so",    "/libstdc++.so",
    };
    bool *first = user;
    const bool program = *first;
    *first = false;
    enum owner owner = program ? PROGRAM : OTHER;
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
        if (strstr(info->dlpi_name, helpers[i])) {
            owner = HELPER;
        }
    }
    (void)size;
    int module = 0;
    if (owner == HELPER && !strstr(info->dlpi_name, "/libc.so") && module_count < MODULES) {
        module = module_count++;
        strncat(modules[module], last_part(info->dlpi_name), NAME - 1);
    }
    if (program) {
        program_base = info->dlpi_addr;
    }
    for (int i = 0; owner != OTHER && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) && range_count < RANGES) {
            ranges[range_count].from = info->dlpi_addr + part->p_vaddr;
            ranges[range_count].to = info->dlpi_addr + part->p_vaddr + part->p_memsz;
            ranges[range_count].module = module;
            ranges[range_count++].owner = owner;
        }
    }
    return 0;
}

// ---- the allocator behind

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*memalign)(size_t, size_t);
    void (*free)(void *);
} real;

// dlsym may allocate before there is anything to allocate with.
static _Alignas(16) char early[1 << 14];
static size_t early_used;

static bool is_early(const void *block)
{
    return (const char *)block >= early && (const char *)block < early + sizeof early;
}

static void *early_malloc(size_t size)
{
    const size_t rounded = (size + 15) & ~(size_t)15;
    if (rounded > sizeof early - early_used) {
        return NULL;
    }
    early_used += rounded;
    return early + early_used - rounded; // never given back, so still zero
}

static bool find_real(void)
{
    static bool looking;
    if (real.free) {
        return true;
    }
    if (looking) {
        return false;
    }
    looking = true;
    *(void **)&real.malloc = dlsym(RTLD_NEXT, "malloc");
    *(void **)&real.calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&real.realloc = dlsym(RTLD_NEXT, "realloc");
    *(void **)&real.memalign = dlsym(RTLD_NEXT, "memalign");
    *(void **)&real.free = dlsym(RTLD_NEXT, "free");
    return real.free;
}

// ---- who asks

struct trace {
    uintptr_t frames[FRAMES];
    int count, most;
    int module; // the outermost helper before the program
    bool begun, decided, ours;
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *user)
{
    struct trace *trace = user;
    const uintptr_t at = _Unwind_GetIP(context);
    int module = 0;
    const enum owner owner = owner_of(at, &module);
    if (!trace->begun && owner == OTHER) {
        return _URC_NO_REASON; // this library's own frames
    }
    trace->begun = true;
    if (!trace->decided && module) {
        trace->module = module;
    }
    if (!trace->decided && owner != HELPER) {
        trace->decided = true;
        trace->ours = owner == PROGRAM;
    }
    if (owner == PROGRAM && trace->count < trace->most) {
        trace->frames[trace->count++] = at - program_base;
    }
    const bool enough = trace->decided && (!trace->ours || trace->count == trace->most);
    return enough ? _URC_END_OF_STACK : _URC_NO_REASON;
}

// ---- blocks that the program has not freed

static struct block {
    void *at;
    int32_t next;
    int module;
    uintptr_t frames[LIVE_FRAMES];
} blocks[BLOCKS];
static int32_t heads[BLOCKS], spare, used; // index + 1; 0 is none
static uint64_t lost;                      // blocks that found no room here
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void lock(void)
{
    while (atomic_flag_test_and_set(&busy)) {
    }
}

static int32_t *head_of(const void *at)
{
    return &heads[((uintptr_t)at >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 47];
}

static void remember(void *at, const struct trace *trace)
{
    lock();
    int32_t index = spare ? spare : used < BLOCKS ? ++used : 0;
    if (index) {
        struct block *block = &blocks[index - 1];
        spare = index == spare ? block->next : spare;
        block->at = at;
        block->module = trace->module;
        for (int i = 0; i < LIVE_FRAMES; i++) {
            block->frames[i] = i < trace->count ? trace->frames[i] : 0;
        }
        block->next = *head_of(at);
        *head_of(at) = index;
    } else {
        lost++;
    }
    atomic_flag_clear(&busy);
}

static void forget(const void *at)
{
    if (!at || !used) {
        return;
    }
    lock();
    for (int32_t *link = head_of(at); *link; link = &blocks[*link - 1].next) {
        struct block *block = &blocks[*link - 1];
        if (block->at == at) {
            const int32_t index = *link;
            *link = block->next;
            block->at = NULL;
            block->next = spare;
            spare = index;
            break;
        }
    }
    atomic_flag_clear(&busy);
}

// ---- the start and the end

// Notes where the program crashed, and lets it.
static void crash(int number, siginfo_t *info, void *context)
{
    Dl_info found;
    const ucontext_t *at = context;
#if defined __x86_64__
    void *instruction = (void *)at->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    void *instruction = (void *)at->uc_mcontext.pc;
#else
    void *instruction = info->si_addr;
#endif
    (void)info, (void)at;
    if (dladdr(instruction, &found) && found.dli_fname) {
        snprintf(told->crashed_in, NAME, "%s", last_part(found.dli_fname));
    }
    signal(number, SIG_DFL);
    raise(number);
}

__attribute__((constructor)) static void begin(void)
{
    const struct sigaction on_crash = { .sa_sigaction = crash, .sa_flags = SA_SIGINFO };
    sigaction(SIGSEGV, &on_crash, NULL);
    sigaction(SIGBUS, &on_crash, NULL);
    sigaction(SIGABRT, &on_crash, NULL);
    bool first = true;
    dl_iterate_phdr(note_module, &first);
    const char *path = getenv("FAIL_ALLOC_LOG"), *which = getenv("FAIL_ALLOC");
    const char *ranges_apart = getenv("FAIL_ALLOC_APART");
    for (int length; ranges_apart && apart_count < RANGES; ranges_apart += length) {
        length = 0;
        if (sscanf(
                ranges_apart, "%" SCNxPTR "-%" SCNxPTR "%n", &apart[apart_count].from,
                &apart[apart_count].to, &length) != 2) {
            break;
        }
        apart_count++;
        length += ranges_apart[length] == ',';
    }
    if (path) {
        const int fd = open(path, O_RDWR | O_CLOEXEC);
        void *map =
            fd >= 0 ? mmap(NULL, LOG_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
        if (map == MAP_FAILED) {
            dprintf(STDERR_FILENO, "fail_alloc: %s cannot be mapped\n", path);
            _exit(99);
        }
        close(fd);
        told = map;
    }
    if (which) {
        char *end;
        fail_apart = *which == 'a';
        which += fail_apart;
        first_to_fail = strtoull(which, &end, 10);
        all_after = *end == '+';
    }
}

__attribute__((destructor)) static void end(void)
{
    lock();
    for (int32_t i = 0; i < used; i++) {
        // What the C library buffers standard output in stays to the end, whoever wrote first.
        if (blocks[i].at && blocks[i].at != stdout->_IO_buf_base) {
            if (told->live < LIVE_LISTED) {
                for (int k = 0; k < LIVE_FRAMES; k++) {
                    told->live_frames[told->live][k] = blocks[i].frames[k];
                }
                memcpy(told->live_in[told->live], modules[blocks[i].module], NAME);
            }
            told->live++;
        }
    }
    told->ended = lost == 0;
    atomic_flag_clear(&busy);
}

// ---- the functions

// Whether this allocation is to fail. `trace` is filled where it is the program's.
static bool judge(uintptr_t caller, struct trace *trace)
{
    *trace = (struct trace){ .most = LIVE_FRAMES };
    int module = 0;
    if (inside || owner_of(caller, &module) == OTHER) {
        return false;
    }
    inside = true;
    _Unwind_Backtrace(step, trace);
    if (!trace->ours) {
        inside = false;
        return false;
    }
    bool is_apart = false;
    for (int i = 0; i < apart_count; i++) {
        is_apart |= trace->frames[0] >= apart[i].from && trace->frames[0] < apart[i].to;
    }
    _Atomic uint64_t *count = (_Atomic uint64_t *)(is_apart ? &told->apart : &told->counted);
    const uint64_t ordinal = atomic_fetch_add(count, 1) + 1;
    const bool fails = first_to_fail && is_apart == fail_apart &&
                       (ordinal == first_to_fail || (all_after && ordinal > first_to_fail));
    if (fails && ordinal == first_to_fail) {
        struct trace whole = { .most = FRAMES };
        _Unwind_Backtrace(step, &whole);
        for (int i = 0; i < whole.count; i++) {
            told->frames[i] = whole.frames[i];
        }
        memcpy(told->failed_in, modules[whole.module], NAME);
    }
    told->failed += fails;
    inside = false;
    return fails;
}

#define CALLER ((uintptr_t)__builtin_return_address(0))

static void *counted(void *block, const struct trace *trace)
{
    if (block && trace->ours) {
        remember(block, trace);
    }
    return block;
}

static void *refused(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t size)
{
    struct trace trace;
    if (!find_real()) {
        return early_malloc(size);
    }
    return judge(CALLER, &trace) ? refused() : counted(real.malloc(size), &trace);
}

void *calloc(size_t count, size_t size)
{
    struct trace trace;
    if (!find_real()) {
        return early_malloc(count * size);
    }
    return judge(CALLER, &trace) ? refused() : counted(real.calloc(count, size), &trace);
}

static void *resize(void *block, size_t size, uintptr_t caller)
{
    struct trace trace;
    if (judge(caller, &trace)) {
        return refused();
    }
    forget(block);
    if (is_early(block)) {
        void *moved = real.malloc(size);
        const size_t most = (size_t)(early + sizeof early - (char *)block);
        return moved ? memcpy(moved, block, size < most ? size : most) : NULL;
    }
    void *out = real.realloc(block, size);
    return counted(out ? out : size ? block : NULL, &trace) ? out : NULL;
}

void *realloc(void *block, size_t size)
{
    return find_real() ? resize(block, size, CALLER) : early_malloc(size);
}

void *reallocarray(void *block, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        return refused();
    }
    return find_real() ? resize(block, bytes, CALLER) : early_malloc(bytes);
}

static void *aligned(size_t alignment, size_t size, uintptr_t caller)
{
    struct trace trace;
    find_real();
    return judge(caller, &trace) ? refused() : counted(real.memalign(alignment, size), &trace);
}

void *memalign(size_t alignment, size_t size)
{
    return aligned(alignment, size, CALLER);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return aligned(alignment, size, CALLER);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (alignment < sizeof(void *) || (alignment & (alignment - 1))) {
        return EINVAL;
    }
    const int kept = errno;
    void *block = aligned(alignment, size, CALLER);
    errno = kept;
    if (!block) {
        return ENOMEM;
    }
    *out = block;
    return 0;
}

void free(void *block)
{
    if (block && !is_early(block) && find_real()) {
        forget(block);
        real.free(block);
    }
}
