#define _GNU_SOURCE
#include "settings.h"

#include "fabric.h"
#include "faults.h"
#include "timing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Settings settings;
static char complaint[1024];

void settings_complain(const char *variable, const char *value, const char *must) {
    snprintf(complaint, sizeof complaint, "%s: '%s' is not understood; it must be %s", variable, value, must);
    fprintf(stderr, "libsisci (emulated): %s\n", complaint);
}

const char *brigade_sisci_complaint(void) {
    return complaint[0] == 0 ? NULL : complaint;
}

bool settings_entry(const char **list, char *entry, unsigned room) {
    while (**list == ',' || **list == ' ') {
        (*list)++;
    }
    if (**list == 0) {
        return false;
    }
    size_t length = strcspn(*list, ",");
    size_t kept = length < room ? length : room - 1;
    memcpy(entry, *list, kept);
    entry[kept] = 0;
    *list += length;
    return true;
}

static bool read_node(void) {
    const char *text = getenv("BRIGADE_SISCI_NODE");
    settings.node = 4;
    if (text != NULL && *text != 0) {
        char *end;
        unsigned long node = strtoul(text, &end, 10);
        if (*end != 0 || fabric_node((unsigned)node) == NULL) {
            settings_complain("BRIGADE_SISCI_NODE", text, "a node: 4, 8, 12 ... 248");
            return false;
        }
        settings.node = (unsigned)node;
    }
    return true;
}

static bool read_fabric(void) {
    const char *text = getenv("BRIGADE_SISCI_FABRIC");
    if (text == NULL || *text == 0) {
        snprintf(settings.fabric, sizeof settings.fabric, "uid-%u", (unsigned)getuid());
        return true;
    }
    if (strlen(text) >= sizeof settings.fabric
        || strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") != strlen(text)) {
        settings_complain("BRIGADE_SISCI_FABRIC", text, "at most 64 letters, digits, '-', '_' and '.'");
        return false;
    }
    strcpy(settings.fabric, text);
    return true;
}

static bool read_mode(const char *mode) {
    char *end = "";
    errno = 0;
    if (strcmp(mode, "timed") == 0) {
        settings.timed = true;
    } else if (strncmp(mode, "weak", 4) == 0 && (mode[4] == 0 || mode[4] == '=')) {
        settings.weak = true;
        settings.seed = mode[4] == 0 ? 1 : strtoull(mode + 5, &end, 0);
    } else if (strncmp(mode, "aligned=", 8) == 0) {
        settings.alignment = (unsigned)strtoul(mode + 8, &end, 0);
        if (settings.alignment == 0 || (settings.alignment & (settings.alignment - 1)) != 0) {
            return false;
        }
    } else if (strcmp(mode, "shifted") != 0) {
        return false;
    }
    return *end == 0 && errno == 0;
}

static bool read_modes(void) {
    const char *list = getenv("BRIGADE_SISCI_MODE");
    char mode[64];
    while (list != NULL && settings_entry(&list, mode, sizeof mode)) {
        if (!read_mode(mode)) {
            settings_complain("BRIGADE_SISCI_MODE", mode,
                "a list of weak, weak=SEED, timed, shifted, aligned=BYTES (a power of two)");
            return false;
        }
    }
    return true;
}

bool settings_read(void) {
    complaint[0] = 0;
    settings = (Settings){.alignment = 1, .page = (size_t)sysconf(_SC_PAGESIZE)};
    return read_node() && read_fabric() && read_modes() && timing_read() && faults_read();
}
