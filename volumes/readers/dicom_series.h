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

// One layer of the volume: a slice twice, two slices to mix, or blank, which is -1 twice.
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

// The names differ. The first ones have the files that come first.
std::vector<dicom_series> dicom_group(const std::vector<dicom_file> &files);

// How the slices, sorted, make a regular grid. `gaps` is "blank", "resample" or NULL. Throws a
// dicom_refusal where slices are missing or at varying distances, and `gaps` is NULL.
dicom_plan dicom_lay(const std::vector<dicom_slice> &slices, const char *gaps);
