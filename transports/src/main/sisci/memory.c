// The memory behind local segments: files without a name, that others can map.
//
// Memory of the user's own becomes such a file at its very addresses: pages of the file, with the same content, take the place of its own, and private ones again when the segment
// is removed. If it is a shared map of a file already, as the memory of a software GPU may be, that file is the one that others map.
#define _GNU_SOURCE
#include "library.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
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

typedef enum {PRIVATE_PAGES, SHARED_PAGES, MIXED_PAGES} Pages;

// What maps a range, and of which file if that is one shared map.
static Pages pages_of(const char *base, size_t bytes, dev_t *device, ino_t *inode, off_t *offset) {
    char line[512], permissions[5];
    unsigned long begin, end, at, number;
    unsigned major, minor;
    Pages pages = MIXED_PAGES;
    size_t open = 0; // bytes of private maps of the range so far
    FILE *maps_file = fopen("/proc/self/maps", "re");
    while (maps_file != NULL && fgets(line, sizeof line, maps_file) != NULL) {
        if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu", &begin, &end, permissions, &at, &major, &minor, &number) != 7) {
            continue; // the rest of a long line
        }
        uintptr_t from = (uintptr_t)base, to = from + bytes;
        if (permissions[3] == 's' && begin <= from && end >= to) {
            *device = makedev(major, minor);
            *inode = number;
            *offset = (off_t)(at + (from - begin));
            pages = SHARED_PAGES;
        } else if (permissions[3] == 'p' && begin < to && end > from) {
            open += (end < to ? end : to) - (begin > from ? begin : from);
        }
    }
    if (maps_file != NULL) {
        fclose(maps_file);
    }
    return open == bytes ? PRIVATE_PAGES : pages;
}

// A descriptor of that file that this process has; a copy of it, or -1.
static int descriptor_of(dev_t device, ino_t inode) {
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    int found = -1;
    while (folder != NULL && found < 0 && (entry = readdir(folder)) != NULL) {
        struct stat status;
        int file = atoi(entry->d_name);
        if (entry->d_name[0] != '.' && fstat(file, &status) == 0 && status.st_ino == inode && status.st_dev == device) {
            found = fcntl(file, F_DUPFD_CLOEXEC, 0);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return found;
}

// Other pages, of a file or private if it is -1, take the place of the segment's, and have their content. What others write meanwhile may be lost.
static bool exchange(sci_local_segment_t segment, int file) {
    size_t bytes = segment->rounded;
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, file >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, file, 0);
    if (pages == MAP_FAILED) {
        return false;
    }
    memcpy(pages, segment->base, bytes);
    if (mremap(pages, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, segment->base) == MAP_FAILED) {
        munmap(pages, bytes);
        return false;
    }
    return true;
}

bool memory_share(sci_local_segment_t segment) {
    dev_t device;
    ino_t inode;
    int file = -1;
    switch (pages_of(segment->base, segment->rounded, &device, &inode, &segment->offset)) {
        case PRIVATE_PAGES:
            file = memory_file(segment->rounded);
            if (file >= 0 && !exchange(segment, file)) {
                close(file);
                file = -1;
            }
            segment->exchanged = file >= 0;
            break;
        case SHARED_PAGES: file = descriptor_of(device, inode); break;
        case MIXED_PAGES: break;
    }
    segment->file = file;
    return file >= 0;
}

void memory_unshare(sci_local_segment_t segment) {
    if (segment->exchanged) {
        exchange(segment, -1);
    }
    close(segment->file);
}
