// Opens and closes volumes.
#pragma once

#include "app/viewer/files/files.h"

// Starts to load `path` (NULL: the generated volume). Cancels the load of another one. In a folder
// of volumes it loads the first volume; a folder of slices is one volume. The options of the
// command line apply only to the path that the command line names.
bool open_start(struct files *files, const char *path, struct problem *problem);

// Starts to load a file with these params, and cancels the load of another one. `with_options`: the
// isovalue and the view of the command line apply, too.
bool open_start_as(
    struct files *files, const char *path, const struct volume_params *params, bool with_options,
    struct problem *problem);

// Opens a path that the person has chosen in a form or dropped. If it names a session, loads the
// session's volume, or lets a form ask for it. Otherwise, if a session waits for a missing volume,
// the path is this volume. Otherwise the path is opened by itself.
bool open_chosen(struct files *files, const char *path, struct problem *problem);

// Loads the open file once more.
bool open_reload(struct files *files, struct problem *problem);
// Loads another volume of the open file.
bool open_pick(
    struct files *files, const struct pick *pick, bool turns_spacing, struct problem *problem);
void open_cancel(struct open *opening);

// Starts to load the file that is `step` files after the last requested one in its folder.
void open_step(struct files *files, int step);

// The path of the open file, or of its session. NULL: none is open, or it is the generated volume.
const char *open_path(const struct files *files);

// Waits for the file that is being read, at most `ms` milliseconds.
void open_await(struct files *files, double ms);

// --watch: loads the open file once more if it has changed.
void open_look(struct files *files);

// When a file has been read, begins to upload it to the device. False: the problem must end the
// viewer.
bool open_take(struct files *files, struct problem *problem);

// Uploads for some milliseconds. Shows the volume when it is uploaded. False: as open_take.
bool open_go_on(struct files *files, struct problem *problem);

void open_end(struct files *files); // cancels what is being opened
