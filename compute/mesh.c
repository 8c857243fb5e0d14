#include "compute/mesh.h"
