#include "software.h"
