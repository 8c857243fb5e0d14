#include "volumes/readers/dicom_series.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

static const double DICOM_EQUAL = 0.01; // of a distance

static bool dicom_near(double a, double b)
{
    return fabs(a - b) <= 1e-3 * std::max(1.0, std::max(fabs(a), fabs(b)));
}

bool dicom_parallel(const dicom_frame &a, const dicom_frame &b)
{
    return std::equal(a.orientation, a.orientation + 6, b.orientation, dicom_near);
}

static bool dicom_together(const dicom_slice &a, const dicom_slice &b)
{
    const dicom_file &x = *a.file, &y = *b.file;
    const dicom_frame &p = a.frame(), &q = b.frame();
    if (&x != &y && (x.series != y.series || x.frames.size() > 1 || y.frames.size() > 1 ||
                     x.size[0] != y.size[0] || x.size[1] != y.size[1] || x.bytes != y.bytes ||
                     x.is_signed != y.is_signed)) {
        return false;
    }
    return p.placed == q.placed && dicom_parallel(p, q) &&
           std::equal(p.spacing, p.spacing + 2, q.spacing, dicom_near) &&
           dicom_near(p.echo, q.echo);
}

static double dicom_along(const dicom_frame &frame)
{
    const std::array<double, 3> normal = dicom_normal(frame);
    return std::inner_product(normal.begin(), normal.end(), frame.position, 0.0);
}

std::string dicom_differs(const dicom_file &file, const std::vector<dicom_slice> &slices)
{
    const dicom_file &first = *slices.front().file;
    const dicom_frame &frame = file.frames[0];
    const double along = dicom_along(frame);
    const auto there = [&](const dicom_slice &slice) { return dicom_near(slice.along, along); };
    const struct {
        unsigned is, expected;
        const char *what;
    } facts[] = { { file.size[1], first.size[1], " rows" },
                  { file.size[0], first.size[0], " columns" },
                  { 8 * file.bytes, 8 * first.bytes, " bits a sample" } };
    for (const auto &fact : facts) {
        if (fact.is != fact.expected && file.series == first.series && frame.placed &&
            dicom_parallel(frame, slices.front().frame()) && along > slices.front().along &&
            along < slices.back().along && std::none_of(slices.begin(), slices.end(), there)) {
            return " has " + std::to_string(fact.is) + fact.what + ", not " +
                   std::to_string(fact.expected);
        }
    }
    return "";
}

// Sorts by position; at equal positions by time, then number, then order of the files.
static void dicom_sort(std::vector<dicom_slice> *slices)
{
    const bool placed = slices->front().frame().placed || slices->front().file->frames.size() > 1;
    std::vector<double> ways;
    for (dicom_slice &slice : *slices) {
        slice.along = placed ? dicom_along(slice.frame()) : slice.file->instance;
        ways.push_back(slice.along);
    }
    std::sort(ways.begin(), ways.end());
    // Positions that differ by less than this are equal.
    const double *spacing = slices->front().frame().spacing;
    const double least = DICOM_EQUAL * (spacing[0] > 0 ? std::min(spacing[0], spacing[1]) : 0.1);
    std::map<double, double> first;
    for (size_t i = 0; i < ways.size(); i++) {
        first[ways[i]] = i > 0 && ways[i] - ways[i - 1] <= least ? first[ways[i - 1]] : ways[i];
    }
    for (dicom_slice &slice : *slices) {
        slice.along = first[slice.along];
    }
    std::stable_sort(
        slices->begin(), slices->end(), [](const dicom_slice &a, const dicom_slice &b) {
            if (a.along != b.along) {
                return a.along < b.along;
            }
            if (a.frame().time != b.frame().time) {
                return a.frame().time < b.frame().time;
            }
            return a.file->instance < b.file->instance;
        });
}

// Divides sorted slices into time steps: by the times that they state, if each step then has one
// slice at each position. Otherwise the first slice at each position is of the first step, and so
// on.
static void dicom_deal(dicom_series *series, const std::vector<dicom_slice> &slices)
{
    std::set<double> stated;
    size_t most = 0, least = SIZE_MAX, count = 0;
    for (size_t i = 0; i < slices.size(); i++) {
        stated.insert(slices[i].frame().time);
        count = i > 0 && slices[i].along == slices[i - 1].along ? count + 1 : 1;
        most = std::max(most, count);
        if (i + 1 == slices.size() || slices[i + 1].along != slices[i].along) {
            least = std::min(least, count);
        }
    }
    series->uneven = least != most;
    series->times.resize(most);
    const bool by_time = stated.size() == most;
    for (size_t i = 0; i < slices.size(); i++) {
        count = i > 0 && slices[i].along == slices[i - 1].along ? count + 1 : 0;
        const size_t time =
            by_time ? std::distance(stated.begin(), stated.find(slices[i].frame().time)) : count;
        series->times[time].push_back(slices[i]);
    }
}

// Whether slices at equal positions have different kinds.
static bool dicom_mixed(const std::vector<dicom_slice> &slices)
{
    for (size_t i = 1; i < slices.size(); i++) {
        if (slices[i].along == slices[i - 1].along &&
            slices[i].frame().kind != slices[i - 1].frame().kind) {
            return true;
        }
    }
    return false;
}

static std::string dicom_name(const std::vector<dicom_slice> &slices, const std::string &kind)
{
    const dicom_file &file = *slices.front().file;
    std::string name = !file.description.empty() ? file.description
                       : !file.number.empty()    ? "series " + file.number
                                                 : "series";
    for (char &c : name) {
        c = (unsigned char)c < ' ' || c == 0x7f ? ' ' : c;
    }
    return kind.empty() ? name : name + ", " + kind;
}

// Tells series of equal names apart: by the first word of their kinds, else by a number.
static void dicom_tell_apart(std::vector<dicom_series> *all)
{
    std::map<std::string, std::set<std::string>> words;
    std::set<std::string> names;
    const auto word = [](const dicom_series &series) {
        const std::string &kind = series.times[0].front().frame().kind;
        return kind.substr(0, kind.find(' '));
    };
    for (const dicom_series &series : *all) {
        words[series.name].insert(word(series));
    }
    for (dicom_series &series : *all) {
        const bool differs = words[series.name].size() > 1 && !word(series).empty();
        const std::string name = differs ? series.name + ", " + word(series) : series.name;
        series.name = name;
        for (int i = 2; !names.insert(series.name).second; i++) {
            series.name = name + " (" + std::to_string(i) + ")";
        }
    }
}

std::vector<dicom_series> dicom_group(const std::vector<dicom_file> &files)
{
    std::vector<std::vector<dicom_slice>> groups;
    std::map<std::string, std::vector<size_t>> of_series; // indices into groups
    std::set<std::string> images;
    for (const dicom_file &file : files) {
        if (file.frames.size() == 1 && !file.image.empty() && !images.insert(file.image).second) {
            continue; // a copy
        }
        for (size_t i = 0; i < file.frames.size(); i++) {
            const dicom_slice slice = { &file, i, 0 };
            auto &candidates = of_series[file.series];
            const auto group = std::find_if(candidates.begin(), candidates.end(), [&](size_t at) {
                return dicom_together(groups[at].front(), slice);
            });
            if (group != candidates.end()) {
                groups[*group].push_back(slice);
            } else {
                candidates.push_back(groups.size());
                groups.push_back({ slice });
            }
        }
    }
    std::vector<dicom_series> all;
    const auto add = [&](const std::vector<dicom_slice> &slices, const std::string &kind) {
        dicom_series series = {};
        series.name = dicom_name(slices, kind);
        dicom_deal(&series, slices);
        all.push_back(series);
    };
    for (std::vector<dicom_slice> &slices : groups) {
        std::vector<std::string> kinds; // in the order of the files
        for (const dicom_slice &slice : slices) {
            if (std::find(kinds.begin(), kinds.end(), slice.frame().kind) == kinds.end()) {
                kinds.push_back(slice.frame().kind);
            }
        }
        dicom_sort(&slices);
        if (!dicom_mixed(slices)) {
            add(slices, "");
            continue;
        }
        for (const std::string &kind : kinds) {
            std::vector<dicom_slice> some;
            std::copy_if(
                slices.begin(), slices.end(), std::back_inserter(some),
                [&](const dicom_slice &slice) { return slice.frame().kind == kind; });
            add(some, kind);
        }
    }
    dicom_tell_apart(&all);
    return all;
}

// Where slices lie, counted in layers of a regular grid. True: their distances are whole multiples
// of the least one, within 1 %.
static bool dicom_count_layers(const std::vector<dicom_slice> &slices, std::vector<double> *places)
{
    const double range = slices.back().along - slices.front().along;
    double least = range;
    for (size_t i = 1; i < slices.size(); i++) {
        least = std::min(least, slices[i].along - slices[i - 1].along);
    }
    least = std::max(least, range / 16 / (double)slices.size()); // two that nearly meet
    bool multiples = true;
    places->assign(1, 0);
    for (size_t i = 1; i < slices.size(); i++) {
        const double part = (slices[i].along - slices[i - 1].along) / least;
        const double whole = std::max(1.0, round(part));
        multiples = multiples && fabs(part - whole) <= std::min(DICOM_EQUAL * part, 0.1);
        places->push_back(places->back() + whole);
    }
    for (size_t i = 0; i < slices.size() && !multiples; i++) {
        (*places)[i] =
            (slices[i].along - slices.front().along) / range * ceil(range / least - DICOM_EQUAL);
    }
    return multiples;
}

// Says where slices are missing, or that their distances vary: three wide ones in a row are no
// gaps.
[[noreturn]] static void dicom_refuse_gaps(
    const std::vector<dicom_slice> &slices, const std::vector<double> &places, bool multiples,
    const std::string &lost)
{
    const double *from = slices.front().frame().position, *to = slices.back().frame().position;
    int axis = 2;
    for (int other = 0; other < 2; other++) {
        axis = fabs(to[other] - from[other]) > 1.01 * fabs(to[axis] - from[axis]) ? other : axis;
    }
    size_t gap = 1, gaps = 0, run = 0;
    double least = INFINITY, most = 0;
    for (size_t i = slices.size() - 1; i > 0; i--) {
        const double step = places[i] - places[i - 1];
        gap = step > 1.5 ? i : gap;
        gaps += step > 1.5;
        run = step <= 1.5 ? 0 : run > 0 && step == places[i + 1] - places[i] ? run + 1 : 1;
        multiples = multiples && run < 3;
        least = std::min(least, slices[i].along - slices[i - 1].along);
        most = std::max(most, slices[i].along - slices[i - 1].along);
    }
    const size_t layers = (size_t)lround(places.back()) + 1;
    char text[200];
    if (multiples) {
        const std::string first = "at " + std::to_string(gaps) + " places, first ";
        snprintf(
            text, sizeof text, "slices are missing %safter %c = %.6g mm (%zu of %zu)",
            gaps > 1 ? first.c_str() : "", "xyz"[axis], slices[gap - 1].frame().position[axis],
            layers - slices.size(), layers);
    } else {
        snprintf(
            text, sizeof text, "the distances of its slices differ (%.6g to %.6g mm)", least, most);
    }
    throw dicom_refusal{ "gaps", (lost.empty() ? "" : lost + "; ") + text +
                                     ": add --gaps blank or --gaps resample" };
}

// Lays slices with gaps, or at varying distances, on a regular grid.
static void dicom_lay_gaps(dicom_plan *plan, const std::vector<double> &places, bool blank)
{
    const size_t layers = (size_t)lround(places.back()) + 1;
    plan->layers.assign(layers, { { -1, -1 }, 0 });
    for (size_t i = 0; i < places.size() && blank; i++) {
        plan->layers[(size_t)lround(places[i])] = { { (int)i, (int)i }, 0 };
    }
    size_t i = 0, mixed = 0;
    for (size_t z = 0; z < layers && !blank; z++) {
        while (i + 2 < places.size() && places[i + 1] <= (double)z) {
            i++;
        }
        const double weight = ((double)z - places[i]) / (places[i + 1] - places[i]);
        plan->layers[z] = { { (int)i + (weight >= 1), (int)i + (weight > 0) }, weight };
        mixed += weight > 0 && weight < 1;
    }
    const std::string of = " of " + std::to_string(layers) + " slices are ";
    plan->remarks.push_back(
        blank ? std::to_string(layers - places.size()) + of + "blank: they have the least value"
              : std::to_string(mixed) + of + "mixed from their neighbours");
}

// How far slices lie off the line from the first to the last.
static double dicom_drift(const std::vector<dicom_slice> &slices)
{
    const double *from = slices.front().frame().position, *to = slices.back().frame().position;
    const double range = slices.back().along - slices.front().along;
    double most = 0;
    for (const dicom_slice &slice : slices) {
        const double part = (slice.along - slices.front().along) / range;
        double off[3];
        for (int axis = 0; axis < 3; axis++) {
            off[axis] = slice.frame().position[axis] - from[axis] - part * (to[axis] - from[axis]);
        }
        most = std::max(most, std::hypot(off[0], off[1], off[2]));
    }
    return most;
}

dicom_plan
dicom_lay(const std::vector<dicom_slice> &slices, const char *gaps, const std::string &lost)
{
    const dicom_frame &first = slices.front().frame(), &last = slices.back().frame();
    const size_t count = slices.size();
    const double range = slices.back().along - slices.front().along;
    const bool several = slices.front().file->frames.size() > 1;
    dicom_plan plan = {};
    const bool known = first.placed || several;
    const double mean = range / (double)std::max<size_t>(count - 1, 1);
    bool uniform = true;
    for (size_t i = 1; i < count; i++) {
        const double distance = slices[i].along - slices[i - 1].along;
        uniform = uniform && fabs(distance - mean) <= DICOM_EQUAL * mean;
    }
    if (known && !uniform) {
        std::vector<double> places;
        const bool multiples = dicom_count_layers(slices, &places);
        if (!gaps) {
            dicom_refuse_gaps(slices, places, multiples, lost);
        }
        dicom_lay_gaps(&plan, places, std::string(gaps) == "blank");
    } else {
        for (size_t i = 0; i < count; i++) {
            plan.layers.push_back({ { (int)i, (int)i }, 0 });
        }
    }
    const double *at = first.orientation;
    const std::array<double, 3> normal = dicom_normal(first);
    plan.stated = first.spacing[0] > 0;
    const double thickness = first.thickness > 0 ? first.thickness : 1;
    for (int axis = 0; axis < 3; axis++) {
        plan.steps[0][axis] = at[axis] * (plan.stated ? first.spacing[0] : 1);
        plan.steps[1][axis] = at[3 + axis] * (plan.stated ? first.spacing[1] : 1);
        plan.steps[2][axis] = normal[axis] * (plan.stated ? thickness : 1);
        if (plan.stated && known && count > 1) {
            plan.steps[2][axis] =
                (last.position[axis] - first.position[axis]) / ((double)plan.layers.size() - 1);
        }
        plan.origin[axis] = first.position[axis];
    }
    if (!plan.stated) {
        plan.remarks.push_back("no distances within slices are stated: all distances are 1");
    }
    if (!known && count > 1) {
        plan.remarks.push_back("no positions are stated: slices are in order of InstanceNumber");
    } else if (
        known && range > 0 &&
        dicom_drift(slices) > std::max(0.5 * first.spacing[0], 1e-3 * range)) {
        plan.remarks.push_back("slices lie beside a straight line, which is not corrected");
    }
    return plan;
}
