// The one way from a volume to a mesh. The layers of cells are divided into shares, one or many;
// each share is extracted by itself, into memory or into a file; all shares together are the mesh:
//
//   alone              one share, in memory
//   --share            one of several shares, in a file, for merge
//   --resume, or with  shares in a folder, by all ranks; only layers that the folder lacks are
//   several ranks      made. Without --resume the folder is hidden, beside the mesh.
#pragma once

#include "app/extract/surface.h"
#include "compute/mesh/shares.h"

// The command extract, without --plan. Collective. On false no mesh and no share was written by -o,
// but of several isovalues those before the failure, which the problem names; the shares in the
// folder of --resume are complete.
bool extract(const struct options *options, struct problem *problem);

// extract --plan (plan.c): prints what a run of several processes would read and write, and its
// memory and time. Reads no samples, opens no device and writes nothing. The file may still lack
// its samples. A raw file need not exist if its name, or --dims and --type, describe it.
// PROBLEM_USAGE, as in the run itself, for a file that several processes cannot read.
bool extract_plan(const struct options *options, struct problem *problem);

// Describes the surface at isovalue `which` of --iso, numbered from 0, and writes no mesh. Call it
// after session_read. Opens the device if it is not open, and extracts with the method of --method.
// The facts stay 0 if no report is asked for (options_report). May free the samples in host memory
// when the device has them.
bool extract_facts(
    struct session *session, const struct options *options, uint32_t which, struct measured *out,
    struct problem *problem);

// Collective. Writes the mesh of the shares to options->output, and adds the time to *ms. The
// shares must be checked or indexed, and are of this isovalue of --iso. `output`: the target if
// rank 0 has opened it; otherwise closed.
bool extract_write_shares(
    struct shares *shares, const struct options *options, uint32_t contour,
    const struct mesh_format *format, struct output *output, double *ms, struct problem *problem);
