#include "app/cli/option_digest.h"

#include "app/base/fingerprint.h"
#include "app/cli/option_table.h"
#include "app/ranks/ranks.h"

#include <stdio.h>
#include <string.h>

enum { DIGEST_COMMAND, DIGEST_OPERANDS, DIGEST_OPTIONS };

static void digest_note(struct option_digest *digest, const char *text)
{
    digest->hash = fingerprint_text(text);
    snprintf(digest->text, sizeof digest->text, "%s", text);
}

void option_digest_list(const struct options *options, struct option_digest out[OPTION_DIGESTS])
{
    size_t count = 0;
    char operands[16];
    memset(out, 0, OPTION_DIGESTS * sizeof *out);
    while (options->operands[count]) {
        count++;
    }
    snprintf(operands, sizeof operands, "%zu", count);
    digest_note(&out[DIGEST_COMMAND], options->command ? options->command->name : "no command");
    digest_note(&out[DIGEST_OPERANDS], operands);
    for (size_t i = 0; option_rows()[i].name; i++) {
        if (options->values[i] && !option_rows()[i].may_differ) {
            digest_note(&out[DIGEST_OPTIONS + i], options->values[i]);
        }
    }
}

// How a process was started, such as "with --iso 20".
static void digest_put(const struct option_digest *digest, size_t number, char *out, size_t size)
{
    const char *name = number < DIGEST_OPTIONS ? "" : option_rows()[number - DIGEST_OPTIONS].name;
    if (number == DIGEST_COMMAND) {
        snprintf(out, size, "with %s", digest->text);
    } else if (number == DIGEST_OPERANDS) {
        const bool one = strcmp(digest->text, "1") == 0;
        snprintf(out, size, "with %s file%s", digest->text, one ? "" : "s");
    } else if (digest->hash == 0) {
        snprintf(out, size, "without --%s", name);
    } else {
        snprintf(out, size, "with --%s%s%s", name, *digest->text ? " " : "", digest->text);
    }
}

bool option_digest_compare(const struct options *options, struct problem *problem)
{
    struct option_digest own[OPTION_DIGESTS], first[OPTION_DIGESTS];
    option_digest_list(options, own);
    memcpy(first, own, sizeof first);
    if (!ranks_share(0, first, sizeof first, problem)) {
        return false;
    }
    bool fine = true;
    for (size_t i = 0; fine && i < OPTION_DIGESTS; i++) {
        if (own[i].hash != first[i].hash) {
            char here[120], there[120];
            digest_put(&own[i], i, here, sizeof here);
            digest_put(&first[i], i, there, sizeof there);
            fine = problem_set(
                problem, PROBLEM_USAGE,
                "rank %d (%s) was started %s, rank 0 %s; start all processes with the same "
                "arguments",
                ranks()->rank, ranks()->host, here, there);
        }
    }
    return ranks_agree(fine, problem); // all agree before the work begins
}
