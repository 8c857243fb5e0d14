// The form that asks for the name and the format of a mesh to export.
#pragma once

#include "app/viewer/forms/form.h"
#include "volumes/base/output.h"

// Shows the form with this title, the name `stem` and row `format` of mesh_formats. False: out of
// memory.
bool export_form_show(struct form *form, const char *title, const char *stem, uint32_t format);
void export_form_typed(struct form *form);
void export_form_selected(struct form *form); // the name follows the format if it has an extension

// Sets `path` and a note to what Enter would write. False: nothing; the note says why.
bool export_form_check(struct form *form, char path[OUTPUT_PLACED]);
