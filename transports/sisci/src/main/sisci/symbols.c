// The constants, as data. Mode `shifted` changes them before anyone can read them.
#define SISCI_CONSTANTS_DEFINED_HERE
#include "symbols.h"

#include <stdlib.h>
#include <string.h>

#define DEFINE_FLAG(name, value) unsigned FLAG(name) __attribute__((visibility("default"))) = value;
#define DEFINE_QUERY(name, value) unsigned QUERY(name) __attribute__((visibility("default"))) = value;
#define DEFINE_NUMBER(name, value) unsigned CONSTANT(name) __attribute__((visibility("default"))) = value;
SISCI_FLAGS(DEFINE_FLAG)
SISCI_QUERIES(DEFINE_QUERY)
SISCI_NUMBERS(DEFINE_NUMBER)

// Bits move to the left by one, the last to the first, so that flags can still be combined.
#define SHIFT_FLAG(name, value) FLAG(name) = (unsigned)(value) << 1 | (unsigned)(value) >> 31;
#define SHIFT_QUERY(name, value) QUERY(name) = (value) + 1000;

__attribute__((constructor)) static void shift(void) {
    const char *mode = getenv("BRIGADE_SISCI_MODE");
    if (mode != NULL && strstr(mode, "shifted") != NULL) {
        SISCI_FLAGS(SHIFT_FLAG)
        SISCI_QUERIES(SHIFT_QUERY)
    }
}
