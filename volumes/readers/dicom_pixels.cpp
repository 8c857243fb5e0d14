#include "volumes/readers/dicom_pixels.h"

#include <gdcmByteValue.h>
#include <gdcmFragment.h>
#include <gdcmImage.h>
#include <gdcmImageReader.h>
#include <gdcmSequenceOfFragments.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

// Where the fragments of a compressed file lie, or all samples of a file that GDCM reads as a
// whole: of the file that was read last.
struct dicom_opened {
    std::string path;
    std::ifstream stream;
    struct fragment {
        uint64_t offset; // of its bytes
        uint32_t length;
    };
    std::vector<fragment> fragments;
    std::vector<size_t> first; // fragments that begin frames, and one more
    std::vector<char> whole;
};

static uint32_t dicom_read_word(std::istream &stream)
{
    unsigned char b[4] = {};
    stream.read((char *)b, sizeof b);
    return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

// Whether compressed samples of a frame begin here, in JPEG or JPEG 2000.
static bool dicom_begins(std::istream &stream, uint64_t offset)
{
    char head[2] = {};
    stream.clear();
    stream.seekg(offset);
    stream.read(head, sizeof head);
    return memcmp(head, "\xff\xd8", 2) == 0 || memcmp(head, "\xff\x4f", 2) == 0;
}

// Lists the fragments, and which ones begin a frame. The first item is the table of the frames'
// offsets, which may be empty. A file that is cut short has fewer.
static void dicom_list_fragments(dicom_opened *opened, const dicom_file &file)
{
    std::istream &stream = opened->stream;
    stream.seekg(0, std::ios::end);
    const uint64_t bytes = stream.tellg();
    const size_t frames = file.frames.size();
    std::vector<uint32_t> table;
    uint64_t base = 0;
    stream.seekg(file.offset);
    for (bool head = true; dicom_read_word(stream) == 0xe000fffe; head = false) {
        const uint32_t length = dicom_read_word(stream);
        const uint64_t at = stream.tellg();
        if (!stream || length > bytes - at) {
            break;
        }
        if (!head) {
            opened->fragments.push_back({ at, length });
        } else {
            base = at + length + 8;
            for (uint64_t i = 4; i <= length; i += 4) {
                table.push_back(dicom_read_word(stream));
            }
        }
        stream.seekg(at + length);
    }
    std::sort(table.begin(), table.end());
    const size_t count = opened->fragments.size();
    for (size_t i = 0; i < count; i++) {
        const uint64_t offset = opened->fragments[i].offset;
        const size_t next = opened->first.size();
        if (count == frames          ? true
            : table.size() == frames ? next < frames && offset - base == table[next]
            : count > frames         ? i == 0 || (frames > 1 && dicom_begins(stream, offset))
                                     : true) {
            opened->first.push_back(i);
        }
    }
    opened->first.push_back(count);
}

// Decodes one frame from its fragments, put together.
static bool dicom_decode(
    dicom_opened *opened, const dicom_file &file, size_t number, std::vector<char> *samples)
{
    std::vector<char> code;
    for (size_t i = opened->first[number]; i < opened->first[number + 1]; i++) {
        const dicom_opened::fragment &part = opened->fragments[i];
        code.resize(code.size() + part.length);
        opened->stream.clear();
        opened->stream.seekg(part.offset);
        opened->stream.read(code.data() + code.size() - part.length, part.length);
    }
    gdcm::Fragment fragment;
    fragment.SetByteValue(code.data(), (uint32_t)code.size());
    gdcm::SmartPointer<gdcm::SequenceOfFragments> fragments = new gdcm::SequenceOfFragments;
    fragments->AddFragment(fragment);
    gdcm::DataElement element(gdcm::Tag(0x7fe0, 0x0010), 0, gdcm::VR::OB);
    element.SetValue(*fragments);
    gdcm::Image image;
    image.SetNumberOfDimensions(2);
    image.SetColumns(file.size[0]);
    image.SetRows(file.size[1]);
    image.SetPixelFormat(
        gdcm::PixelFormat(1, 8 * file.bytes, file.stored, file.high, file.is_signed));
    image.SetPhotometricInterpretation(gdcm::PhotometricInterpretation::MONOCHROME2);
    image.SetTransferSyntax(file.syntax);
    image.SetDataElement(element);
    return opened->stream && image.GetBufferLength() == samples->size() &&
           image.GetBuffer(samples->data()) && image.GetPixelFormat().GetPixelSize() == file.bytes;
}

static bool dicom_read_whole(dicom_opened *opened, const dicom_file &file, size_t bytes)
{
    gdcm::ImageReader reader;
    reader.SetFileName(file.path.c_str());
    if (!reader.Read() || reader.GetImage().GetBufferLength() != bytes * file.frames.size()) {
        return false;
    }
    std::vector<char> whole(bytes * file.frames.size());
    if (!reader.GetImage().GetBuffer(whole.data()) ||
        reader.GetImage().GetPixelFormat().GetPixelSize() != file.bytes) {
        return false;
    }
    opened->whole.swap(whole);
    return true;
}

static void dicom_swap(std::vector<char> *samples, unsigned bytes)
{
    for (size_t i = 0; bytes > 1 && i + bytes <= samples->size(); i += bytes) {
        std::reverse(samples->data() + i, samples->data() + i + bytes);
    }
}

bool dicom_pixels_read(
    const dicom_file &file, size_t frame, std::vector<char> *samples, std::string *error)
{
    static dicom_opened opened;
    const size_t bytes = (size_t)file.size[0] * file.size[1] * file.bytes;
    samples->resize(bytes);
    const bool packed = !file.whole && file.length == UINT32_MAX;
    *error = "GDCM cannot decode frame " + std::to_string(frame);
    if (opened.path != file.path) {
        opened = dicom_opened();
        opened.stream.open(file.path, std::ios::binary);
        if (!opened.stream) {
            *error = std::string("cannot open it: ") + strerror(errno);
            return false;
        }
        if (packed) {
            dicom_list_fragments(&opened, file);
        }
        opened.path = file.path;
    }
    if (packed) {
        return frame + 1 < opened.first.size() && dicom_decode(&opened, file, frame, samples);
    }
    if (file.whole) {
        if (opened.whole.empty() && !dicom_read_whole(&opened, file, bytes)) {
            return false;
        }
        memcpy(samples->data(), opened.whole.data() + frame * bytes, bytes);
        return true;
    }
    opened.stream.clear();
    opened.stream.seekg(file.offset + frame * bytes);
    if (!opened.stream.read(samples->data(), (std::streamsize)bytes)) {
        *error = "it ends early";
        return false;
    }
    if (file.swapped) {
        dicom_swap(samples, file.bytes);
    }
    return true;
}
