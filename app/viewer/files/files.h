// What the files of this folder share: the volume that is being opened, the sessions, and the mesh
// that is being written.
#pragma once

#include "app/viewer/files/exporter.h"
#include "app/viewer/files/undo.h"
#include "app/viewer/files/watch.h"
#include "app/viewer/forms/raw_form.h"
#include "app/viewer/methods/measurement.h"
#include "app/viewer/window/window.h"
#include "app/viewer/work/loader.h"
#include "app/viewer/work/works.h"
#include "volumes/base/output.h"

// The volume that is being opened, and the watched files. See also works->uploading.
struct open {
    struct loader *loader;       // NULL: nothing is being read
    struct extract *extract;     // uploads works->uploading to the device
    double read_ms;              // how long reading took
    bool cancelled;              // the upload was cancelled
    struct volume_params params; // how the file is read
    bool with_options;           // the options of the command line are for this file
    bool resuming;               // the volume was open when a device was lost: settings stay
    char *place;                 // path of the last requested file; its neighbours are opened next
    struct raw_file unsized;     // a file without a stated size or with a remedy: a form must ask
    int stepping;                // -1 or +1: Left or Right requested the file; 0: neither
    struct source_files files;   // the files that were read last
    struct watch watch;          // of the open volume's files
    bool in_folder;              // a folder was requested; its first readable file is opened
    uint32_t steps_left;         // how many further files of the folder may be opened
    uint32_t stepped_over;       // how many unreadable files were skipped
};

// A session that was opened in the window.
struct opened_session {
    struct session_file file;
    struct stated stated;
};

// Sessions, each NULL where there is none. `loading`: its volume is being read. `asks`: it waits
// for a missing volume. `shown`: its volume is open.
struct store {
    struct opened_session *loading, *asks, *shown;
    const struct session_file *waits; // waiting session: that of `asks`, or of the command line
    bool needs_form;                  // the form that asks is not shown yet
    struct problem why;               // shown if the person does not say where the volume is
    const struct session_file *own;   // the open volume's: that of `shown`, or the command line's
    char *path;                       // the file that a session is saved to; NULL: a new one
    bool recalled;                    // the volume's last view was shown when it was opened
    struct view begun;                // the view that the volume was first shown with
    struct view last;                 // the view that `begun` would be without the command line
};

struct saver {
    char path[OUTPUT_PLACED];  // of the mesh that was requested last
    struct exporter *exporter; // NULL: no mesh is being written
};

struct files {
    const struct viewer_params *params;
    struct works *works;
    struct message *message;
    struct settings *settings;
    struct undo *undo;               // of the view
    struct measurement *measurement; // cancelled when another volume is shown
    struct window *window;           // gets the title, and what is copied
    const struct ui *ui;             // knows the part of the window that the panel takes
    struct open open;
    struct store store;
    struct saver saver;
    struct problem nothing_opened; // why no volume could be opened; kind 0 once one was opened
};
