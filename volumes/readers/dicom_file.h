// What the header of one DICOM file says of its frames: where each lies, and what its samples mean.
#pragma once

#include <gdcmTransferSyntax.h>

#include <array>
#include <cstdint>
#include <string>
#include <sys/stat.h>
#include <vector>

// What is thrown if a file is refused. `kind`: see protocol_refuse. `text`: one line without the
// file's name.
struct dicom_refusal {
    const char *kind;
    std::string text;
    std::string series = {}; // UID; "": not known; "*": it may be any, as the header is damaged
};

struct dicom_frame {
    double orientation[6]; // directions along a row and along a column, in LPS
    double spacing[2];     // from column to column, from row to row; 0: not stated
    double thickness;      // from frame to frame, or of one; 0: not stated
    double position[3];    // of the first sample, in LPS
    bool placed;           // orientation and position are stated
    double slope, intercept;
    double echo, time; // 0: not stated
    std::string kind;  // such as "M_FFE"
};

struct dicom_file {
    std::string path;
    struct stat seen;                // before its header was read
    std::string series, image;       // UIDs
    std::string description, number; // of the series
    uint32_t size[2];                // columns, rows
    unsigned bytes, stored, high;    // of a sample; bits stored; the highest of them
    bool is_signed;
    bool padded;
    int64_t padding[2]; // stored values from..to that pad
    double instance;

    // The samples begin at `offset`. They take `length` bytes; UINT32_MAX: they are compressed, in
    // fragments. `swapped`: they are big endian. `whole`: GDCM decodes only the whole file.
    gdcm::TransferSyntax syntax;
    uint64_t offset;
    uint32_t length;
    bool swapped, whole;

    std::vector<dicom_frame> frames;
};

// The direction in which slices follow each other: along a row x along a column.
std::array<double, 3> dicom_normal(const dicom_frame &frame);

// Reads the header. An index of other files (DICOMDIR) has no frames. Throws a dicom_refusal.
dicom_file dicom_file_read(const std::string &path);
