// One reader: any bytes are a volume or are refused. Reading twice, into memory with different
// contents and with short or interrupted reads, gives the same result. If a read or an allocation
// fails, or the file shrinks, the result is the same or the reason.
#include "tests/fuzz/target.h"

#include <string.h>

// What the bytes are when nothing fails.
struct outcome {
    bool ok;
    struct volume volume;
    struct problem why;
};

static void check_same(const struct request *request, const struct outcome *outcome)
{
    struct volume again;
    struct problem why;
    files_interrupt(draw());
    poison(0x55);
    HOLDS(
        read_checked(request, &again, &why) == outcome->ok, "the same twice: %s",
        outcome->ok ? why.text : outcome->why.text);
    if (outcome->ok) {
        check_equal(&outcome->volume, &again, true);
    } else {
        HOLDS(
            why.kind == outcome->why.kind && strcmp(why.text, outcome->why.text) == 0,
            "%d '%s', %d '%s'", outcome->why.kind, outcome->why.text, why.kind, why.text);
    }
    volume_destroy(&again);
    files_interrupt(0);
}

static void check_shrunk(const struct request *request, uint32_t bytes)
{
    struct volume again;
    struct problem why;
    files_shrink(bytes);
    read_checked(request, &again, &why);
    volume_destroy(&again);
    files_shrink(0);
}

// `failed`: what was asked to fail, which is told by `code`, has been asked for. It may have been a
// look for something better to say.
static void check_failing(
    const struct request *request, const struct outcome *outcome, bool (*fails)(uint32_t n),
    enum problem_kind code)
{
    struct volume again;
    struct problem why;
    bool failed;
    uint32_t n = fuzz_thorough ? 1 : 1 + draw() % 16;
    do {
        fails(n++);
        const bool fine = read_checked(request, &again, &why);
        failed = fails(0);
        if (fine) {
            HOLDS(outcome->ok, "refused with no failure: %s", outcome->why.text);
            check_equal(&outcome->volume, &again, true);
        } else {
            // A read that fails may give another reason; memory that ends is the reason.
            const bool same = !outcome->ok && why.kind == outcome->why.kind &&
                              (code == PROBLEM_INPUT || strcmp(why.text, outcome->why.text) == 0 ||
                               strstr(why.text, PROBLEM_STANDARD_INPUT)); // named only with memory
            HOLDS(
                same || (failed && why.kind == code), "failure %u: %d '%s', without: %d '%s'",
                n - 1, why.kind, why.text, outcome->why.kind, outcome->why.text);
        }
        volume_destroy(&again);
    } while (fuzz_thorough && failed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct request request;
    struct outcome outcome;
    draw_begin(data, size);
    request_open(data, size, FUZZ_NAME, &request);
    poison(0xaa);
    outcome.ok = read_checked(&request, &outcome.volume, &outcome.why);
    fuzz_accepted = outcome.ok;
    if (one_in(4) || outcome.ok) {
        check_same(&request, &outcome);
    }
    if (one_in(8)) {
        check_shrunk(&request, 1 + draw() % (uint32_t)(size + 1));
    }
    if (one_in(8)) {
        check_failing(&request, &outcome, files_fail, PROBLEM_INPUT);
    }
    if (one_in(4)) {
        check_failing(&request, &outcome, allocation_fails, PROBLEM_HOST_MEMORY);
    }
    volume_destroy(&outcome.volume);
    files_clear();
    return 0;
}
