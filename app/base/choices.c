#include "app/base/choices.h"

const char *choices_text(const struct extraction_result *result, char text[CHOICES_TEXT])
{
    snprintf(
        text, CHOICES_TEXT, "bricks by %.40s, cells by %.40s", result->bricks_choice.method->name,
        result->cells_choice.method->name);
    return text;
}

void choices_print_why(const struct extraction_result *result, int indent, FILE *file)
{
    if (result->bricks_choice.why[0]) {
        fprintf(file, "%*sbricks: %s\n", indent, "", result->bricks_choice.why);
        fprintf(file, "%*scells: %s\n", indent, "", result->cells_choice.why);
    }
}

void choices_json(const struct extraction_result *result, json_t *json)
{
    const struct extraction_choice *bricks = &result->bricks_choice, *cells = &result->cells_choice;
    json_add_text(json, "bricks_method", bricks->method->name);
    json_add_text(json, "bricks_why", bricks->why[0] ? bricks->why : NULL);
    json_add_text(json, "cells_method", cells->method->name);
    json_add_text(json, "cells_why", cells->why[0] ? cells->why : NULL);
}
