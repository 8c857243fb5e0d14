// `cubist-bench`: the measurements. Its command line is that of `cubist bench` without this word.
#include "app/bench/bench.h"
#include "app/cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static command_run *const runs[COMMANDS] = { [COMMAND_BENCH] = bench_command };

int main(int argc, char **argv)
{
    char **line = calloc((size_t)argc + 2, sizeof *line);
    if (!line) {
        fputs("cubist: out of memory\n", stderr);
        return problem_exit(PROBLEM_HOST_MEMORY);
    }
    line[0] = argv[0];
    line[1] = "bench";
    memcpy(line + 2, argv + 1, (size_t)argc * sizeof *line);
    const int code = program_main(argc + 1, line, runs);
    free(line);
    return code;
}
