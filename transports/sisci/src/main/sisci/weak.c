// Shadows: what a map of another node's memory is where the processor may keep stores back and reorder them, as
// write-combining buffers do.
//
// A shadow is private memory that begins as poison, an image of 2 MiB over and over. A word that is no longer poison
// has been stored to: it is exchanged for poison, so that no store of another thread is lost, and goes to the peer.
// Four bytes are the unit; that a store of four bytes happens to be the very poison is a chance of 2^-32, less for
// usual data, as poison looks like NaNs and large negative numbers. Only pages that the kernel had to copy since the
// map began are looked at (/proc/self/pagemap).
#define _GNU_SOURCE
#include "library.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {LINE = 64, WORDS = LINE / 8, PATTERN = 2 << 20, CHUNK = 512};

typedef struct {sci_map_t map; size_t offset;} Line;

static const uint64_t *poison;
static int files[] = {-1, -1, -1};
static int pagemap = -1;
static Line *lines;
static size_t count, room;

uint64_t weak_random(void) {
    static _Atomic uint64_t drawn;
    uint64_t x = settings.seed * 0x9e3779b97f4a7c15u + settings.node * 0xd1342543de82ef95u + ++drawn
        * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t poison_word(size_t index) {
    uint64_t x = (index + 1) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    return (x * 0xbf58476d1ce4e5b9u) | 0xff800000ff800000u;
}

int weak_pattern(View view) {
    static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&once);
    if (files[view] < 0) {
        int file = memfd_create("sisci-pattern", MFD_CLOEXEC);
        uint64_t *pattern = file < 0 || posix_fallocate(file, 0, PATTERN) != 0 ? MAP_FAILED
            : mmap(NULL, PATTERN, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (pattern != MAP_FAILED) {
            for (size_t i = 0; i < PATTERN / 8; i++) {
                pattern[i] = view == SHOWS_ONES ? UINT64_MAX : poison_word(i);
            }
            if (view == SHOWS_POISON) {
                poison = pattern;
                pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
            }
            files[view] = file;
        } else if (file >= 0) {
            close(file);
        }
    }
    pthread_mutex_unlock(&once);
    return files[view];
}

static _Atomic uint64_t *word_at(sci_map_t map, size_t offset) {
    return (_Atomic uint64_t *)(void *)(map->pointer + offset);
}

static uint64_t poison_at(size_t offset) {
    return poison[offset % PATTERN / 8];
}

static void note_line(sci_map_t map, size_t offset) {
    if (count == room) {
        room = room == 0 ? 1024 : room * 2;
        lines = realloc(lines, room * sizeof *lines);
        if (lines == NULL) {
            abort();
        }
    }
    lines[count++] = (Line){map, offset};
}

// Lines of a page that hold stores.
static void collect_page(sci_map_t map, size_t page) {
    for (size_t line = page; line < page + settings.page; line += LINE) {
        for (unsigned word = 0; word < WORDS; word++) {
            size_t offset = line + word * 8;
            if (atomic_load_explicit(word_at(map, offset), memory_order_relaxed) != poison_at(offset)) {
                note_line(map, line);
                break;
            }
        }
    }
}

// A page table entry of a page that is this process' own: present or swapped out, and neither file nor shared.
static bool copied(uint64_t entry) {
    return (entry >> 62) != 0 && (entry >> 61 & 1) == 0;
}

static void collect(sci_map_t map) {
    uint64_t entries[CHUNK];
    if (!map->shadow || map->view != SHOWS_POISON) {
        return;
    }
    for (size_t first = 0; first < map->bytes; first += (size_t)CHUNK * settings.page) {
        size_t pages = (map->bytes - first) / settings.page < CHUNK ? (map->bytes - first) / settings.page : CHUNK;
        off_t place = (off_t)(((uintptr_t)map->pointer + first) / settings.page * 8);
        bool known = pagemap >= 0 && pread(pagemap, entries, pages * 8, place) == (ssize_t)(pages * 8);
        for (size_t i = 0; i < pages; i++) {
            if (!known || copied(entries[i])) {
                collect_page(map, first + i * settings.page);
            }
        }
    }
}

static void shuffle(void) {
    for (size_t i = count; i > 1; i--) {
        size_t other = weak_random() % i;
        Line line = lines[i - 1];
        lines[i - 1] = lines[other];
        lines[other] = line;
    }
}

static void store(char *target, uint64_t value, uint64_t changed) {
    if ((changed & 0xffffffffu) != 0 && changed >> 32 != 0) {
        atomic_store_explicit((_Atomic uint64_t *)(void *)target, value, memory_order_release);
    } else if (changed >> 32 != 0) {
        atomic_store_explicit((_Atomic uint32_t *)(void *)(target + 4), (uint32_t)(value >> 32), memory_order_release);
    } else {
        atomic_store_explicit((_Atomic uint32_t *)(void *)target, (uint32_t)value, memory_order_release);
    }
}

// Takes the stores out of a line and, unless they get lost, gives them to all members.
static void deliver(const Line *line, bool lost) {
    sci_remote_segment_t remote = line->map->remote;
    unsigned first = weak_random() % WORDS, step = weak_random() % WORDS | 1;
    for (unsigned i = 0; i < WORDS; i++) {
        size_t offset = line->offset + (first + i * step) % WORDS * 8;
        uint64_t old = poison_at(offset);
        if (atomic_load_explicit(word_at(line->map, offset), memory_order_relaxed) == old) {
            continue;
        }
        uint64_t value = atomic_exchange(word_at(line->map, offset), old), changed = value ^ old;
        for (unsigned m = 0; !lost && changed != 0 && m < remote->count; m++) {
            const Member *member = &remote->members[m];
            if (line->map->offset + offset < member->bytes && member_state(member) == PEER_UP) {
                store(member->memory + line->map->offset + offset, value, changed);
            }
        }
    }
}

static void collect_all(void) {
    count = 0;
    for (sci_map_t map = maps; map != NULL; map = map->next) {
        if (map->shadow) {
            remote_new_members(map->remote);
            collect(map);
        }
    }
    shuffle();
}

// In mode timed, what has been found takes its time like a copy by the processor.
static void spend(void) {
    uint64_t last = 0;
    for (size_t i = 0; i < count; i++) {
        lines[i].map->stored++;
    }
    for (sci_map_t map = maps; map != NULL; map = map->next) {
        if (map->stored > 0) {
            uint64_t then = timing_copy(settings.node, remote_first_node(map->remote), map->stored * LINE, false,
                map->remote->count);
            last = then > last ? then : last;
            map->stored = 0;
        }
    }
    if (last != 0) {
        time_reach(last);
    }
}

void weak_flush(void) {
    if (shadows > 0) {
        pthread_mutex_lock(&objects);
        collect_all();
        if (settings.timed) {
            spend();
        }
        for (size_t i = 0; i < count; i++) {
            deliver(&lines[i], false);
            if (settings.weak && weak_random() % 16 == 0) {
                time_reach(time_now() + weak_random() % 3000); // so that somebody can see what has not arrived
            }
        }
        pthread_mutex_unlock(&objects);
    }
}

void weak_later(void) {
    pthread_mutex_lock(&objects);
    collect_all();
    for (size_t i = 0; i < count; i++) {
        if (!settings.weak || weak_random() % 2 == 0) {
            deliver(&lines[i], false);
        }
    }
    pthread_mutex_unlock(&objects);
}

void weak_drop(sci_map_t map) {
    pthread_mutex_lock(&objects);
    count = 0;
    collect(map);
    for (size_t i = 0; i < count; i++) {
        deliver(&lines[i], true);
    }
    pthread_mutex_unlock(&objects);
}
