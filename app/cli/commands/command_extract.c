#include "app/extract/extract.h"

bool command_extract(const struct options *options, struct problem *problem)
{
    return options->rates.given ? extract_plan(options, problem) : extract(options, problem);
}
