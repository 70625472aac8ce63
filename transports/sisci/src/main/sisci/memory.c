// The memory of local segments: files without a name, that others can map. So may be a user's own: as that of a
// software GPU, or a mapped file.
#define _GNU_SOURCE
#include "library.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

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
    size_t limit = system_number("/sys/fs/cgroup/memory.max", ""),
        used = system_number("/sys/fs/cgroup/memory.current", "");
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

// A descriptor of the file of which the user has mapped all of a range, and where the range lies in it; -1 if there is
// none, or the system does not tell (it tells root).
int memory_user_file(const char *base, size_t bytes, uint64_t *offset) {
    char line[512], path[64], permissions[5];
    unsigned long begin, end, at;
    int file = -1;
    FILE *list = fopen("/proc/self/maps", "re");
    while (list != NULL && file < 0 && fgets(line, sizeof line, list) != NULL) {
        if (sscanf(line, "%lx-%lx %4s %lx", &begin, &end, permissions, &at) == 4 && begin <= (uintptr_t)base
            && end >= (uintptr_t)base + bytes) {
            if (permissions[3] != 's' || permissions[1] != 'w') {
                break;
            }
            snprintf(path, sizeof path, "/proc/self/map_files/%lx-%lx", begin, end);
            *offset = at + ((uintptr_t)base - begin);
            file = open(path, O_RDWR | O_CLOEXEC);
            break;
        }
    }
    if (list != NULL) {
        fclose(list);
    }
    return file;
}

// As an adapter writes: into the memory, not into a processor's cache.
void memory_write(char *to, const char *from, size_t bytes) {
    size_t at = 0;
#ifdef __SSE2__
    if ((uintptr_t)to % 16 == 0) {
        for (; at + 64 <= bytes; at += 64) {
            for (size_t i = at; i < at + 64; i += 16) {
                _mm_stream_si128((__m128i *)(void *)(to + i),
                    _mm_loadu_si128((const __m128i *)(const void *)(from + i)));
            }
        }
        _mm_sfence();
    }
#endif
    memcpy(to + at, from + at, bytes - at);
}
