// What the environment says: see the head of sisci.h.
#ifndef BRIGADE_SISCI_SETTINGS_H
#define BRIGADE_SISCI_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    unsigned node;
    char fabric[65];
    bool weak, timed;
    uint64_t seed;
    unsigned alignment;     // bytes that DMA's sizes and offsets are multiples of
    size_t page;            // bytes of the kernel's pages
} Settings;

extern Settings settings;

// Reads the environment; false, and a line on standard error, if it is malformed.
bool settings_read(void);

// One complaint about an environment variable, on standard error and for brigade_sisci_complaint.
void settings_complain(const char *variable, const char *value, const char *must);

// Copies the next entry of a list separated by commas to entry, and moves the list behind it; false at the end. Too
// long an entry is cut.
bool settings_entry(const char **list, char *entry, unsigned room);

#endif
