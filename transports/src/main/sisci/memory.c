// The memory of local segments: files without a name, that others can map.
#define _GNU_SOURCE
#include "library.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

size_t whole_pages(size_t size) {
    return (size + settings.page - 1) / settings.page * settings.page;
}

// The number in a file of the system, after a word if there is one; SIZE_MAX if it is not there.
static size_t system_number(const char *path, const char *word) {
    char line[128];
    size_t number = SIZE_MAX;
    FILE *file = fopen(path, "re");
    while (file != NULL && number == SIZE_MAX && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, word, strlen(word)) == 0 && sscanf(line + strlen(word), "%zu", &number) != 1) {
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return number;
}

// Bytes that this machine, or this container, can still give. The kernel would kill somebody for more.
static size_t memory_left(void) {
    size_t kib = system_number("/proc/meminfo", "MemAvailable:"), left = kib == SIZE_MAX ? SIZE_MAX : kib * 1024;
    size_t limit = system_number("/sys/fs/cgroup/memory.max", ""), used = system_number("/sys/fs/cgroup/memory.current", "");
    size_t cache = system_number("/sys/fs/cgroup/memory.stat", "inactive_file "); // can be had back
    used = used == SIZE_MAX || cache == SIZE_MAX || cache > used ? used : used - cache;
    size_t group = limit == SIZE_MAX || used == SIZE_MAX ? SIZE_MAX : limit < used ? 0 : limit - used;
    return left < group ? left : group;
}

// A file of so many bytes that are there, so that no access can fail later for want of memory.
int memory_file(size_t bytes) {
    const size_t always = 1 << 20; // for little, the system need not be asked
    if (bytes > always && bytes > memory_left()) {
        return -1;
    }
    int file = memfd_create("sisci-segment", MFD_CLOEXEC);
    if (file >= 0 && posix_fallocate(file, 0, (off_t)bytes) != 0) {
        close(file);
        file = -1;
    }
    return file;
}
