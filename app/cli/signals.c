#include "app/cli/signals.h"

#include "compute/gpu/gpu.h"
#include "volumes/base/output.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static void signals_interrupt(int number)
{
    (void)number;
    if (interrupted) {
        output_unlink_pending();
        _exit(problem_exit(PROBLEM_INTERRUPTED));
    }
    interrupted = 1;
}

void signals_install(void)
{
    const struct sigaction ignore = { .sa_handler = SIG_IGN };
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);

    // Without SA_RESTART a signal also ends a wait for the other end of a named pipe.
    const struct sigaction stop = { .sa_handler = signals_interrupt };
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old;
        sigaction(numbers[i], NULL, &old);
        // Signals that nohup or a shell's background job ignores stay ignored.
        if (old.sa_handler != SIG_IGN) {
            sigaction(numbers[i], &stop, NULL);
        }
    }
}

// The loader calls signals_install after it has mapped the libraries, before their initialisers
// run. An earlier signal ends the process, which has done nothing yet. The sanitizers are not ready
// so early: in such a build only main calls signals_install.
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
__attribute__((section(".preinit_array"), used)) static void (*const signals_early)(void) =
    signals_install;
#endif
