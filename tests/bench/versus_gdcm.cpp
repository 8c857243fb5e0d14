// Decodes each file as GDCM does by itself, in one process. See versus_gdcm.py.
#include <gdcmImageReader.h>
#include <gdcmTrace.h>

#include <cstdio>
#include <vector>

int main(int argc, char **argv)
{
    gdcm::Trace::WarningOff();
    std::vector<char> samples;
    for (int i = 1; i < argc; i++) {
        gdcm::ImageReader reader;
        reader.SetFileName(argv[i]);
        if (!reader.Read()) {
            return 1;
        }
        samples.resize(reader.GetImage().GetBufferLength());
        if (!reader.GetImage().GetBuffer(samples.data())) {
            return 1;
        }
    }
    printf("%d %zu\n", argc - 1, samples.size());
}
