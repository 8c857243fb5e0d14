#include "volumes/base/interrupt.h"

atomic_int interrupted;
