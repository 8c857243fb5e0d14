// The threads that a CPU device computes with.
#pragma once

// Pins each of llvmpipe's compute threads to a CPU of its own, if there are enough CPUs. A dispatch
// waits for all threads, and in short steps the kernel of the operating system may leave two of
// them on one CPU for long while another CPU is idle. Does nothing for other drivers, or when the
// driver's threads are not as expected. Call it after the device was created.
void workers_spread(void);
