// NetCDF 1, 2 and 5: the classic format. NetCDF-4 is HDF5.
#pragma once

// Reads the file at `path` until the requests end: 0 or 1 for main; -1: it is no such file.
int netcdf_serve(const char *path);
