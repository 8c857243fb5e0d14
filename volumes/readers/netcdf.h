// NetCDF 1, 2 and 5: the classic format. NetCDF-4 is HDF5.
#pragma once

#include <stdbool.h>

bool netcdf_matches(const char *path);

// Reads the file at `path` until the requests end: 0 for main.
int netcdf_serve(const char *path);
