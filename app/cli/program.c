#include "app/cli/help.h"
#include "app/cli/option_digest.h"
#include "app/cli/option_table.h"
#include "app/cli/presets.h"
#include "app/cli/signals.h"
#include "app/ranks/ranks.h"
#include "compute/gpu/gpu.h"
#include "volumes/base/apart.h"
#include "volumes/base/log.h"
#include "volumes/base/output.h"
#include "volumes/formats/source.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void program_print(const struct options *options)
{
    static void (*const lists[])(FILE * out) = {
        [PRINT_VERSION] = print_version,
        [PRINT_BINDINGS] = print_bindings,
        [PRINT_FORMATS] = print_formats,
        [PRINT_MANUAL] = print_manual,
    };
    static const char *const scripts[] = {
        [PRINT_BASH] = text_bash,
        [PRINT_ZSH] = text_zsh,
        [PRINT_FISH] = text_fish,
    };
    const enum print print = options->print;
    if (print == PRINT_HELP) {
        print_help(options->command, stdout);
    } else if (print == PRINT_COMPLETIONS) {
        completions_answer(options->argv + 2, stdout);
    } else if (print <= PRINT_MANUAL) {
        lists[print](stdout);
    } else {
        fputs(scripts[print], stdout);
    }
}

// If the operand is a session, moves it to options->session.
static void program_find_session(struct options *options)
{
    const char *path = options->operands[0];
    if (!options->session && path && session_file_named(path)) {
        options->session = path;
        options->operands[0] = NULL;
    }
}

// Reads the configuration and the session if the command uses them.
static bool
program_read_files(struct options *options, struct presets *presets, struct problem *problem)
{
    const enum command_id command =
        options->command && !options->print ? command_id(options->command) : COMMANDS;
    options->warning = presets->warning;
    options->volume.named = true;
    const bool views = command == COMMAND_VIEW, lists = options->print == PRINT_BINDINGS;
    if (views || command == COMMAND_RENDER || command == COMMAND_ANIMATE) {
        program_find_session(options);
    }
    if (options->no_config) {
        options->forgets = true;
    } else if (views || lists) {
        config_apply(options, lists, presets);
    }
    if (!options->session) {
        return !options->motion.to || presets_read_end(options, problem);
    }
    const bool with_volume = !options->operands[0];
    if (!session_file_open(options->session, &presets->session, problem) ||
        !presets_read_session(options, with_volume, presets, problem)) {
        return false;
    }
    if (with_volume && !session_file_find(&presets->session, &presets->missing)) {
        if (!views || !presets->session.stated) {
            *problem = presets->missing;
            return false;
        }
        options->missing = &presets->missing; // the window can ask for it
    }
    if (with_volume) {
        options->operands[0] = presets->session.volume;
        options->volume.named = false;
    }
    options->session_file = &presets->session;
    return !options->motion.to || presets_read_end(options, problem);
}

static bool program_run(
    command_run *const runs[COMMANDS], const struct options *options, struct problem *problem)
{
    if (options->print) {
        program_print(options);
        return true;
    }
    command_run *run = runs[command_id(options->command)];
    return run ? run(options, problem)
               : problem_set(
                     problem, PROBLEM_USAGE,
                     "`cubist-mpi` has only the commands extract, info, render and devices; use "
                     "`cubist %s`",
                     options->command->name);
}

// A full disk is an error. A pipe whose reader has ended, as head does, is PROBLEM_NO_READER.
static bool program_flush(struct problem *problem)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return true;
    }
    const int why = errno;
    struct pollfd out = { .fd = STDOUT_FILENO };
    if (poll(&out, 1, 0) == 1 && out.revents & POLLERR) {
        return problem_set(problem, PROBLEM_NO_READER, "nobody reads standard output any more");
    }
    return problem_set(
        problem, PROBLEM_OUTPUT, "standard output cannot be written: %s", strerror(why));
}

// `written`: name of the output file, or NULL. `before`: the file with this name before the run.
static void program_print_problem(
    const struct problem *problem, const char *written, const struct source_stamp *before)
{
    const struct source_stamp now = written ? source_stamp_at(written) : *before;
    if (now.device == before->device && now.inode == before->inode) {
        fprintf(stderr, "cubist: %s\n", problem->text);
        return;
    }
    // A new file is in place (see output.h). The command failed later, in its report.
    struct problem with_file;
    problem_set(&with_file, problem->kind, "%s; '%s' was written", problem->text, written);
    fprintf(stderr, "cubist: %s\n", with_file.text);
}

// Ends the process at once if gpu_abandoned is set. Standard output has been flushed.
static int program_leave(int code)
{
    if (gpu_abandoned) {
        output_unlink_pending();
        _exit(code);
    }
    return code;
}

int program_main(int argc, char **argv, command_run *const runs[COMMANDS])
{
    signals_install();
    struct options options = { 0 };
    struct problem problem = { 0 };
    struct presets presets = { .texts = json_array() };
    bool fine =
        ranks_begin(&argc, &argv, &problem) && arguments_parse(argc, argv, &options, &problem);
    log_quiet = options.quiet || ranks()->rank > 0;
    options.verbose = options.verbose && ranks()->rank == 0;
    options.texts = presets.texts;
    const struct options line = options;
    options.line = &line;
    fine = fine && program_read_files(&options, &presets, &problem) &&
           presets_check_contours(&options, &problem) && option_digest_compare(&options, &problem);
    const char *written = options.output ? options.output : options.csv;
    const struct source_stamp before =
        written ? source_stamp_at(written) : (struct source_stamp){ 0 };
    fine = fine && program_run(runs, &options, &problem);
    presets_end(&presets);
    apart_end();

    struct problem flushing;
    if (!program_flush(&flushing) && fine) {
        problem = flushing;
        fine = false;
    }
    fine = ranks_agree(fine, &problem);
    if (!fine && ranks()->rank == 0 && problem.kind != PROBLEM_NO_READER) {
        program_print_problem(&problem, written, &before);
    }
    ranks_end();
    return program_leave(fine ? 0 : problem_exit(problem.kind));
}
