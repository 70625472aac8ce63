// Maps. One of a local segment, or of another process' on this node, is that memory. One of another node's shows the
// peer's memory as long as it can be reached, else pages of ones that forget what is written to them: the pages are
// exchanged under the program, which never notices but by what it reads. The peer's memory stays until the map goes.
#define _GNU_SOURCE
#include "library.h"

#include <stdlib.h>
#include <sys/mman.h>

sci_map_t maps;
_Atomic int shadows;

enum {PATTERN = 2 << 20}; // bytes of weak_pattern

// Lays a view over a map's pages. Each call of mmap is one moment for all other threads.
static bool show(sci_map_t map, View view) {
    int protection = map->readonly ? PROT_READ : PROT_READ | PROT_WRITE;
    if (view == SHOWS_PEER) {
        const Member *member = &map->remote->members[0];
        return mmap(map->pointer, map->bytes, protection, MAP_SHARED | MAP_FIXED, member->file,
            (off_t)(member->offset + map->offset)) != MAP_FAILED;
    }
    int file = weak_pattern(view);
    bool done = file >= 0;
    for (size_t at = 0; done && at < map->bytes; at += PATTERN) {
        size_t bytes = map->bytes - at < PATTERN ? map->bytes - at : PATTERN;
        done = mmap(map->pointer + at, bytes, protection, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file,
            0) != MAP_FAILED;
    }
    return done;
}

static View view_of(sci_map_t map) {
    return remote_state(map->remote) != PEER_UP ? SHOWS_ONES : map->shadow ? SHOWS_POISON : SHOWS_PEER;
}

void map_watch(sci_map_t map) {
    View view = view_of(map);
    if (view != map->view && show(map, view)) {
        map->view = view;
    }
}

void maps_watch(void) {
    for (sci_map_t map = maps; map != NULL; map = map->next) {
        map_watch(map);
        if (map->view == SHOWS_ONES) {
            madvise(map->pointer, map->bytes, MADV_DONTNEED); // what was written is gone, and ones are read again
        }
    }
}

// The range lies in the segment and begins with a page [I].
static bool range_fits(size_t offset, size_t size, size_t whole, sci_error_t *error) {
    return report(error, size == 0 || offset > whole || size > whole - offset ? SCI_ERR_OUT_OF_RANGE
        : offset % settings.page != 0 ? SCI_ERR_OFFSET_ALIGNMENT : SCI_ERR_OK);
}

static sci_map_t new_map(size_t offset, size_t size, sci_error_t *error) {
    sci_map_t map = calloc(1, sizeof *map);
    if (report(error, map == NULL ? SCI_ERR_NOSPC : SCI_ERR_OK)) {
        map->kind = MAP;
        map->offset = offset;
        map->size = size;
        map->bytes = whole_pages(size);
    }
    return map;
}

void *SCIMapLocalSegment(sci_local_segment_t segment, sci_map_t *result, size_t offset, size_t size, void *address,
    unsigned flags, sci_error_t *error) {
    if (!valid(segment, LOCAL_SEGMENT, error)
        || !flags_known(flags, FLAG(READONLY_MAP) | FLAG(SHARED_MAP) | FLAG(BROADCAST), error)
        || !report(error, address != NULL ? SCI_ERR_NOT_IMPLEMENTED
            : segment->memory == NO_MEMORY ? SCI_ERR_ILLEGAL_OPERATION : SCI_ERR_OK)
        || !range_fits(offset, size, segment->rounded, error)) {
        return NULL;
    }
    sci_map_t map = new_map(offset, size, error);
    if (map == NULL) {
        return NULL;
    }
    map->local = segment;
    map->pointer = segment->base + offset;
    segment->uses++;
    *result = map;
    return map->pointer;
}
SISCI_NAMES(SCIMapLocalSegment)

volatile void *SCIMapRemoteSegment(sci_remote_segment_t remote, sci_map_t *result, size_t offset, size_t size,
    void *address, unsigned flags, sci_error_t *error) {
    if (!valid(remote, REMOTE_SEGMENT, error)
        || !flags_known(flags, FLAG(READONLY_MAP) | FLAG(SHARED_MAP) | FLAG(BROADCAST) | FLAG(NO_MEMORY_LOOPBACK)
            | FLAG(LOCK_OPERATION) | FLAG(IO_MAP_IOSPACE) | FLAG(WRITE_BACK_CACHE_MAP), error)
        || !report(error, address != NULL ? SCI_ERR_NOT_IMPLEMENTED : SCI_ERR_OK)
        || !report(error, remote->multicast != ((flags & FLAG(BROADCAST)) != 0) ? SCI_ERR_ILLEGAL_PARAMETER
            : SCI_ERR_OK)
        || !report(error, !remote->multicast && remote->members[0].memory == NULL ? SCI_ERR_NOT_IMPLEMENTED
            : SCI_ERR_OK) // [I]: here the user's own memory cannot be mapped
        || !report(error, remote_state(remote) == PEER_LOST ? SCI_ERR_SEGMENT_NOT_CONNECTED : SCI_ERR_OK)
        || !range_fits(offset, size, remote->size, error)) {
        return NULL;
    }
    sci_map_t map = new_map(offset, size, error);
    if (map == NULL) {
        return NULL;
    }
    bool loopback = remote->node == settings.node && (flags & FLAG(NO_MEMORY_LOOPBACK)) == 0;
    map->remote = remote;
    map->readonly = (flags & FLAG(READONLY_MAP)) != 0;
    map->shadow = remote->multicast || (settings.weak && !loopback);
    void *pages = mmap(NULL, map->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!report(error, pages == MAP_FAILED ? SCI_ERR_NOSPC : SCI_ERR_OK)) {
        free(map);
        return NULL;
    }
    map->pointer = pages;
    pthread_mutex_lock(&objects);
    map->view = view_of(map);
    bool shown = show(map, map->view);
    if (shown) {
        map->next = maps;
        maps = map;
        remote->uses++;
        shadows += map->shadow;
    }
    pthread_mutex_unlock(&objects);
    if (!report(error, shown ? SCI_ERR_OK : SCI_ERR_NOSPC)) {
        munmap(pages, map->bytes);
        free(map);
        return NULL;
    }
    *result = map;
    return map->pointer;
}
SISCI_NAMES(SCIMapRemoteSegment)

void SCIUnmapSegment(sci_map_t map, unsigned flags, sci_error_t *error) {
    if (!valid(map, MAP, error) || !flags_known(flags, 0, error)
        || !report(error, map->uses > 0 ? SCI_ERR_BUSY : SCI_ERR_OK)) {
        return;
    }
    if (map->remote != NULL) {
        weak_flush(); // stores were posted before: they arrive
        pthread_mutex_lock(&objects);
        sci_map_t *link = &maps;
        while (*link != map) {
            link = &(*link)->next;
        }
        *link = map->next;
        munmap(map->pointer, map->bytes);
        map->remote->uses--;
        shadows -= map->shadow;
        pthread_mutex_unlock(&objects);
    } else {
        map->local->uses--;
    }
    map->kind = 0;
    free(map);
}
SISCI_NAMES(SCIUnmapSegment)

volatile void *SCIGetMapPointer(sci_map_t map) {
    return valid(map, MAP, NULL) ? map->pointer : NULL;
}
SISCI_NAMES(SCIGetMapPointer)

// Not an address of any bus, but one that no two maps share.
sci_ioaddr_t SCIGetMapPhysAddr(sci_map_t map) {
    return valid(map, MAP, NULL) ? (sci_ioaddr_t)(uintptr_t)map->pointer : 0;
}
SISCI_NAMES(SCIGetMapPhysAddr)
