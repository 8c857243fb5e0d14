// Command lines: words that are separated by NUL or line ends. No command is run.
#include "app/cli/options.h"
#include "tests/fuzz/target.h"

#include <math.h>
#include <string.h>

#define WORDS 40

static void check_options(const struct options *options, int argc, char **argv)
{
    if (options->print) {
        return;
    }
    HOLDS(options->command >= commands && options->command < commands + COMMANDS, "a command");
    uint32_t count = 0;
    while (options->operands[count]) {
        bool found = false;
        for (int i = 1; i < argc; i++) {
            found |= options->operands[count] == argv[i];
        }
        HOLDS(found, "operand %u of the line", count);
        count++;
    }
    HOLDS(
        count >= options->command->least && count <= options->command->most, "%u operands", count);
    HOLDS(
        options->iso_count >= 1 && options->iso_count <= OPTIONS_ISOVALUES, "%u isovalues",
        options->iso_count);
    for (uint32_t i = 0; i < options->iso_count; i++) {
        HOLDS(isfinite(options->isos[i].value), "isovalue %g", options->isos[i].value);
    }
    for (int i = 0; i < 3; i++) {
        HOLDS(
            isfinite(options->volume.spacing[i]) && options->volume.spacing[i] >= 0, "spacing %g",
            options->volume.spacing[i]);
    }
    HOLDS(options->volume.type < VOLUME_TYPES, "type %d", options->volume.type);
    HOLDS(
        options->against_count <= OPTIONS_ISOVALUES, "%u times of another", options->against_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct options first, second;
    char *argv[WORDS + 2] = { "cubist" };
    char *copies[2];
    bool ok[2];
    struct problem problems[2];
    for (int run = 0; run < 2; run++) {
        int argc = 1;
        char *text = malloc(size + 1);
        HOLDS(text, "memory");
        memcpy(text, data, size);
        text[size] = 0;
        copies[run] = text;
        for (size_t at = 0; at < size && argc <= WORDS; at++) {
            argv[argc++] = text + at;
            while (at < size && text[at] && text[at] != '\n') {
                at++;
            }
            text[at] = 0;
        }
        argv[argc] = NULL;
        poison(run ? 0x55 : 0xaa);
        struct options *options = run ? &second : &first;
        memset(options, 0, sizeof *options);
        problems[run] = (struct problem){ .kind = PROBLEM_CHECK };
        ok[run] = arguments_parse(argc, argv, options, &problems[run]);
        if (ok[run]) {
            check_options(options, argc, argv);
        } else {
            check_refusal(&problems[run], true);
        }
    }
    HOLDS(
        ok[0] == ok[1] && problems[0].kind == problems[1].kind &&
            strcmp(problems[0].text, problems[1].text) == 0,
        "the same twice: %s, %s", problems[0].text, problems[1].text);
    if (ok[0]) {
        HOLDS(
            first.command == second.command && first.print == second.print &&
                memcmp(first.given, second.given, sizeof first.given) == 0 &&
                memcmp(first.isos, second.isos, sizeof first.isos) == 0 &&
                memcmp(first.volume.dim, second.volume.dim, sizeof first.volume.dim) == 0 &&
                memcmp(&first.resample, &second.resample, sizeof first.resample) == 0,
            "the same options twice");
    }
    fuzz_accepted = ok[0];
    free(copies[0]);
    free(copies[1]);
    return 0;
}
