// The stored samples of one frame of a DICOM file, as the file has them: not masked, not scaled.
#pragma once

#include "volumes/readers/dicom_file.h"

#include <string>
#include <vector>

// Decodes one frame into `samples`: columns x rows samples of file.bytes bytes each, in the byte
// order of the machine. False: `error` says why, without the file's name.
bool dicom_pixels_read(
    const dicom_file &file, size_t frame, std::vector<char> *samples, std::string *error);
