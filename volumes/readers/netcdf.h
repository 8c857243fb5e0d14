// NetCDF 1, 2 and 5: the classic format. NetCDF-4 is HDF5.
#pragma once

// Opens the file at `path` and answers the requests for it until they end. Returns the exit status
// of main, which is 0 or 1. Returns -1 if the file is not a classic NetCDF file.
int netcdf_serve(const char *path);
