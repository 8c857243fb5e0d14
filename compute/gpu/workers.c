// llvmpipe creates its threads in this order: first the rasterizer's, called llvmpipe-N, then as
// many compute threads, which have the name of the process.

#include "compute/gpu/workers.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define THREADS 1024

static int workers_by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// Lists the threads of the process, oldest first. Returns their number.
static int workers_list_threads(int threads[THREADS])
{
    DIR *folder = opendir("/proc/self/task");
    int count = 0;
    const struct dirent *entry;
    while (folder && count < THREADS && (entry = readdir(folder))) {
        if (entry->d_name[0] != '.') {
            threads[count++] = atoi(entry->d_name);
        }
    }
    if (folder) {
        closedir(folder);
    }
    qsort(threads, (size_t)count, sizeof *threads, workers_by_number);
    return count;
}

#define NAME 32

// Reads a thread's name; "" when the thread has ended.
static void workers_read_name(int thread, char name[NAME])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/comm", thread);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(name, NAME, file)) {
        *name = '\0';
    }
    if (file) {
        fclose(file);
    }
}

// Finds llvmpipe's threads. Returns how many compute threads there are, and the index of the first
// one in *first. Returns 0 when the threads are not as expected, or when some of them have not set
// their names yet.
static int workers_find(int threads[THREADS], int *first)
{
    const int count = workers_list_threads(threads);
    int rasterizers = 0;
    char own[NAME], name[NAME];
    workers_read_name((int)getpid(), own);
    for (int i = 0; i < count; i++) {
        workers_read_name(threads[i], name);
        if (strncmp(name, "llvmpipe-", 9) == 0) {
            rasterizers++;
            *first = i + 1;
        }
    }
    if (rasterizers == 0 || *first + rasterizers > count) {
        return 0;
    }
    for (int i = *first; i < *first + rasterizers; i++) {
        workers_read_name(threads[i], name);
        if (strcmp(name, own) != 0 || threads[i] == (int)getpid()) {
            return 0;
        }
    }
    return rasterizers;
}

void workers_spread(void)
{
    cpu_set_t allowed;
    int threads[THREADS], first = 0, found = 0;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return;
    }
    const int cpus = CPU_COUNT(&allowed);
    for (int tries = 0; tries < 20 && found != cpus; tries++) {
        if (tries > 0) {
            nanosleep(&(struct timespec){ .tv_nsec = 500000 }, NULL);
        }
        found = workers_find(threads, &first);
    }
    for (int i = 0, cpu = 0; found == cpus && i < found; i++, cpu++) {
        while (!CPU_ISSET(cpu, &allowed)) {
            cpu++;
        }
        cpu_set_t own;
        CPU_ZERO(&own);
        CPU_SET(cpu, &own);
        sched_setaffinity(threads[first + i], sizeof own, &own); // a failure costs only speed
    }
}
