// cubist: reads the command line, runs the command, prints the problem, returns the exit code.
#include "app/cli/arguments.h"
#include "app/cli/completions.h"
#include "app/cli/help.h"
#include "app/cli/manual.h"
#include "app/cli/presets.h"
#include "app/cli/signals.h"
#include "compute/gpu/gpu.h"
#include "volumes/base/log.h"
#include "volumes/base/output.h"
#include "volumes/formats/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void main_print(enum print print, const struct command *command)
{
    switch (print) {
    case PRINT_NOTHING:
        return;
    case PRINT_HELP:
        print_help(command, stdout);
        return;
    case PRINT_VERSION:
        print_version(stdout);
        return;
    case PRINT_BINDINGS:
        print_bindings(stdout);
        return;
    case PRINT_FORMATS:
        print_formats(stdout);
        return;
    case PRINT_MANUAL:
        print_manual(stdout);
        return;
    case PRINT_BASH:
        print_bash(stdout);
        return;
    case PRINT_ZSH:
        print_zsh(stdout);
        return;
    case PRINT_FISH:
        print_fish(stdout);
        return;
    }
}

static bool main_run(const struct options *options, struct problem *problem)
{
    if (options->print) {
        main_print(options->print, options->command);
        return true;
    }
    return options->command->run(options, problem);
}

// Standard output has been flushed. See gpu_abandoned.
static int main_leave(int code)
{
    if (gpu_abandoned) {
        output_unlink_pending();
        _exit(code);
    }
    return code;
}

int main(int argc, char **argv)
{
    signals_install();
    struct options options;
    struct problem problem = { 0 };
    struct presets presets = { 0 };
    bool fine = arguments_parse(argc, argv, &options, &problem);
    log_quiet = options.quiet;
    fine = fine && presets_apply(&options, &presets, &problem);
    const char *written = options.output ? options.output : options.csv;
    const struct source_stamp before =
        written ? source_stamp_at(written) : (struct source_stamp){ 0 };
    fine = fine && main_run(&options, &problem);
    presets_end(&presets);

    // A full disk or a closed pipe must not pass for success.
    const bool flushed = fflush(stdout) == 0 && !ferror(stdout);
    if (fine && !flushed) {
        fine = problem_set(
            &problem, PROBLEM_OUTPUT, "standard output cannot be written: %s", strerror(errno));
    }
    if (fine) {
        return main_leave(0);
    }
    const struct source_stamp now = written ? source_stamp_at(written) : before;
    if (now.device != before.device || now.inode != before.inode) {
        // A new file is in place (see output.h). The command failed later, in its report.
        const struct problem why = problem;
        problem_set(&problem, why.kind, "%s; '%s' was written", why.text, written);
    }
    fprintf(stderr, "cubist: %s\n", problem.text);
    return main_leave(problem_exit(problem.kind));
}
