// One reader: any bytes are a volume or are refused. Read twice, over memory that holds something
// else and with reads that are cut or interrupted, they give the same.
#include "tests/fuzz/target.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct request request;
    struct volume first, second;
    struct problem why, again;
    volume_quiet = true;
    draw_begin(data, size);
    request_open(data, size, FUZZ_NAME, &request);
    poison(0xaa);
    const bool ok = read_checked(&request, &first, &why);
    fuzz_accepted = ok;
    if (ok || draw() % 4 == 0) {
        files_interrupt(draw());
        poison(0x55);
        HOLDS(
            read_checked(&request, &second, &again) == ok, "the same twice: %s",
            ok ? again.text : why.text);
        if (ok) {
            check_equal(&first, &second, true);
        } else {
            HOLDS(
                why.code == again.code && strcmp(why.text, again.text) == 0, "%d '%s', %d '%s'",
                why.code, why.text, again.code, again.text);
        }
        volume_destroy(&second);
    }
    if (size > 0 && draw() % 8 == 0) { // the file shrinks while it is read
        files_interrupt(0);
        files_shrink(1 + draw() % size);
        read_checked(&request, &second, &again);
        volume_destroy(&second);
    }
    if (draw() % 4 == 0) { // memory ends
        files_interrupt(0);
        files_shrink(0);
        allocation_fails(1 + draw() % 16);
        const bool fine = read_checked(&request, &second, &again);
        const bool failed = allocation_fails(0);
        if (fine) {
            HOLDS(ok, "refused with more memory: %s", why.text);
            check_equal(&first, &second, true);
        } else {
            HOLDS(
                (failed && again.code == PROBLEM_DEVICE) ||
                    (!ok && again.code == why.code && strcmp(again.text, why.text) == 0),
                "with less memory: %d '%s'", again.code, again.text);
        }
        volume_destroy(&second);
    }
    volume_destroy(&first);
    files_clear();
    return 0;
}
