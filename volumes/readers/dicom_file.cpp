#include "volumes/readers/dicom_file.h"

#include <gdcmReader.h>
#include <gdcmSequenceOfItems.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

using gdcm::DataSet;
using gdcm::Tag;

static const Tag PIXEL_DATA(0x7fe0, 0x0010);

// The header of a file with frames. A value of a frame stands in the sequence of this frame, or in
// that of all frames. In a file with one frame it stands at the top.
struct dicom_header {
    const DataSet *top, *shared, *frame;
};

// A sequence, with at least one item; NULL: there is none.
static gdcm::SmartPointer<gdcm::SequenceOfItems> dicom_sequence(const DataSet *set, const Tag &tag)
{
    if (!set || !set->FindDataElement(tag)) {
        return nullptr;
    }
    gdcm::SmartPointer<gdcm::SequenceOfItems> items = set->GetDataElement(tag).GetValueAsSQ();
    return items && items->GetNumberOfItems() > 0 ? items : nullptr;
}

static std::string dicom_bytes(const DataSet *set, const Tag &tag)
{
    const gdcm::ByteValue *value =
        set && set->FindDataElement(tag) ? set->GetDataElement(tag).GetByteValue() : nullptr;
    return value ? std::string(value->GetPointer(), value->GetLength()) : std::string();
}

// The value in the frame's sequence, in that of all frames, or at the top.
static std::string
dicom_value(const dicom_header &header, const Tag &tag, const Tag &sequence = Tag(0, 0))
{
    std::string bytes;
    for (const DataSet *set : { header.frame, header.shared }) {
        const auto items = dicom_sequence(set, sequence);
        if (items && bytes.empty()) {
            bytes = dicom_bytes(&items->GetItem(1).GetNestedDataSet(), tag);
        }
    }
    return bytes.empty() ? dicom_bytes(header.top, tag) : bytes;
}

static std::string dicom_trim(const std::string &bytes)
{
    const std::string blank(" \0\t\r\n", 5);
    const size_t first = bytes.find_first_not_of(blank);
    return first == std::string::npos
               ? std::string()
               : bytes.substr(first, bytes.find_last_not_of(blank) + 1 - first);
}

// Reads decimal numbers, which backslashes separate, up to the first text that is no number.
static std::vector<double> dicom_numbers(const std::string &bytes)
{
    std::vector<double> numbers;
    const std::string text = dicom_trim(bytes);
    for (const char *at = text.c_str(); *at;) {
        char *end;
        const double number = strtod(at, &end);
        const char *next = end + strspn(end, " ");
        if (end == at || (*next && *next != '\\') || !std::isfinite(number)) {
            break;
        }
        numbers.push_back(number);
        at = *next ? next + 1 : next;
    }
    return numbers;
}

static double dicom_number(const std::string &bytes, double otherwise)
{
    const std::vector<double> numbers = dicom_numbers(bytes);
    return numbers.empty() ? otherwise : numbers[0];
}

// A binary value, which GDCM has put into the order of the machine.
template <typename T> static T dicom_binary(const std::string &bytes, T otherwise)
{
    if (bytes.size() >= sizeof otherwise) {
        memcpy(&otherwise, bytes.data(), sizeof otherwise);
    }
    return otherwise;
}

// The third and further values of an image type: of ORIGINAL\PRIMARY\M\FFE it is M\FFE.
static std::string dicom_kind(const std::string &type)
{
    size_t at = type.find('\\');
    at = at == std::string::npos ? at : type.find('\\', at + 1);
    std::string kind = at == std::string::npos ? "" : dicom_trim(type.substr(at + 1));
    std::replace(kind.begin(), kind.end(), '\\', ' ');
    return kind;
}

static dicom_frame dicom_read_frame(const dicom_header &header)
{
    const Tag measures(0x0028, 0x9110), transformation(0x0028, 0x9145);
    dicom_frame frame = {};
    auto spacing = dicom_numbers(dicom_value(header, Tag(0x0028, 0x0030), measures));
    if (spacing.size() < 2) {
        spacing = dicom_numbers(dicom_value(header, Tag(0x0018, 0x1164))); // at the detector
    }
    if (spacing.size() >= 2 && spacing[0] > 0 && spacing[1] > 0) {
        frame.spacing[0] = spacing[1];
        frame.spacing[1] = spacing[0];
    }
    frame.thickness = fabs(dicom_number(dicom_value(header, Tag(0x0018, 0x0088), measures), 0));
    if (frame.thickness == 0) {
        frame.thickness = fabs(dicom_number(dicom_value(header, Tag(0x0018, 0x0050), measures), 0));
    }
    const auto position =
        dicom_numbers(dicom_value(header, Tag(0x0020, 0x0032), Tag(0x0020, 0x9113)));
    const auto orientation =
        dicom_numbers(dicom_value(header, Tag(0x0020, 0x0037), Tag(0x0020, 0x9116)));
    const double plain[6] = { 1, 0, 0, 0, 1, 0 };
    std::copy_n(plain, 6, frame.orientation);
    if (position.size() >= 3 && orientation.size() >= 6) {
        const double *at = orientation.data();
        const double along = std::hypot(at[0], at[1], at[2]),
                     down = std::hypot(at[3], at[4], at[5]);
        const double angle = at[0] * at[3] + at[1] * at[4] + at[2] * at[5];
        if (fabs(along - 1) < 0.01 && fabs(down - 1) < 0.01 && fabs(angle) < 0.01) {
            std::copy_n(position.data(), 3, frame.position);
            for (int i = 0; i < 6; i++) {
                frame.orientation[i] = at[i] / (i < 3 ? along : down);
            }
            frame.placed = true;
        }
    }
    frame.slope = dicom_number(dicom_value(header, Tag(0x0028, 0x1053), transformation), 1);
    frame.intercept = dicom_number(dicom_value(header, Tag(0x0028, 0x1052), transformation), 0);
    const double dose = dicom_number(dicom_bytes(header.top, Tag(0x3004, 0x000e)), 0);
    if (dose > 0 || frame.slope == 0) {
        frame.slope = dose > 0 ? dose : 1;
        frame.intercept = 0;
    }
    frame.echo = dicom_binary(
        dicom_value(header, Tag(0x0018, 0x9082), Tag(0x0018, 0x9114)),
        dicom_number(dicom_bytes(header.top, Tag(0x0018, 0x0081)), 0));
    const std::string time = dicom_value(header, Tag(0x0020, 0x9128), Tag(0x0020, 0x9111));
    frame.time = !time.empty() ? dicom_binary<uint32_t>(time, 0)
                               : dicom_number(
                                     dicom_bytes(header.top, Tag(0x0020, 0x0100)),
                                     dicom_number(dicom_bytes(header.top, Tag(0x0018, 0x1060)), 0));
    for (const Tag &sequence :
         { Tag(0x0018, 0x9226), Tag(0x0018, 0x9329), Tag(0x0018, 0x9751) }) { // MR, CT, PET
        if (frame.kind.empty()) {
            frame.kind = dicom_kind(dicom_value(header, Tag(0x0008, 0x9007), sequence));
        }
    }
    if (frame.kind.empty()) {
        frame.kind = dicom_kind(dicom_bytes(header.top, Tag(0x0008, 0x0008)));
    }
    return frame;
}

std::array<double, 3> dicom_normal(const dicom_frame &frame)
{
    const double *at = frame.orientation;
    return { at[1] * at[5] - at[2] * at[4], at[2] * at[3] - at[0] * at[5],
             at[0] * at[4] - at[1] * at[3] };
}

// Frames without a position of their own lie at the offsets that a dose states, or behind each
// other.
static void dicom_place_frames(dicom_file *file, const DataSet *top)
{
    const auto offsets = dicom_numbers(dicom_bytes(top, Tag(0x3004, 0x000c)));
    std::array<double, 3> normal = dicom_normal(file->frames[0]);
    const bool stated = offsets.size() == file->frames.size();
    if (stated && offsets[0] != 0) { // they are z of the patient
        normal = { 0, 0, 1 };
    }
    for (size_t i = 0; i < file->frames.size(); i++) {
        dicom_frame &frame = file->frames[i];
        const double step = frame.thickness > 0 ? frame.thickness : 1;
        const double way = stated ? offsets[i] - offsets[0] : (double)i * step;
        for (int axis = 0; axis < 3; axis++) {
            frame.position[axis] += way * normal[axis];
        }
    }
}

static void dicom_read_frames(dicom_file *file, const DataSet &top)
{
    const auto of_all = dicom_sequence(&top, Tag(0x5200, 0x9229));
    const auto of_each = dicom_sequence(&top, Tag(0x5200, 0x9230));
    const size_t each = of_each ? of_each->GetNumberOfItems() : 0;
    dicom_header header = { &top, of_all ? &of_all->GetItem(1).GetNestedDataSet() : nullptr,
                            nullptr };
    bool own = false; // frames have positions of their own
    for (size_t i = 0; i < file->frames.size(); i++) {
        header.frame = i < each ? &of_each->GetItem(i + 1).GetNestedDataSet() : nullptr;
        file->frames[i] = i == 0 || header.frame ? dicom_read_frame(header) : file->frames[0];
        own = own || (header.frame && file->frames[i].placed);
    }
    if (!own) {
        dicom_place_frames(file, &top);
    }
}

// Throws where GDCM cannot decode the syntax of the samples.
static void dicom_check_syntax(const gdcm::TransferSyntax &syntax, const std::string &uid)
{
    const std::string codec = uid.compare(0, 22, "1.2.840.10008.1.2.4.20") == 0   ? "HTJ2K"
                              : uid.compare(0, 22, "1.2.840.10008.1.2.4.10") == 0 ? "video"
                                                                                  : "";
    if (!codec.empty() && uid.size() == 23) {
        throw dicom_refusal{ "unsupported",
                             "its samples are " + codec + ", which GDCM does not decode" };
    }
    if (!syntax.IsValid() && !uid.empty()) {
        throw dicom_refusal{ "unsupported", "GDCM does not know its transfer syntax " + uid };
    }
}

// Finds where the samples begin; `stream` stands behind the head of PixelData.
static void dicom_find_samples(dicom_file *file, std::istream &stream, uint64_t bytes)
{
    file->whole = file->syntax == gdcm::TransferSyntax::DeflatedExplicitVRLittleEndian;
    if (file->whole) {
        return;
    }
    const bool big = file->syntax == gdcm::TransferSyntax::ExplicitVRBigEndian;
    const unsigned past = file->syntax.IsImplicit() ? 8 : 12;
    unsigned char head[12] = {};
    file->offset = (uint64_t)stream.tellg();
    stream.clear();
    if (file->offset < past || file->offset > bytes || !stream.seekg(file->offset - past) ||
        !stream.read((char *)head, past) ||
        memcmp(head, big ? "\x7f\xe0\0\x10" : "\xe0\x7f\x10", 4) != 0) {
        throw dicom_refusal{ "input", "it holds no picture (it has no PixelData)" };
    }
    const unsigned char *at = head + past - 4;
    file->length = big ? (uint32_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3]
                       : (uint32_t)at[3] << 24 | at[2] << 16 | at[1] << 8 | at[0];
    file->swapped = big || file->syntax == gdcm::TransferSyntax::ImplicitVRBigEndianPrivateGE;
}

// Counts the frames. Refuses a file that ends before its uncompressed samples do.
static void dicom_count_frames(dicom_file *file, double count, uint64_t bytes)
{
    if (!(count >= 1 && count <= (double)bytes)) {
        throw dicom_refusal{ "input", "its NumberOfFrames is wrong" };
    }
    const double frame = (double)file->size[0] * file->size[1] * file->bytes;
    if (frame > 1000.0 * (double)bytes + (64 << 20)) { // no codec compresses so well
        throw dicom_refusal{ "input", "its Rows and Columns are too large for its size" };
    }
    file->frames.resize((size_t)count);
    if (!file->whole && file->length != UINT32_MAX) {
        const uint64_t there = std::min<uint64_t>(file->length, bytes - file->offset);
        const uint64_t needed = file->frames.size() * file->size[0] * file->size[1] * file->bytes;
        if (there < needed) {
            throw dicom_refusal{ "input", "it ends early: its samples have " +
                                              std::to_string(there) + " of " +
                                              std::to_string(needed) + " bytes" };
        }
    }
}

static void dicom_read_padding(dicom_file *file, const DataSet &top)
{
    const std::string from = dicom_bytes(&top, Tag(0x0028, 0x0120));
    const std::string to = dicom_bytes(&top, Tag(0x0028, 0x0121));
    file->padded = from.size() >= 2;
    for (int end = 0; end < 2; end++) {
        const uint16_t value = dicom_binary<uint16_t>(end && to.size() >= 2 ? to : from, 0);
        file->padding[end] = file->is_signed ? (int16_t)value : value;
    }
    if (file->padding[0] > file->padding[1]) {
        std::swap(file->padding[0], file->padding[1]);
    }
}

static void dicom_read_top(dicom_file *file, const DataSet &top)
{
    const auto text = [&](uint16_t group, uint16_t element) {
        return dicom_trim(dicom_bytes(&top, Tag(group, element)));
    };
    const auto us = [&](uint16_t element, unsigned otherwise) -> unsigned {
        return dicom_binary<uint16_t>(dicom_bytes(&top, Tag(0x0028, element)), otherwise);
    };
    file->series = text(0x0020, 0x000e);
    file->image = text(0x0008, 0x0018);
    file->description = text(0x0008, 0x103e);
    file->number = text(0x0020, 0x0011);
    file->instance = dicom_number(text(0x0020, 0x0013), 0);
    file->size[0] = us(0x0011, 0);
    file->size[1] = us(0x0010, 0);
    const unsigned allocated = us(0x0100, 0);
    file->bytes = allocated / 8;
    file->stored = us(0x0101, allocated);
    file->high = us(0x0102, file->stored - 1);
    file->is_signed = us(0x0103, 0) == 1;
    if (file->swapped && file->bytes == 1) {
        file->whole = true; // neighbours may be exchanged
    }
    const std::string photometric = text(0x0028, 0x0004);
    std::string why;
    if (us(0x0002, 1) != 1 || photometric == "PALETTE COLOR") {
        why = "it has colours (" + photometric + "), not one value a sample";
    } else if (text(0x0008, 0x0008).find("MOSAIC") != std::string::npos) {
        why = "it is a Siemens mosaic: many slices are tiles of one picture; convert it with "
              "dcm2niix";
    } else if (allocated == 1) {
        why = "its samples have 1 bit: a segmentation; export it as NRRD";
    } else if (allocated != 8 && allocated != 16 && allocated != 32) {
        why = "it has " + std::to_string(allocated) + " bits a sample, not 8, 16 or 32";
    } else if (
        file->size[0] > 0 && file->size[1] > 0 && file->stored > 0 && file->high < allocated &&
        file->stored <= file->high + 1) {
        return;
    } else {
        throw dicom_refusal{ "input", "its Rows, Columns, BitsStored or HighBit are wrong" };
    }
    throw dicom_refusal{ "unsupported", why };
}

static void dicom_read_header(const std::string &path, dicom_file *file)
{
    std::ifstream stream(path, std::ios::binary | std::ios::ate);
    if (!stream) {
        throw dicom_refusal{ "input", std::string("cannot open it: ") + strerror(errno) };
    }
    file->path = path;
    stat(path.c_str(), &file->seen);
    const uint64_t bytes = (uint64_t)stream.tellg();
    stream.seekg(0);
    gdcm::Reader reader;
    reader.SetStream(stream);
    const bool read = reader.ReadUpToTag(PIXEL_DATA, { PIXEL_DATA });
    const gdcm::FileMetaInformation &meta = reader.GetFile().GetHeader();
    const DataSet &top = reader.GetFile().GetDataSet();
    file->syntax = meta.GetDataSetTransferSyntax();
    dicom_check_syntax(file->syntax, dicom_trim(dicom_bytes(&meta, Tag(0x0002, 0x0010))));
    if (!read) {
        char mark[4] = {};
        stream.clear();
        stream.seekg(128);
        stream.read(mark, sizeof mark);
        const std::string series = dicom_trim(dicom_bytes(&top, Tag(0x0020, 0x000e)));
        file->series = series.empty() ? "*" : series;
        throw dicom_refusal{ "input", memcmp(mark, "DICM", 4) == 0
                                          ? "GDCM finds no whole DICOM header in it"
                                          : "it has no DICOM header (no meta information)" };
    }
    if (top.FindDataElement(Tag(0x0004, 0x1220))) {
        return; // an index of other files
    }
    if (top.FindDataElement(Tag(0x7fe0, 0x0008)) || top.FindDataElement(Tag(0x7fe0, 0x0009))) {
        throw dicom_refusal{ "unsupported",
                             "its samples are in FloatPixelData, which the reader does not read: "
                             "convert it with paramap2itkimage of dcmqi" };
    }
    dicom_find_samples(file, stream, bytes);
    dicom_read_top(file, top);
    const std::string frames = dicom_bytes(&top, Tag(0x0028, 0x0008));
    dicom_count_frames(file, dicom_number(frames, frames.empty() ? 1 : 0), bytes);
    dicom_read_padding(file, top);
    dicom_read_frames(file, top);
}

static jmp_buf dicom_above; // where the header is asked for
static bool dicom_reading;

// Debian's GDCM has assertions that a damaged file can break. Such a file must not end the process,
// which has other files of the folder to read. The memory that GDCM holds then is not freed.
extern "C" [[noreturn]] void
__assert_fail(const char *, const char *, unsigned, const char *) noexcept
{
    fputs("a check of GDCM failed\n", stderr);
    if (dicom_reading) {
        longjmp(dicom_above, 1);
    }
    abort();
}

dicom_file dicom_file_read(const std::string &path)
{
    if (setjmp(dicom_above) != 0) {
        dicom_reading = false;
        throw dicom_refusal{ "input", "GDCM finds no whole DICOM header in it", "*" };
    }
    const struct reading {
        reading()
        {
            dicom_reading = true;
        }
        ~reading()
        {
            dicom_reading = false;
        }
    } reading;
    dicom_file file = {};
    try {
        dicom_read_header(path, &file);
        return file;
    } catch (dicom_refusal &refusal) {
        refusal.series = file.series;
        throw;
    } catch (const std::exception &exception) {
        throw dicom_refusal{ "input", std::string("GDCM: ") + exception.what() };
    }
}
