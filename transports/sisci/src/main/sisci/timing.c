// The figures: kritjo/sisci-perf, charts/6peer.log (September 2024, Dolphin adapters, up to 6 peers): public
// measurements by others, not ours.
//
//   DMA write    10.5 us up to 32 KiB, then 4.4 GB/s at 64 KiB, 6.4 at 128, 4.3 at 256 (a dip, as measured), 5.4 at
//                512, 6.9 at 1 MiB, 8.6 at 2, 9.4 at 4, 10.4 from 16 MiB
//   DMA read     18 us (11 to 25 were measured), 5.0 GB/s at 16 MiB
//   SCIMemCpy    write: 0.99 GB/s at 1 KiB, 1.85 at 2, 3.18 at 4, 4.96 at 8, 6.7 at 16, 7.7 from 32 KiB; read: 1.78 us,
//                9 MB/s to a multicast group of 2 receivers: 5.6 GB/s, of more: 0.7 GB/s
//   others       flush after a store 0.30 us, check of a sequence 2.8 us, trigger 1.9 us, of a data interrupt 2.6 us
//
// Stores through a map cost what they cost this machine, as nobody sees them; through one with a shadow (multicast,
// mode weak), the flush that finds them spends the time of a copy. What a call of this library takes by itself is part
// of its time, not on top of it. A link carries what its peak rate allows in each direction: a DMA waits for its turn.
// The fixed part of a transfer does not occupy it, so those of several queues overlap.
#define _GNU_SOURCE
#include "timing.h"

#include "fabric.h"
#include "settings.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {double bytes, seconds;} Point;

static const double KI = 1024;
static const Point DMA_WRITE[] = {{0, 10.5e-6}, {32 * 1024, 10.5e-6}, {64 * 1024, 65536 / 4.4e9},
    {128 * 1024, 131072 / 6.4e9}, {256 * 1024, 262144 / 4.3e9}, {512 * 1024, 524288 / 5.4e9},
    {1048576, 1048576 / 6.9e9}, {2097152, 2097152 / 8.6e9}, {4194304, 4194304 / 9.4e9}, {16777216, 16777216 / 10.4e9}};
static const Point COPY_WRITE[] = {{0, 0.95e-6}, {1024, 1024 / 0.99e9}, {2048, 2048 / 1.85e9}, {4096, 4096 / 3.18e9},
    {8192, 8192 / 4.96e9}, {16384, 16384 / 6.7e9}, {32768, 32768 / 7.7e9}};

// What BRIGADE_SISCI_TIMING may change. The measured curves are scaled to other peak rates.
static struct {double dmaFloor, dmaPeak, dmaReadFloor, dmaReadPeak, copyPeak, readFloor, readPeak, multicast2,
    multicast3, flush, check, interrupt, dataInterrupt;} figures;
static const struct {const char *name; double *value, measured;} NAMES[] = {
    {"dma.floor", &figures.dmaFloor, 10.5e-6}, {"dma.peak", &figures.dmaPeak, 10.4e9},
    {"dma.read.floor", &figures.dmaReadFloor, 18e-6},
    {"dma.read.peak", &figures.dmaReadPeak, 5.0e9}, {"copy.peak", &figures.copyPeak, 7.7e9},
    {"read.floor", &figures.readFloor, 1.78e-6}, {"read.peak", &figures.readPeak, 9e6},
    {"multicast2.peak", &figures.multicast2, 5.6e9}, {"multicast3.peak", &figures.multicast3, 0.7e9},
    {"flush", &figures.flush, 0.30e-6}, {"check", &figures.check, 2.8e-6},
    {"interrupt", &figures.interrupt, 1.9e-6}, {"data.interrupt", &figures.dataInterrupt, 2.6e-6}
};
enum {COUNT = sizeof NAMES / sizeof *NAMES};

bool timing_read(void) {
    const char *list = getenv("BRIGADE_SISCI_TIMING");
    char text[64];
    for (unsigned i = 0; i < COUNT; i++) {
        *NAMES[i].value = NAMES[i].measured;
    }
    while (list != NULL && settings_entry(&list, text, sizeof text)) {
        unsigned i = 0;
        size_t name = strcspn(text, "=");
        while (i < COUNT && (strlen(NAMES[i].name) != name || strncmp(NAMES[i].name, text, name) != 0)) {
            i++;
        }
        char *end = text;
        double value = i < COUNT && text[name] == '=' ? strtod(text + name + 1, &end) : 0;
        if (*end != 0 || !(value > 0)) {
            settings_complain("BRIGADE_SISCI_TIMING", text,
                "a list of NAME=VALUE, above 0, in seconds (dma.floor, dma.read.floor, read.floor, flush, check, "
                "interrupt, data.interrupt) or "
                "bytes a second (dma.peak, dma.read.peak, copy.peak, read.peak, multicast2.peak, multicast3.peak)");
            return false;
        }
        *NAMES[i].value = value;
    }
    return true;
}

uint64_t time_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t time_deadline(unsigned milliseconds) {
    return milliseconds == CONSTANT(SCI_INFINITE_TIMEOUT) ? (uint64_t)INT64_MAX
        : time_now() + (uint64_t)milliseconds * 1000000u;
}

void time_reach(uint64_t then) {
    const uint64_t late = 60000;
    uint64_t now = time_now();
    if (then > now + late) {
        struct timespec until = {.tv_sec = (time_t)((then - late) / 1000000000u),
            .tv_nsec = (long)((then - late) % 1000000000u)};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    }
    while (time_now() < then) {
        // No sched_yield: where others have work for both processors, each would give away whole time slices for the
        // last microseconds, and locks are held here.
    }
}

void timing_spend(Cost cost, uint64_t begin) {
    if (settings.timed) {
        const double seconds[] = {figures.flush, figures.check, figures.interrupt, figures.dataInterrupt};
        uint64_t then = begin + (uint64_t)(seconds[cost] * 1e9);
        while (time_now() < then) {
        }
    }
}

// Seconds on a curve: straight between its points, at the last point's rate behind them.
static double on_curve(const Point *curve, unsigned points, double bytes) {
    const Point *last = &curve[points - 1];
    if (bytes >= last->bytes) {
        return last->seconds * (bytes / last->bytes);
    }
    unsigned i = 1;
    while (curve[i].bytes < bytes) {
        i++;
    }
    double part = (bytes - curve[i - 1].bytes) / (curve[i].bytes - curve[i - 1].bytes);
    return curve[i - 1].seconds + part * (curve[i].seconds - curve[i - 1].seconds);
}

// Takes a link for so long; when its turn begins.
static uint64_t reserve(_Atomic uint64_t *busy, uint64_t now, uint64_t span) {
    uint64_t until = *busy, begin;
    do {
        begin = until > now ? until : now;
    } while (!atomic_compare_exchange_weak(busy, &until, begin + span));
    return begin;
}

static uint64_t over_links(unsigned from, unsigned to, double seconds, double occupied) {
    uint64_t now = time_now(), span = (uint64_t)(occupied * 1e9);
    if (from == to) {
        return now; // within a node there is no link
    }
    uint64_t begin = reserve(&fabric_node(from)->outBusy, now, span);
    begin = reserve(&fabric_node(to)->inBusy, begin, span);
    return begin + (uint64_t)(seconds * 1e9);
}

uint64_t timing_dma(unsigned from, unsigned to, size_t bytes, bool read) {
    if (!settings.timed) {
        return 0;
    }
    double size = (double)bytes;
    if (read) {
        return over_links(from, to, figures.dmaReadFloor + size / figures.dmaReadPeak, size / figures.dmaReadPeak);
    }
    double seconds = size <= 32 * KI ? 0
        : on_curve(DMA_WRITE, sizeof DMA_WRITE / sizeof *DMA_WRITE, size) * 10.4e9 / figures.dmaPeak;
    return over_links(from, to, seconds > figures.dmaFloor ? seconds : figures.dmaFloor, size / figures.dmaPeak);
}

uint64_t timing_copy(unsigned from, unsigned to, size_t bytes, bool read, unsigned receivers) {
    if (!settings.timed) {
        return 0;
    }
    double size = (double)bytes;
    if (read) {
        return over_links(from, to, figures.readFloor + size / figures.readPeak, size / figures.readPeak);
    }
    double seconds = on_curve(COPY_WRITE, sizeof COPY_WRITE / sizeof *COPY_WRITE, size)
        * (size > KI ? 7.7e9 / figures.copyPeak : 1);
    if (receivers > 1) {
        double slow = size / (receivers == 2 ? figures.multicast2 : figures.multicast3);
        seconds = slow > seconds ? slow : seconds;
    }
    return over_links(from, to, seconds, size / figures.dmaPeak);
}
