#include "volumes/interrupt.h"

atomic_int interrupted;
