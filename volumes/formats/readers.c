// The table of file formats, and the kinds of files that are recognised but not read.
#include "volumes/formats/readers.h"

#include "volumes/formats/slice_image.h"
#include "volumes/formats/text.h"
#include "volumes/formats/zarr.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static reader_matches dicom_matches, hdf5_matches, netcdf_matches;

// Folders are opened by zarr_open; this row is for a file with such a name, and for people.
static bool reader_open_zarr_file(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    (void)params, (void)out;
    return problem_set(
        problem, PROBLEM_INPUT, "'%s' is a file; a Zarr or N5 store is a folder", source->path);
}

const struct reader readers[] = {
    // Any bytes may come before the magic of these two: a DICOM file may begin like a TIFF image.
    // So they are asked first.
    {
        .name = "DICOM",
        .summary = "series of slices, and volumes in one file",
        .extensions = ".dcm",
        .matches = dicom_matches,
        .process = "dicom",
        .series = true,
    },
    {
        .name = "HDF5",
        .summary = "any array of three axes; NetCDF-4, NeXus, Imaris, MINC 2",
        .extensions = ".h5 .hdf5 .he5 .nxs .ims",
        .matches = hdf5_matches,
        .process = "hdf5",
    },
    {
        .name = "NetCDF",
        .summary = "any variable of three axes; versions 3 and 4",
        .extensions = ".nc .nc4 .cdf .mnc",
        .matches = netcdf_matches,
        .process = "hdf5",
    },
    {
        .name = "NRRD",
        .summary = "nearly raw raster data, attached or detached",
        .extensions = ".nrrd .nhdr",
        .matches = nrrd_matches,
        .open = nrrd_open,
    },
    {
        .name = "MetaImage",
        .summary = "header and samples in one file or in several",
        .extensions = ".mha .mhd",
        .matches = metaimage_matches,
        .open = metaimage_open,
    },
    {
        .name = "NIfTI",
        .summary = "NIfTI-1 and -2, in one file or as header and image; Analyze 7.5",
        .extensions = ".nii .nii.gz .hdr .hdr.gz .img .img.gz",
        .matches = nifti_matches,
        .open = nifti_open,
    },
    {
        .name = "VTK ImageData",
        .summary = "XML with its samples in it or appended; point or cell data",
        .extensions = ".vti",
        .matches = vti_matches,
        .open = vti_open,
    },
    {
        .name = "legacy VTK",
        .summary = "structured points, text or binary",
        .extensions = ".vtk",
        .matches = vtk_legacy_matches,
        .open = vtk_legacy_open,
    },
    {
        .name = "Inviwo",
        .summary = "Inviwo's and Voreen's header beside a raw file",
        .extensions = ".dat",
        .matches = inviwo_matches,
        .open = inviwo_open,
    },
    {
        .name = "BOV",
        .summary = "VisIt's header beside a raw file",
        .extensions = ".bov",
        .matches = bov_matches,
        .open = bov_open,
    },
    {
        .name = "TIFF",
        .summary = "the pages of one file are the slices",
        .extensions = ".tif .tiff",
        .matches = tiff_matches,
        .open = tiff_open,
    },
    {
        .name = "NumPy",
        .summary = "an array of three axes; the last axis is x",
        .extensions = ".npy .npy.gz",
        .gzip = true,
        .matches = npy_matches,
        .open = npy_open,
    },
    {
        .name = "NumPy archive",
        .summary = "arrays of numpy.savez; --array selects one",
        .extensions = ".npz",
        .matches = npz_matches,
        .open = npz_open,
    },
    {
        .name = "MRC",
        .summary = "MRC and CCP4 maps, any order of axes, any unit cell",
        .extensions = ".mrc .map .ccp4 .mrc.gz .map.gz .ccp4.gz",
        .gzip = true,
        .matches = mrc_matches,
        .open = mrc_open,
    },
    {
        .name = "MGH",
        .summary = "FreeSurfer's volumes",
        .extensions = ".mgh .mgz",
        .gzip = true,
        .matches = mgh_matches,
        .open = mgh_open,
    },
    {
        .name = "SLC",
        .summary = "VolVis's volumes, compressed or not",
        .extensions = ".slc .slc.gz",
        .gzip = true,
        .matches = slc_matches,
        .open = slc_open,
    },
    {
        .name = "Gaussian cube",
        .summary = "orbitals and densities on a grid of any steps",
        .extensions = ".cube .cub .cube.gz",
        .gzip = true,
        .matches = cube_matches,
        .open = cube_open,
    },
    {
        .name = "OpenDX",
        .summary = "regular grids of any steps, text or binary",
        .extensions = ".dx .dx.gz",
        .gzip = true,
        .matches = dx_matches,
        .open = dx_open,
    },
    {
        .name = "Zarr",
        .summary = "folders of Zarr 2 and 3, OME-Zarr and N5",
        .extensions = ".zarr .n5",
        .open = reader_open_zarr_file,
    },
};
const size_t reader_count = sizeof readers / sizeof readers[0];

#define HDF5 "\x89HDF\r\n\x1a\n"

// A tar archive begins with a file's name, which may be the magic of any format. So the first row
// is checked before any reader.
const struct foreign foreign_kinds[] = {
    { "a tar archive", 257, "ustar", 5, "unpack it and open what is inside" },
    { "an OpenVDB file", 0, " BDV\0\0\0\0", 8, "export a dense grid as raw (pyopenvdb)" },
    { "an Amira file", 0, "# Amira", 7, "save it as NRRD (Amira, or 3D Slicer)" },
    { "an Avizo file", 0, "# Avizo", 7, "save it as NRRD (Avizo, or 3D Slicer)" },
    { "a MATLAB file", 0, "MATLAB 5.0 MAT-file", 19, "write the array as raw (fwrite)" },
    { "a JPEG image", 0, "\xff\xd8\xff", 3, "convert it to PNG (ImageMagick)" },
    { "a JPEG 2000 image", 0, "\0\0\0\x0cjP  ", 8, "convert it to PNG (ImageMagick)" },
    { "a GIF image", 0, "GIF8", 4, "convert its frames to a folder of PNG slices (ImageMagick)" },
    { "a WebP image", 8, "WEBP", 4, "convert it to PNG (ImageMagick)" },
    { "a Photoshop image", 0, "8BPS", 4, "convert it to PNG (ImageMagick)" },
    { "a zip archive", 0, "PK\x03\x04", 4, "unpack it and open what is inside" },
    { "a 7z archive", 0, "7z\xbc\xaf\x27\x1c", 6, "unpack it and open what is inside" },
    { "an xz file", 0, "\xfd\x37zXZ\0", 6, "unpack it (unxz)" },
    { "a zstd file", 0, "\x28\xb5\x2f\xfd", 4, "unpack it (unzstd)" },
    { "a bzip2 file", 0, "BZh", 3, "unpack it (bunzip2)" },
    { "a PLY mesh", 0, "ply\n", 4, "cubist makes meshes from volumes, it does not read them" },
    { "a share of a mesh", 0,
      "\x89"
      "cubist share\r\n\x1a",
      16, "join all shares of the mesh with cubist merge" },
    { "a glTF mesh", 0, "glTF", 4, "cubist makes meshes from volumes, it does not read them" },
};
const size_t foreign_count = sizeof foreign_kinds / sizeof foreign_kinds[0];

bool file_head_has(const struct file_head *head, size_t at, const void *bytes, size_t size)
{
    return head->size >= at && head->size - at >= size &&
           memcmp(head->bytes + at, bytes, size) == 0;
}

bool file_head_has_key(const struct file_head *head, const char *names)
{
    char text[READER_HEAD + 1], *rest = text;
    memcpy(text, head->bytes, head->size);
    text[head->size] = 0;
    bool found = false;
    for (char *line; !head->gzip && !found && (line = strsep(&rest, "\n"));) {
        char *colon = strchr(line, ':');
        if (colon) {
            *colon = 0;
            found = text_is_one(text_trim(line), names);
        }
    }
    return found && !memchr(head->bytes, 0, head->size);
}

// Whether the first bytes are text. A magic such as DICM may be a word in a text file.
static bool file_head_is_text(const struct file_head *head, size_t size)
{
    for (size_t i = 0; i < size && i < head->size; i++) {
        const unsigned char byte = head->bytes[i];
        if (byte < ' ' && byte != '\t' && byte != '\n' && byte != '\r') {
            return false;
        }
    }
    return true;
}

// The kind of the first row if the file is of it; otherwise NULL.
static const struct foreign *foreign_within(const struct file_head *head)
{
    const struct foreign *kind = foreign_kinds;
    return file_head_has(head, kind->at, kind->bytes, kind->size) &&
                   !file_head_is_text(head, kind->at + 8)
               ? kind
               : NULL;
}

static bool dicom_matches(const struct file_head *head)
{
    return !head->gzip && file_head_has(head, 128, "DICM", 4) && !file_head_is_text(head, 136);
}

static bool hdf5_matches(const struct file_head *head)
{
    return head->user_block || (!head->gzip && file_head_has(head, 0, HDF5, 8));
}

static bool netcdf_matches(const struct file_head *head)
{
    return !head->gzip &&
           (file_head_has(head, 0, "CDF\1", 4) || file_head_has(head, 0, "CDF\2", 4) ||
            file_head_has(head, 0, "CDF\5", 4));
}

void file_head_read(struct source *source, unsigned char bytes[READER_HEAD], struct file_head *out)
{
    *out = (struct file_head){ .path = source->path, .bytes = bytes };
    out->size = source_peek(source, bytes, READER_HEAD);
    char magic[8];
    for (uint64_t at = 512; at < source->size && !out->user_block; at *= 2) {
        out->user_block = source_peek_at(source, at, magic, 8) == 8 && memcmp(magic, HDF5, 8) == 0;
    }
    if (!file_head_has(out, 0, "\x1f\x8b\x08", 3) || foreign_within(out) || dicom_matches(out) ||
        hdf5_matches(out)) {
        return;
    }
    unsigned char packed[READER_HEAD];
    z_stream stream = { .next_in = packed, .avail_in = (uInt)out->size };
    memcpy(packed, bytes, out->size);
    if (inflateInit2(&stream, 15 + 16) != Z_OK) {
        source->peek_error = ENOMEM;
        return;
    }
    stream.next_out = bytes;
    stream.avail_out = READER_HEAD;
    if (inflate(&stream, Z_SYNC_FLUSH) == Z_MEM_ERROR) {
        source->peek_error = ENOMEM;
    }
    out->size = READER_HEAD - stream.avail_out;
    out->gzip = true;
    inflateEnd(&stream);
}

bool path_has_extension(const char *path, const char *extensions)
{
    const char *name = basename(path);
    const size_t length = strlen(name);
    for (const char *at = extensions; *at;) {
        const size_t size = strcspn(at, " ");
        if (size < length && strncasecmp(name + length - size, at, size) == 0) {
            return true;
        }
        at += size + strspn(at + size, " ");
    }
    return false;
}

const struct reader *reader_pick(const struct file_head *head, bool *by_name)
{
    *by_name = false;
    for (size_t i = 0; i < reader_count && !foreign_within(head); i++) {
        if (readers[i].matches && readers[i].matches(head)) {
            return &readers[i];
        }
    }
    *by_name = true;
    for (size_t i = 0; i < reader_count; i++) {
        if (path_has_extension(head->path, readers[i].extensions)) {
            return &readers[i];
        }
    }
    return NULL;
}

const struct reader *reader_named(const char *name)
{
    size_t i = 0;
    while (strcmp(readers[i].name, name) != 0) {
        i++;
    }
    return &readers[i];
}

static bool
foreign_refuse(const struct foreign *kind, const struct file_head *head, struct problem *problem)
{
    return !kind || problem_set(
                        problem, PROBLEM_INPUT, "'%s' is %s, which cubist does not read; %s",
                        head->path, kind->kind, kind->advice);
}

bool foreign_within_refuse(const struct file_head *head, struct problem *problem)
{
    return foreign_refuse(foreign_within(head), head, problem);
}

bool foreign_file_refuse(const struct file_head *head, struct problem *problem)
{
    const struct foreign *found = foreign_within(head);
    for (size_t i = 1; i < foreign_count && !found; i++) {
        const struct foreign *kind = &foreign_kinds[i];
        found = file_head_has(head, kind->at, kind->bytes, kind->size) ? kind : NULL;
    }
    return foreign_refuse(found, head, problem);
}

static bool reader_folder_has_dicom(int folder, const char *name)
{
    char magic[4];
    // Not source_open, because this file is not an input.
    const int fd = openat(folder, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const bool dicom =
        fd >= 0 && source_read_at(fd, 128, magic, 4, NULL) == 4 && memcmp(magic, "DICM", 4) == 0;
    if (fd >= 0) {
        close(fd);
    }
    return dicom;
}

enum folder_form reader_folder_form(const char *path)
{
    enum folder_form form = FOLDER_FORM_OTHER;
    DIR *dir = opendir(path);
    int looks = 32; // files opened at most
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        const char *name = entry->d_name;
        if (path_has_extension(name, ".png") && !slice_image_is_picture(path, name)) {
            closedir(dir);
            return FOLDER_FORM_OTHER;
        }
        if (form == FOLDER_FORM_OTHER && name[0] != '.' && looks-- > 0 &&
            reader_folder_has_dicom(dirfd(dir), name)) {
            form = FOLDER_FORM_DICOM;
        }
    }
    if (dir) {
        closedir(dir);
    }
    return zarr_matches(path) ? FOLDER_FORM_ZARR : form;
}
