// A volume from standard input and from a file: the same volume, or the same code of a refusal,
// whose message names the standard input.
#include "tests/fuzz/target.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct request request;
    struct volume from_file, piped;
    struct problem why, problem;
    draw_begin(data, size);
    // The file is the first one, by a name that says nothing.
    request_open(data, size, "x", &request);
    const struct volume_params params = request.params;
    files_clear();
    files_add("x", data, size);
    request.params = params;
    strcpy(request.path, FILES_FOLDER "/x");
    poison(0xaa);
    const bool ok = read_checked(&request, &from_file, &why);
    fuzz_accepted = ok;
    const bool fails = draw() % 8 == 0, full = draw() % 8 == 0;
    files_standard_input(data, size);
    strcpy(request.path, "-");
    request.params.max_input = full ? 1 + draw() % (size + 1) : 1 << 20;
    files_fail(fails ? 1 + draw() % 4 : 0);
    poison(0x55);
    const bool fine = read_checked(&request, &piped, &problem);
    const bool failed = files_fail(0);
    HOLDS(!fine || (ok && !failed), "read: %s", why.text);
    if (fine) {
        check_equal(&from_file, &piped, true);
    } else {
        HOLDS(failed || full || (!ok && problem.kind == why.kind), "%s", problem.text);
        HOLDS(
            memmem(data, size, "/dev/fd", 7) || !strstr(problem.text, "/dev/fd"),
            "a name of ours in: %s", problem.text);
    }
    volume_destroy(&from_file);
    volume_destroy(&piped);
    files_clear();
    return 0;
}
