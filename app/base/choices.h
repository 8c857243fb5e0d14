// What ran for the streams of a step, for reports.
#pragma once

#include "app/base/json.h"
#include "compute/extraction/extraction.h"

#include <stdio.h>

// "bricks by NAME, cells by NAME".
#define CHOICES_TEXT 120
const char *choices_text(const struct extraction_result *result, char text[CHOICES_TEXT]);

// Lines that say why, each after `indent` spaces; none where nothing was chosen.
void choices_print_why(const struct extraction_result *result, int indent, FILE *file);

// Members of the object that is open: the methods, and why (null where nothing was chosen).
void choices_json(const struct extraction_result *result, json_t *json);
