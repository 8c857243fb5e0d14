#include "tests/fuzz/target.h"
#include "volumes/affine.h"

#include <malloc.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <zlib.h>

#if defined __has_feature
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER
#endif
#if __has_feature(memory_sanitizer)
#define MEMORY_SANITIZER
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define ADDRESS_SANITIZER
#endif

bool fuzz_accepted;
bool fuzz_thorough;

static uint64_t draws;

void draw_begin(const uint8_t *data, size_t size)
{
    draws = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++) {
        draws = (draws ^ data[i]) * 0x100000001b3u;
    }
    draws |= 1;
}

uint32_t draw(void)
{
    draws ^= draws << 13;
    draws ^= draws >> 7;
    draws ^= draws << 17;
    return (uint32_t)(draws >> 32);
}

bool one_in(uint32_t n)
{
    const bool drawn = draw() % n == 0;
    return fuzz_thorough || drawn;
}

// volatile: it is not read by the program, as far as the compiler knows.
static __attribute__((noinline)) void poison_stack(unsigned char byte)
{
    volatile unsigned char below[1 << 15];
    memset((void *)below, byte, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}

#ifdef ADDRESS_SANITIZER
int __sanitizer_install_malloc_and_free_hooks(
    void (*allocated)(const volatile void *, size_t), void (*freed)(const volatile void *));

// A small quarantine: memory comes from the caches, not from the kernel.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=4:malloc_context_size=8:max_malloc_fill_size=0";
}

static unsigned char heap_byte;

// calloc clears after this, but for what comes from the system in one piece.
static void fill(const volatile void *at, size_t size)
{
    if (size <= 65536) {
        memset((void *)at, heap_byte, size);
    }
}

static void nothing(const volatile void *at)
{
    (void)at;
}
#endif

void poison(unsigned char byte)
{
#ifdef MEMORY_SANITIZER
    (void)byte; // it knows better
    (void)poison_stack;
#else
#ifdef ADDRESS_SANITIZER
    static bool installed;
    installed = installed || __sanitizer_install_malloc_and_free_hooks(fill, nothing);
    heap_byte = byte;
#else
    mallopt(M_PERTURB, byte);
#endif
    poison_stack(byte);
#endif
}

static uint32_t allocations; // to go, with the one that fails
static bool reached;

bool allocation_fails(uint32_t n)
{
    const bool was = reached;
    allocations = n;
    reached = false;
    return was;
}

static bool fails(void)
{
    reached |= allocations == 1;
    return allocations > 0 && --allocations == 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t length);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t length)
{
    return fails() ? NULL : __real_strndup(text, length);
}

int __wrap_asprintf(char **out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = fails() ? -1 : vasprintf(out, format, list);
    va_end(list);
    return length;
}

#ifdef MEMORY_SANITIZER
void __msan_unpoison(const volatile void *at, size_t size);
int __real_inflate(z_streamp stream, int flush);
int __real_inflateInit2_(z_streamp stream, int bits, const char *version, int size);

// What zlib writes, which is not built with the sanitizer.
int __wrap_inflate(z_streamp stream, int flush)
{
    unsigned char *out = stream->next_out;
    const int result = __real_inflate(stream, flush);
    __msan_unpoison(stream, sizeof *stream);
    __msan_unpoison(out, (size_t)(stream->next_out - out));
    if (stream->msg) {
        __msan_unpoison(stream->msg, strlen(stream->msg) + 1);
    }
    return result;
}

int __wrap_inflateInit2_(z_streamp stream, int bits, const char *version, int size)
{
    const int result = __real_inflateInit2_(stream, bits, version, size);
    __msan_unpoison(stream, sizeof *stream);
    return result;
}
#endif

// "4x5x6" or "1,2,3": `count` numbers.
static bool numbers(const char *text, char separator, int count, double *out)
{
    for (int i = 0; i < count; i++) {
        char *end;
        out[i] = strtod(text, &end);
        if (end == text || *end != (i + 1 < count ? separator : 0)) {
            return false;
        }
        text = end + 1;
    }
    return true;
}

static uint32_t narrow(double value)
{
    return value >= 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

static void param(struct request *request, char *word)
{
    struct volume_params *params = &request->params;
    char *value = strchr(word, '=');
    double n[3];
    if (!value) {
        return;
    }
    *value++ = 0;
    if (strcmp(word, "dims") == 0 && numbers(value, 'x', 3, n)) {
        for (int i = 0; i < 3; i++) {
            params->dim[i] = narrow(n[i]);
        }
    } else if (strcmp(word, "type") == 0) {
        params->has_type = volume_type_parse(value, &params->type);
    } else if (strcmp(word, "order") == 0) {
        params->order = value[0] == 'b' ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE;
    } else if (strcmp(word, "offset") == 0) {
        params->offset = strtoull(value, NULL, 10);
    } else if (strcmp(word, "atlas") == 0 && numbers(value, 'x', 2, n)) {
        params->atlas[0] = narrow(n[0]);
        params->atlas[1] = narrow(n[1]);
    } else if (strcmp(word, "slices") == 0 && numbers(value, 0, 1, n)) {
        params->slices = narrow(n[0]);
    } else if (strcmp(word, "time") == 0 && numbers(value, 0, 1, n)) {
        params->pick.time = narrow(n[0]);
    } else if (strcmp(word, "channel") == 0 && numbers(value, 0, 1, n)) {
        params->pick.channel = narrow(n[0]);
    } else if (strcmp(word, "spacing") == 0 && numbers(value, ',', 3, n)) {
        memcpy(params->spacing, n, sizeof n);
    } else if (strcmp(word, "array") == 0) {
        snprintf(request->array, sizeof request->array, "%s", value);
        params->pick.array = request->array;
    }
}

// A line "name word word ..." and the bytes behind it.
static void section(
    const uint8_t *line, size_t length, const uint8_t *bytes, size_t size, bool first,
    struct request *out)
{
    char text[256];
    snprintf(text, sizeof text, "%.*s", (int)length, (const char *)line);
    char *at;
    const char *name = strtok_r(text, " ", &at);
    name = name ? name : "";
    const bool folder = strcmp(name, ".") == 0;
    if (!folder) {
        files_add(name, bytes, size);
    }
    if (first) {
        snprintf(
            out->path, sizeof out->path, "%s%s%.*s", FILES_FOLDER, folder ? "" : "/",
            FILES_NAME - 1, folder ? "" : name);
        for (char *word; (word = strtok_r(NULL, " ", &at));) {
            param(out, word);
        }
    }
}

void request_open(const uint8_t *data, size_t size, const char *name, struct request *out)
{
    static const char separator[] = "\n@@ ";
    files_clear();
    *out = (struct request){ .params = { .max_bytes = 1 << 16, .max_input = 1 << 20 } };
    if (size < 3 || memcmp(data, separator + 1, 3) != 0) {
        files_add(name, data, size);
        snprintf(out->path, sizeof out->path, FILES_FOLDER "/%s", name);
        return;
    }
    const uint8_t *end = data + size;
    bool first = true;
    for (const uint8_t *at = data + 3; at; first = false) {
        const uint8_t *line = at;
        const uint8_t *bytes = memchr(line, '\n', (size_t)(end - line));
        const size_t length = (size_t)((bytes ? bytes : end) - line);
        bytes = bytes ? bytes + 1 : end;
        const uint8_t *next = memmem(bytes, (size_t)(end - bytes), separator, 4);
        section(line, length, bytes, (size_t)((next ? next : end) - bytes), first, out);
        at = next ? next + 4 : NULL;
    }
}

// Length of a well-formed UTF-8 sequence that shows something, and turns no text around.
static size_t shown(const unsigned char *s)
{
    static const struct {
        unsigned char low, high;
    } second[256] = {
        [0xe0] = { 0xa0, 0xbf }, [0xed] = { 0x80, 0x9f }, [0xf0] = { 0x90, 0xbf },
        [0xf4] = { 0x80, 0x8f }, [0xc2] = { 0xa0, 0xbf },
    };
    const size_t length = s[0] >= 0x20 && s[0] < 0x7f    ? 1
                          : s[0] >= 0xc2 && s[0] <= 0xdf ? 2
                          : s[0] >= 0xe0 && s[0] <= 0xef ? 3
                          : s[0] >= 0xf0 && s[0] <= 0xf4 ? 4
                                                         : 0;
    for (size_t i = 1; i < length; i++) {
        const bool special = i == 1 && second[s[0]].low;
        if (s[i] < (special ? second[s[0]].low : 0x80) ||
            s[i] > (special ? second[s[0]].high : 0xbf)) {
            return 0;
        }
    }
    const bool turns = length == 3 && s[0] == 0xe2 &&
                       ((s[1] == 0x80 && (s[2] == 0x8e || s[2] == 0x8f)) ||
                        (s[1] == 0x80 && s[2] >= 0xa8 && s[2] <= 0xae) ||
                        (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9));
    return turns ? 0 : length;
}

void check_refusal(const struct problem *problem, bool usage)
{
    HOLDS(
        problem->kind == PROBLEM_INPUT || problem_of_device(problem->kind) ||
            (usage && problem->kind == PROBLEM_USAGE),
        "code %d: %s", problem->kind, problem->text);
    HOLDS(
        memchr(problem->text, 0, sizeof problem->text) && strlen(problem->text) > 10,
        "a reason in '%.1000s'", problem->text);
    for (const unsigned char *at = (const unsigned char *)problem->text; *at; at += shown(at)) {
        HOLDS(
            shown(at) > 0, "byte 0x%02x at %td of the reason", *at,
            at - (unsigned char *)problem->text);
    }
}

static void check_volume(const struct volume *volume, const struct volume_params *params)
{
    HOLDS(volume->samples, "samples");
    HOLDS(volume->type < VOLUME_FLOAT64, "type %d", volume->type);
    HOLDS(volume->file_type <= VOLUME_FLOAT16, "type %d of the file", volume->file_type);
    HOLDS(volume->frame <= VOLUME_FRAME_LPS, "frame %d", volume->frame);
    for (int i = 0; i < 3; i++) {
        HOLDS(
            volume->dim[i] >= 2 && volume->dim[i] <= INT32_MAX, "%u samples along an axis",
            volume->dim[i]);
        HOLDS(
            isfinite(volume->spacing[i]) && volume->spacing[i] > 0, "spacing %g",
            volume->spacing[i]);
        HOLDS(isfinite(volume->origin[i]), "origin %g", volume->origin[i]);
        double length = 0;
        for (int k = 0; k < 3; k++) {
            length += volume->direction[3 * k + i] * volume->direction[3 * k + i];
        }
        HOLDS(fabs(length - 1) < 1e-9, "a direction of length %g", sqrt(length));
    }
    HOLDS(
        volume_bytes(volume) <= params->max_bytes, "%llu bytes",
        (unsigned long long)volume_bytes(volume));
}

static bool hearing;
static unsigned warnings; // heard

int __real_fputs(const char *text, FILE *file);

// Lines on their way to standard error.
int __wrap_fputs(const char *text, FILE *file)
{
    if (!hearing || file != stderr) {
        return __real_fputs(text, file);
    }
    while (*text) {
        const char *end = strchr(text, '\n');
        HOLDS(
            end && (strncmp(text, "cubist: warning: ", 17) == 0 ||
                    strncmp(text, "cubist: note: ", 14) == 0),
            "a whole line: %s", text);
        for (; text < end; text += shown((const unsigned char *)text)) {
            HOLDS(shown((const unsigned char *)text), "byte 0x%02x of %s", *text, text);
        }
        text = end + 1;
        warnings++;
    }
    return 1;
}

bool read_checked(const struct request *request, struct volume *out, struct problem *problem)
{
    memset(out, 0xee, sizeof *out);
    problem->kind = PROBLEM_CHECK; // no reader says that
    problem->text[0] = 0;
    warnings = 0;
    hearing = true;
    const bool ok = volume_read(request->path, &request->params, out, problem);
    hearing = false;
    if (ok) {
        HOLDS(
            problem->kind == PROBLEM_CHECK && !problem->text[0], "a problem with success: %s",
            problem->text);
        check_volume(out, &request->params);
    } else {
        check_refusal(problem, true);
        HOLDS(warnings == 0, "refused after %u warnings: %s", warnings, problem->text);
        HOLDS(
            !out->samples && out->dim[0] == 0 && out->dim[1] == 0 && out->dim[2] == 0 &&
                out->spacing[0] == 0,
            "an empty volume, after: %s", problem->text);
    }
    return ok;
}

void check_equal(const struct volume *a, const struct volume *b, bool samples)
{
    HOLDS(
        memcmp(a->dim, b->dim, sizeof a->dim) == 0 && a->type == b->type &&
            a->file_type == b->file_type && a->frame == b->frame &&
            a->type_inferred == b->type_inferred,
        "%ux%ux%u %d %d %d %d, %ux%ux%u %d %d %d %d", a->dim[0], a->dim[1], a->dim[2], a->type,
        a->file_type, a->frame, a->type_inferred, b->dim[0], b->dim[1], b->dim[2], b->type,
        b->file_type, b->frame, b->type_inferred);
    HOLDS(
        memcmp(a->spacing, b->spacing, sizeof a->spacing) == 0 &&
            memcmp(a->origin, b->origin, sizeof a->origin) == 0 &&
            memcmp(a->direction, b->direction, sizeof a->direction) == 0,
        "the same place");
    if (samples) {
        const unsigned char *x = a->samples, *y = b->samples;
        for (uint64_t i = 0; i < volume_bytes(a); i++) {
            HOLDS(
                x[i] == y[i], "byte %llu of %llu of the samples: %02x, %02x", (unsigned long long)i,
                (unsigned long long)volume_bytes(a), x[i], y[i]);
        }
    }
}

void volume_of_bytes(const uint8_t *data, size_t size, struct volume *out)
{
    uint8_t head[16] = { 0 };
    const size_t used = size < sizeof head ? size : sizeof head;
    struct problem problem;
    memcpy(head, data, used);
    const uint32_t dim[3] = { 2 + head[0] % 8, 2 + head[1] % 8, 2 + head[2] % 8 };
    HOLDS(
        volume_create(dim, (enum volume_type)(head[3] % VOLUME_TYPES), out, &problem), "%s",
        problem.text);
    size -= used;
    const uint64_t bytes = volume_bytes(out);
    memcpy(out->samples, data + used, size < bytes ? size : (size_t)bytes);
    double steps[3][3], origin[3];
    for (int a = 0; a < 3; a++) {
        for (int i = 0; i < 3; i++) {
            steps[a][i] = (i == a) + (int8_t)head[4 + 3 * a + i] / 64.0;
        }
        origin[a] = (int8_t)head[13 + a] * 0.37;
    }
    out->frame = (enum volume_frame)(head[15] % 3);
    affine_set(out, (const double(*)[3])steps, origin, "bytes", NULL); // else it stays as it is
}
