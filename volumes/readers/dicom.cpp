// The reader of DICOM: files and series that GDCM decodes. See README.md.
#include "volumes/readers/dicom_pixels.h"
#include "volumes/readers/dicom_series.h"
#include "volumes/readers/protocol.h"

#include <gdcmTrace.h>
#include <gdcmVersion.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sys/resource.h>

// A volume that is read twice keeps at most this many bytes of decoded samples.
static const uint64_t DICOM_KEPT = 512 << 20;

// How far sub-folders are searched: levels, and names in all.
static const int DICOM_DEPTH = 6;
static const size_t DICOM_NAMES = 20000;

static const size_t DICOM_FLOAT = 6; // in dicom_types

struct dicom_volume {
    std::string path; // that is opened
    std::vector<dicom_slice> slices;
    dicom_plan plan;
    size_t type;           // in dicom_types
    double fill;           // of padded samples and blank layers
    bool counting = false; // the values are looked at before they are asked for
    std::vector<std::vector<char>> kept;
    // Of the slices that were read last: the one with an even index, and the one with an odd one.
    int at[2] = { -1, -1 };
    std::vector<double> values[2];
    std::vector<double> made; // values of a layer that has no slice of its own
};

// The values of stored samples; `fill` for padded ones.
template <typename T>
static void
dicom_scale(const dicom_slice &slice, const char *samples, double fill, std::vector<double> *values)
{
    const dicom_file &file = *slice.file;
    const double slope = slice.frame().slope, intercept = slice.frame().intercept;
    using wide = std::conditional_t<sizeof(T) < 4, int32_t, int64_t>;
    const unsigned shift = file.high + 1 - file.stored;
    const wide mask = (wide)(((int64_t)1 << file.stored) - 1);
    const wide sign = (wide)(file.is_signed ? (int64_t)1 << (file.stored - 1) : 0);
    const wide from = (wide)file.padding[0], to = (wide)file.padding[1];
    const T *at = (const T *)samples;
    double *value = values->data();
    for (size_t i = 0; i < values->size(); i++) {
        const wide stored = ((((wide)at[i] >> shift) & mask) ^ sign) - sign;
        value[i] = (double)stored * slope + intercept;
    }
    for (size_t i = 0; file.padded && i < values->size(); i++) {
        const wide stored = ((((wide)at[i] >> shift) & mask) ^ sign) - sign;
        value[i] = stored >= from && stored <= to ? fill : value[i];
    }
}

static bool dicom_read_slice(
    dicom_volume *volume, size_t number, std::vector<double> *values, std::string *error)
{
    const dicom_slice &slice = volume->slices[number];
    std::vector<char> read;
    const bool kept = number < volume->kept.size();
    if (!kept && !dicom_pixels_read(*slice.file, slice.number, &read, error)) {
        if (slice.file->path != volume->path) {
            *error = "'" + slice.file->path + "': " + *error;
        }
        return false;
    }
    const std::vector<char> &samples = kept ? volume->kept[number] : read;
    values->resize((size_t)slice.file->size[0] * slice.file->size[1]);
    const auto scale = slice.file->bytes == 1   ? dicom_scale<uint8_t>
                       : slice.file->bytes == 2 ? dicom_scale<uint16_t>
                                                : dicom_scale<uint32_t>;
    scale(slice, samples.data(), volume->fill, values);
    const uint64_t bytes = samples.size() * volume->slices.size();
    struct rlimit limit;
    if (volume->counting && volume->kept.size() == number && slice.file->length == UINT32_MAX &&
        bytes <= DICOM_KEPT && getrlimit(RLIMIT_AS, &limit) == 0 && bytes <= limit.rlim_cur / 4) {
        volume->kept.push_back(std::move(read)); // so that it is decoded once
    }
    return true;
}

// Returns the values of a slice, or NULL with `error`. The volume keeps two slices: the last one
// with an even index, and the last one with an odd index. So two neighbours are valid at the same
// time.
static const double *dicom_slice_values(dicom_volume *volume, int number, std::string *error)
{
    int &at = volume->at[number % 2];
    std::vector<double> &values = volume->values[number % 2];
    const bool read = at == number || dicom_read_slice(volume, (size_t)number, &values, error);
    at = read ? number : -1;
    return read ? values.data() : nullptr;
}

// The values of a layer; NULL: `error` says why not.
static const double *dicom_layer_values(dicom_volume *volume, uint64_t z, std::string *error)
{
    const dicom_layer &layer = volume->plan.layers[z];
    const dicom_file &file = *volume->slices.front().file;
    const int first = layer.slices[0], second = layer.slices[1];
    const double *from = first < 0 ? nullptr : dicom_slice_values(volume, first, error);
    const double *to = from && second != first ? dicom_slice_values(volume, second, error) : from;
    if (first >= 0 && (!to || first == second)) {
        return to;
    }
    volume->made.assign((size_t)file.size[0] * file.size[1], volume->fill);
    for (size_t i = 0; to && i < volume->made.size(); i++) {
        const double value = from[i] + layer.weight * (to[i] - from[i]);
        volume->made[i] = volume->type == DICOM_FLOAT ? value : floor(value + 0.5);
    }
    return volume->made.data();
}

template <typename T>
static void dicom_put(const double *layer, uint32_t columns, const uint64_t box[3][2], void *out)
{
    T *to = (T *)out;
    for (uint64_t y = box[1][0]; y < box[1][1]; y++) {
        to = std::transform(
            layer + y * columns + box[0][0], layer + y * columns + box[0][1], to,
            [](double value) { return (T)value; });
    }
}

static const struct dicom_type {
    const char *name;
    unsigned bytes;
    double from, to;
    void (*put)(const double *, uint32_t, const uint64_t[3][2], void *);
} dicom_types[] = {
    { "uint8", 1, 0, UINT8_MAX, dicom_put<uint8_t> },
    { "int8", 1, INT8_MIN, INT8_MAX, dicom_put<int8_t> },
    { "uint16", 2, 0, UINT16_MAX, dicom_put<uint16_t> },
    { "int16", 2, INT16_MIN, INT16_MAX, dicom_put<int16_t> },
    { "uint32", 4, 0, UINT32_MAX, dicom_put<uint32_t> },
    { "int32", 4, INT32_MIN, INT32_MAX, dicom_put<int32_t> },
    { "float32", 4, -INFINITY, INFINITY, dicom_put<float> },
};

static bool
dicom_block(void *context, const uint64_t box[3][2], void *out, char *error, size_t room)
{
    dicom_volume *volume = (dicom_volume *)context;
    const dicom_type &type = dicom_types[volume->type];
    const uint32_t columns = volume->slices.front().file->size[0];
    const uint64_t each = (box[0][1] - box[0][0]) * (box[1][1] - box[1][0]) * type.bytes;
    std::string why;
    try {
        for (uint64_t z = box[2][0]; z < box[2][1]; z++) {
            const double *layer = dicom_layer_values(volume, z, &why);
            if (!layer) {
                snprintf(error, room, "%s", why.c_str());
                return false;
            }
            type.put(layer, columns, box, (char *)out + (z - box[2][0]) * each);
        }
        return true;
    } catch (const std::exception &exception) {
        snprintf(error, room, "GDCM: %s", exception.what());
        return false;
    }
}

// The type that holds values of the range: as wide as the stored ones if that is enough.
static size_t dicom_fit(const dicom_file &file, double from, double to)
{
    size_t best = DICOM_FLOAT;
    for (size_t i = 0; i < DICOM_FLOAT; i++) {
        const dicom_type &type = dicom_types[i];
        if (type.bytes >= file.bytes && type.from <= from && to <= type.to &&
            (best == DICOM_FLOAT ||
             (type.bytes == dicom_types[best].bytes && file.is_signed == (type.from < 0)))) {
            best = i;
        }
    }
    return best;
}

// Decides on the type of the volume and the value of padded samples. If that depends on the values,
// reads the volume.
static void dicom_decide(dicom_volume *volume, std::vector<std::string> *remarks)
{
    const dicom_file &file = *volume->slices.front().file;
    double from = INFINITY, to = -INFINITY;
    bool whole = true, padded = false, blank = false;
    for (const dicom_slice &slice : volume->slices) {
        const dicom_frame &frame = slice.frame();
        const double least = slice.file->is_signed ? -ldexp(1, (int)slice.file->stored - 1) : 0;
        whole = whole && frame.slope == 1 && frame.intercept == floor(frame.intercept);
        padded = padded || slice.file->padded;
        from = std::min(from, least + frame.intercept);
        to = std::max(to, least + ldexp(1, (int)slice.file->stored) - 1 + frame.intercept);
    }
    for (const dicom_layer &layer : volume->plan.layers) {
        blank = blank || layer.slices[0] < 0;
    }
    volume->fill = NAN;
    volume->type = whole ? dicom_fit(file, from, to) : DICOM_FLOAT;
    if (!padded && !blank && (!whole || dicom_types[volume->type].bytes == file.bytes)) {
        return;
    }
    uint64_t count = 0;
    volume->counting = true;
    from = INFINITY;
    to = -INFINITY;
    std::string error;
    for (size_t i = 0; i < volume->slices.size(); i++) {
        if (!dicom_read_slice(volume, i, &volume->made, &error)) {
            throw dicom_refusal{ "input", error };
        }
        for (const double value : volume->made) {
            count += std::isnan(value);
            from = value < from ? value : from;
            to = value > to ? value : to;
        }
    }
    volume->counting = false;
    volume->fill = from <= to ? from : 0;
    volume->type = whole ? dicom_fit(file, volume->fill, std::max(to, volume->fill)) : DICOM_FLOAT;
    if (count > 0) {
        char text[100];
        snprintf(
            text, sizeof text, "%llu padded samples have the least other value, %.6g",
            (unsigned long long)count, volume->fill);
        remarks->push_back(text);
    }
}

static std::string dicom_label(const std::string &path)
{
    return "'" + std::filesystem::path(path).filename().string() + "'";
}

// Whether a file in a folder may be DICOM: by its mark, or by a first element of group 8.
static bool dicom_sniff(const std::string &path)
{
    char head[132] = {};
    std::ifstream stream(path, std::ios::binary);
    stream.read(head, sizeof head);
    return memcmp(head + 128, "DICM", 4) == 0 || (memcmp(head, "\x08", 2) == 0 && head[3] == 0);
}

// The names in a folder, sorted; `below`: with those in sub-folders, up to a bound. On return
// `below` says that there are more.
static std::vector<std::string> dicom_list(const std::string &folder, bool *below)
{
    namespace fs = std::filesystem;
    const std::string top = folder.empty() ? "./" : folder;
    const bool deep = *below;
    std::vector<std::string> names;
    std::error_code code;
    *below = false;
    fs::recursive_directory_iterator at(top, fs::directory_options::skip_permission_denied, code);
    for (; at != fs::end(at) && !(deep && names.size() == DICOM_NAMES); at.increment(code)) {
        const bool last = at.depth() == DICOM_DEPTH;
        names.push_back(at->path().string().substr(top.size()));
        *below = *below || (last && at->is_directory(code));
        if (!deep || last || at->path().filename().string()[0] == '.') {
            at.disable_recursion_pending();
        }
    }
    *below = *below || at != fs::end(at);
    std::sort(names.begin(), names.end());
    return names;
}

// Reads the headers of all files in a folder, which is "" or ends in "/". If `named` is not empty,
// reads it first, and then keeps only files of its series. If the folder has no pictures, or
// `named` is an index of other files, reads those in sub-folders. `losses` gets the files that
// cannot be read. `below`: see dicom_list.
static std::vector<dicom_file> dicom_read_folder(
    const std::string &folder, const std::string &named, std::vector<dicom_refusal> *losses,
    bool *below)
{
    namespace fs = std::filesystem;
    std::vector<dicom_file> files;
    const bool deep = *below;
    losses->clear();
    if (!named.empty()) {
        files.push_back(dicom_file_read(named));
        if (files[0].frames.empty()) {
            return dicom_read_folder(folder, "", losses, below);
        }
        if (files[0].frames.size() > 1 || files[0].series.empty()) {
            return files;
        }
    }
    std::error_code code;
    dicom_refusal refusal = { "input", "no DICOM picture is in the folder or below" };
    for (const std::string &name : dicom_list(folder, below)) {
        const std::string path = folder + name;
        if (!fs::is_regular_file(path, code) || !dicom_sniff(path) ||
            (deep && fs::is_symlink(path, code)) ||
            (!named.empty() && fs::equivalent(path, named, code))) {
            continue;
        }
        try {
            dicom_file file = dicom_file_read(path);
            if (!file.frames.empty() && (named.empty() || file.series == files[0].series)) {
                files.push_back(std::move(file));
            }
        } catch (const dicom_refusal &why) {
            refusal = { why.kind, "'" + path + "': " + why.text };
            losses->push_back(why);
            losses->back().text = dicom_label(path) + ": " + why.text;
        }
    }
    if (files.empty() && deep) {
        throw refusal;
    }
    *below = *below || files.empty();
    return files.empty() ? dicom_read_folder(folder, "", losses, below) : files;
}

// Why slices of the series are missing: names the first file that cannot be read, or that differs
// from the others. "": there is none. Removes the files that cannot be read from `losses`.
static std::string dicom_lost(
    const std::vector<dicom_slice> &slices, const std::vector<dicom_file> &files,
    std::vector<dicom_refusal> *losses)
{
    const dicom_file &first = *slices.front().file;
    std::vector<std::string> why;
    for (auto at = losses->begin(); at != losses->end();) {
        const bool ours = !at->series.empty() &&
                          (at->series == first.series || at->series == "*") &&
                          strcmp(at->kind, "input") == 0;
        if (ours) {
            why.push_back(at->text);
        }
        at = ours ? losses->erase(at) : at + 1;
    }
    for (const dicom_file &file : files) {
        const std::string differs = dicom_differs(file, slices);
        if (!differs.empty()) {
            why.push_back(dicom_label(file.path) + differs);
        }
    }
    return why.empty()       ? ""
           : why.size() == 1 ? why[0]
                             : why[0] + " (and " + std::to_string(why.size() - 1) + " more)";
}

// Why the series is no volume but one slice.
static std::string
dicom_flat(const dicom_slice &slice, const std::vector<dicom_series> &all, const std::string &lost)
{
    size_t others = 0, turned = 0;
    for (const dicom_series &series : all) {
        const dicom_slice &other = series.times[0].front();
        const bool same = other.file->series == slice.file->series;
        others += same;
        turned += same && !dicom_parallel(other.frame(), slice.frame());
    }
    return !lost.empty() ? lost + "; one slice is left"
           : turned > 0  ? "its slices are not parallel"
           : others > 1  ? "it is one slice; the others of its series differ from it"
                         : "it is one slice; no other slice of its series is beside it";
}

static uint64_t dicom_samples(const dicom_series &series)
{
    const dicom_file &file = *series.times[0].front().file;
    const uint64_t count = series.times[0].size(), samples = (uint64_t)file.size[0] * file.size[1];
    return count > 1 ? samples * count : 1; // one slice is no volume
}

// Selects a series and a time. The keys "array" and "time" go first. Otherwise it is the series of
// the file that was named; if a folder was named, the largest series.
static void dicom_select(
    const std::vector<dicom_series> &all, const dicom_file *named, size_t *chosen, size_t *time)
{
    const char *array = protocol_value("array");
    std::string names;
    *chosen = array ? all.size() : 0;
    for (size_t i = 0; i < all.size(); i++) {
        names += (i > 0 ? ", '" : "'") + all[i].name + "'";
        if (array ? all[i].name == array
                  : !named && dicom_samples(all[i]) > dicom_samples(all[*chosen])) {
            *chosen = i;
        }
        for (size_t t = 0; t < all[i].times.size() && named; t++) {
            for (const dicom_slice &slice : all[i].times[t]) {
                if (slice.file == named && slice.number == 0 && (!array || *chosen == i)) {
                    *chosen = i;
                    *time = named->frames.size() == 1 ? t : 0;
                }
            }
        }
    }
    if (*chosen == all.size()) {
        protocol_refuse("usage", "it has no array '%s', but %s", array, names.c_str());
    }
    for (size_t i = 0; i < all.size(); i++) {
        if (i != *chosen && dicom_samples(all[i]) > 1) {
            protocol_other_array(all[i].name.c_str());
        }
    }
    if (protocol_value("time")) {
        *time = protocol_select("time", all[*chosen].times.size());
    }
    protocol_select("channel", 1);
    protocol_select("level", 1);
}

static json_t *dicom_axis(const char *name, uint64_t size, double spacing)
{
    return json_pack(
        "{s:s, s:I, s:f, s:s}", "name", name, "size", (json_int_t)size, "spacing", spacing, "unit",
        spacing > 0 ? "mm" : "");
}

static json_t *dicom_arrays(const std::vector<dicom_series> &all)
{
    json_t *arrays = json_array();
    for (const dicom_series &series : all) {
        const std::vector<dicom_slice> &slices = series.times[0];
        const dicom_file &file = *slices[0].file;
        const double *spacing = slices[0].frame().spacing;
        const double step =
            slices.size() < 2 || !slices[0].frame().placed
                ? slices[0].frame().thickness
                : (slices.back().along - slices[0].along) / ((double)slices.size() - 1);
        json_t *axes = json_array();
        json_array_append_new(axes, dicom_axis("x", file.size[0], spacing[0]));
        json_array_append_new(axes, dicom_axis("y", file.size[1], spacing[1]));
        json_array_append_new(axes, dicom_axis("z", slices.size(), step));
        if (series.times.size() > 1) {
            json_array_append_new(axes, dicom_axis("time", series.times.size(), 0));
        }
        const std::string type = (file.is_signed ? "int" : "uint") + std::to_string(8 * file.bytes);
        json_array_append_new(
            arrays, json_pack(
                        "{s:o, s:s, s:o}", "path", protocol_text(series.name.c_str()), "type",
                        type.c_str(), "axes", axes));
    }
    return arrays;
}

static int dicom_run(const std::string &path)
{
    const char *gaps = protocol_value("gaps");
    if (gaps && strcmp(gaps, "blank") != 0 && strcmp(gaps, "resample") != 0) {
        protocol_refuse("usage", "gaps=%s is not blank or resample", gaps);
    }
    if (protocol_value("axis-index")) {
        protocol_refuse("usage", "the axes of DICOM have no names");
    }
    bool folder = std::filesystem::is_directory(path), below = false;
    const std::string beside = path.substr(0, path.rfind('/') + 1);
    size_t chosen = 0, time = 0;
    std::vector<dicom_refusal> losses;
    const std::vector<dicom_file> files =
        folder ? dicom_read_folder(path + (path.back() == '/' ? "" : "/"), "", &losses, &below)
               : dicom_read_folder(beside, path, &losses, &below);
    folder = folder || files[0].path != path; // an index stands for its folder
    const std::vector<dicom_series> all = dicom_group(files);
    dicom_select(all, folder ? nullptr : files.data(), &chosen, &time);
    dicom_volume volume;
    volume.path = path;
    volume.slices = all[chosen].times[time];
    const std::string lost = dicom_lost(volume.slices, files, &losses);
    volume.plan = dicom_lay(volume.slices, gaps, lost);
    std::vector<std::string> remarks = volume.plan.remarks;
    if (!lost.empty()) {
        remarks.push_back("left out: " + lost);
    }
    if (below) {
        remarks.push_back("not all sub-folders are searched: at most 6 levels and 20000 names");
    }
    if (!folder && volume.slices.size() > 1 && files[0].frames.size() == 1) {
        remarks.push_back(
            "it is one of " + std::to_string(volume.slices.size()) +
            " slices of a series beside it, which is read as a whole");
    }
    if (all.size() > 1 && !protocol_value("array")) {
        remarks.push_back(
            (folder ? "the largest of " : "the first of ") + std::to_string(all.size()) +
            " series is read: '" + all[chosen].name + "'");
    }
    if (!losses.empty() && folder) {
        remarks.push_back(
            std::to_string(losses.size()) + " DICOM files hold no picture that can be read");
    }
    if (all[chosen].uneven) {
        remarks.push_back("some positions have fewer images than others");
    }
    dicom_decide(&volume, &remarks);
    const dicom_slice &first = volume.slices.front();
    const std::string reader = std::string("GDCM ") + gdcm::Version::GetVersion();
    protocol_facts facts = { reader.c_str(),
                             dicom_types[volume.type].name,
                             first.frame().placed ? "LPS" : nullptr,
                             { first.file->size[0], first.file->size[1],
                               volume.plan.layers.size() } };
    memcpy(facts.steps, volume.plan.steps, sizeof facts.steps);
    memcpy(facts.origin, volume.plan.origin, sizeof facts.origin);
    facts.chosen = chosen;
    if (all[chosen].times.size() > 1) {
        facts.choice[0] = { all[chosen].times.size(), time };
    }
    const std::string flat = dicom_flat(volume.slices[0], all, lost);
    facts.flat = facts.size[2] == 1 ? flat.c_str() : nullptr;
    json_t *read = json_array(), *lines = json_array();
    const dicom_file *last = nullptr;
    for (const dicom_slice &slice : volume.slices) {
        if (slice.file != last) {
            protocol_add_file(read, slice.file->path.c_str(), &slice.file->seen);
        }
        last = slice.file;
    }
    for (const std::string &remark : remarks) {
        json_array_append_new(lines, protocol_text(remark.c_str()));
    }
    protocol_answer(&facts, dicom_arrays(all), read, lines);
    return protocol_serve(facts.size, dicom_types[volume.type].bytes, dicom_block, &volume);
}

int main(int argc, char **argv)
{
    const std::string formats =
        std::string("{\"cubist\": 1, \"name\": \"DICOM\", \"version\": \"GDCM ") +
        gdcm::Version::GetVersion() +
        "\", \"extensions\": [\".dcm\"], \"magic\": [{\"at\": 128, \"bytes\": \"4449434d\"}], "
        "\"folders\": true}";
    const std::string path = protocol_begin(argc, argv, formats.c_str());
    gdcm::Trace::DebugOff();
    gdcm::Trace::WarningOff();
    gdcm::Trace::ErrorOff();
    try {
        return dicom_run(path);
    } catch (const dicom_refusal &refusal) {
        protocol_refuse(refusal.kind, "%s", refusal.text.c_str());
    } catch (const std::exception &exception) {
        protocol_refuse("input", "GDCM: %s", exception.what());
    }
}
