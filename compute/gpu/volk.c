// The one copy of volk's function pointers.
#define VOLK_IMPLEMENTATION
#include <volk.h>
