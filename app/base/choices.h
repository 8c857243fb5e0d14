// The methods that ran for the streams of a step, for reports.
#pragma once

#include "app/base/json.h"
#include "compute/extraction/extraction.h"

#include <stdio.h>

// "bricks by NAME, cells by NAME".
#define CHOICES_TEXT 120
const char *choices_text(const struct extraction_result *result, char text[CHOICES_TEXT]);

// Lines that give the reasons, each after `indent` spaces. None where no method was selected.
void choices_print_why(const struct extraction_result *result, int indent, FILE *file);

// Members of the open object: the methods, and the reasons (null where no method was selected).
void choices_json(const struct extraction_result *result, json_t *json);
