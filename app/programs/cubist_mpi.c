// `cubist-mpi`: the commands that several processes can do together. mpirun or srun starts it.
#include "app/cli/command.h"

static command_run *const runs[COMMANDS] = {
    [COMMAND_INFO] = command_info,
    [COMMAND_EXTRACT] = command_extract,
    [COMMAND_RENDER] = command_render,
    [COMMAND_DEVICES] = command_devices,
};

int main(int argc, char **argv)
{
    return program_main(argc, argv, runs);
}
