// Segments, their connections and maps.
#define _GNU_SOURCE
#include "claims.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void owner(void) {
    void *memory;
    sci_local_segment_t segment = made(7, 100, &memory);
    meet(2);
    wait_until((_Atomic uint64_t *)memory, 42);
    *((_Atomic uint64_t *)memory + 1) = 43;
    meet(2);
    meet(2);
    (void)segment;
}

static void writer(void) {
    sci_map_t map;
    Word *memory;
    meet(2);
    sci_remote_segment_t segment = connected(8, 7, &map, &memory);
    memory[0] = 42;
    SCIFlush(NULL, 0);
    meet(2);
    SAME(43, memory[1]);
    meet(2);
    disconnected(segment, map);
}

CLAIM(a_store_through_a_remote_map_is_in_the_peers_memory) {
    node(8, owner);
    node(4, writer);
}

static void impatient(void) {
    sci_remote_segment_t remote;
    sci_desc_t sd = opened();
    uint64_t before = ns();
    GIVES(NO_SUCH_SEGMENT, SCIConnectSegment(sd, &remote, 8, 7, 0, NULL, NULL, CONSTANT(SCI_INFINITE_TIMEOUT), 0, &error));
    CHECK(ns() - before < 1000000000u);
    meet(2);
    meet(2);
    GIVES(CONNECTION_REFUSED, SCIConnectSegment(sd, &remote, 8, 7, 0, NULL, NULL, CONSTANT(SCI_INFINITE_TIMEOUT), 0, &error));
    meet(2);
    meet(2);
    OK(SCIConnectSegment(sd, &remote, 8, 7, 0, NULL, NULL, CONSTANT(SCI_INFINITE_TIMEOUT), 0, &error));
    GIVES(BUSY, SCIClose(sd, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIClose(sd, 0, &error));
    meet(2);
}

static void slow(void) {
    sci_local_segment_t segment;
    meet(2);
    OK(SCICreateSegment(opened(), &segment, 7, 4096, NULL, NULL, 0, &error));
    OK(SCIPrepareSegment(segment, 0, 0, &error));
    meet(2);
    meet(2);
    OK(SCISetSegmentAvailable(segment, 0, 0, &error));
    meet(2);
    meet(2);
}

CLAIM(connecting_does_not_wait_but_says_why_not) {
    node(4, impatient);
    node(8, slow);
}

static void orders(void) {
    sci_desc_t sd = opened();
    sci_local_segment_t segment;
    OK(SCICreateSegment(sd, &segment, 7, 4096, NULL, NULL, 0, &error));
    GIVES(SEGMENT_NOT_PREPARED, SCISetSegmentAvailable(segment, 0, 0, &error));
    GIVES(NO_SUCH_ADAPTERNO, SCIPrepareSegment(segment, 1, 0, &error));
    OK(SCIPrepareSegment(segment, 0, 0, &error));
    OK(SCISetSegmentAvailable(segment, 0, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    OK(SCIClose(sd, 0, &error));
}

CLAIM(a_segment_is_prepared_before_it_is_available) {
    node(4, orders);
}
