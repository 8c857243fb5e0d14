// The threads that a device on the CPU computes with.
#pragma once

// Ties each of llvmpipe's compute workers to a CPU of its own, where there is one for each: a
// dispatch waits for all of them, and where steps are short the kernel may leave two on one CPU for
// long while another is idle. Elsewhere, and where the driver's threads are not what is expected,
// nothing is done. After the device was created.
void workers_spread(void);
