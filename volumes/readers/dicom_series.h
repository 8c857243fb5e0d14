// From the frames of many files to volumes: which belong together, their order, gaps, and steps.
//
// Frames of one SeriesInstanceUID with equal sizes, samples, orientation, spacing and echo are a
// series. They are sorted by their positions along the normal, never by names or numbers. Frames at
// equal positions are time steps, or series of their own where their ImageType differs.
#pragma once

#include "volumes/readers/dicom_file.h"

#include <string>
#include <vector>

struct dicom_slice {
    const dicom_file *file;
    size_t number; // of the frame
    double along;  // position along the normal, in mm; or a number where none is stated
    const dicom_frame &frame() const
    {
        return file->frames[number];
    }
};

struct dicom_series {
    std::string name;
    std::vector<std::vector<dicom_slice>> times; // each sorted by position
    bool uneven;                                 // some positions have fewer frames than others
};

// A layer of the volume: the numbers of two slices to mix. Twice the same number: one slice. Twice
// -1: the layer is blank.
struct dicom_layer {
    int slices[2];
    double weight; // of the second one
};

struct dicom_plan {
    std::vector<dicom_layer> layers;
    double steps[3][3], origin[3];
    bool stated; // steps are in mm
    std::vector<std::string> remarks;
};

// No two series have the same name. Series are in the order of their files.
std::vector<dicom_series> dicom_group(const std::vector<dicom_file> &files);

bool dicom_parallel(const dicom_frame &a, const dicom_frame &b);

// How the file, of the same series, differs from the slices that it lies between: " has 80 rows,
// not 512"; "" where it does not.
std::string dicom_differs(const dicom_file &file, const std::vector<dicom_slice> &slices);

// How the slices, sorted, make a regular grid. `gaps` is "blank", "resample" or NULL. Throws a
// dicom_refusal where slices are missing or at varying distances, and `gaps` is NULL. `lost`: why
// slices may be missing, or "".
dicom_plan
dicom_lay(const std::vector<dicom_slice> &slices, const char *gaps, const std::string &lost);
