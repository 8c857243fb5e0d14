// `cubist`: all commands, in one process.
#include "app/cli/command.h"

static command_run *const runs[COMMANDS] = {
    [COMMAND_VIEW] = command_view,
    [COMMAND_INFO] = command_info,
    [COMMAND_EXTRACT] = command_extract,
    [COMMAND_MERGE] = command_merge,
    [COMMAND_RENDER] = command_render,
    [COMMAND_ANIMATE] = command_animate,
    [COMMAND_VERIFY] = command_verify,
    [COMMAND_CONVERT] = command_convert,
    [COMMAND_GENERATE] = command_generate,
    [COMMAND_DEVICES] = command_devices,
    [COMMAND_METHODS] = command_methods,
    [COMMAND_BENCH] = command_bench,
};

int main(int argc, char **argv)
{
    return program_main(argc, argv, runs);
}
