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
    GIVES(NO_SUCH_SEGMENT, SCIConnectSegment(sd, &remote, 8, 7, 0, NULL, NULL, CONSTANT(SCI_INFINITE_TIMEOUT), 0,
            &error));
    CHECK(ns() - before < 1000000000u);
    meet(2);
    meet(2);
    GIVES(CONNECTION_REFUSED, SCIConnectSegment(sd, &remote, 8, 7, 0, NULL, NULL, CONSTANT(SCI_INFINITE_TIMEOUT), 0,
            &error));
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

static void small(void) {
    void *memory;
    sci_local_segment_t segment = made(7, 32, &memory);
    sci_map_t map;
    SAME(32, SCIGetLocalSegmentSize(segment));
    OK(SCIMapLocalSegment(segment, &map, 0, 480, NULL, 0, &error));
    GIVES(OUT_OF_RANGE, SCIMapLocalSegment(segment, &map, 0, 4097, NULL, 0, &error));
    GIVES(OUT_OF_RANGE, SCIMapLocalSegment(segment, &map, 4096, 1, NULL, 0, &error));
    meet(2);
    meet(2);
}

static void maps_small(void) {
    sci_map_t map;
    meet(2);
    sci_remote_segment_t segment = connected(8, 7, NULL, NULL);
    OK(SCIMapRemoteSegment(segment, &map, 0, 480, NULL, 0, &error));
    SAME(7, SCIGetRemoteSegmentId(segment));
    SAME(8, SCIGetRemoteSegmentNodeId(segment));
    GIVES(BUSY, SCIDisconnectSegment(segment, 0, &error));
    OK(SCIUnmapSegment(map, 0, &error));
    GIVES(OUT_OF_RANGE, SCIMapRemoteSegment(segment, &map, 0, 4097, NULL, 0, &error));
    GIVES(OUT_OF_RANGE, SCIMapRemoteSegment(segment, &map, 1, SIZE_MAX, NULL, 0, &error));
    GIVES(OFFSET_ALIGNMENT, SCIMapRemoteSegment(segment, &map, 8, 8, NULL, 0, &error));
    disconnected(segment, NULL);
    meet(2);
}

CLAIM(sizes_are_rounded_up_to_pages_and_ranges_checked_against_that) {
    node(8, small);
    node(4, maps_small);
}

static sci_error_t creating(unsigned id, unsigned flags, sci_local_segment_t *segment) {
    sci_error_t result;
    SCICreateSegment(opened(), segment, id, 4096, NULL, NULL, flags, &result);
    return result;
}

static void names(void) {
    sci_local_segment_t first, second, third;
    SAME(SCI_ERR_OK, creating(7, 0, &first));
    SAME(SCI_ERR_SEGMENTID_USED, creating(7, 0, &second));
    SAME(SCI_ERR_OK, creating(7, FLAG(AUTO_ID), &second));
    SAME(SCI_ERR_OK, creating(0, FLAG(AUTO_ID), &third));
    CHECK(SCIGetLocalSegmentId(second) != 7 && SCIGetLocalSegmentId(third) != SCIGetLocalSegmentId(second));
    meet(3);
    meet(3);
    OK(SCIRemoveSegment(first, 0, &error));
    SAME(SCI_ERR_OK, creating(7, 0, &first));
}

static void same_host(void) {
    sci_local_segment_t segment;
    meet(3);
    SAME(SCI_ERR_SEGMENTID_USED, creating(7, 0, &segment));
    meet(3);
}

static void other_host(void) {
    sci_local_segment_t segment;
    meet(3);
    SAME(SCI_ERR_OK, creating(7, 0, &segment));
    meet(3);
}

CLAIM(segment_ids_are_a_hosts_and_found_on_demand) {
    node(4, names);
    node(4, same_host);
    node(8, other_host);
}

static void private(void) {
    sci_local_segment_t segment;
    sci_remote_segment_t remote;
    SAME(SCI_ERR_OK, creating(7, FLAG(PRIVATE), &segment));
    OK(SCIPrepareSegment(segment, 0, 0, &error));
    GIVES(ILLEGAL_OPERATION, SCISetSegmentAvailable(segment, 0, 0, &error));
    GIVES(NO_SUCH_SEGMENT, SCIConnectSegment(opened(), &remote, 4, 7, 0, NULL, NULL, 0, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
}

CLAIM(a_private_segment_is_nobody_elses) {
    node(4, private);
}

static void keeps(void) {
    sci_local_segment_t segment;
    sci_map_t map;
    OK(SCICreateSegment(opened(), &segment, 7, 4096, NULL, NULL, 0, &error));
    OK(SCIMapLocalSegment(segment, &map, 0, 4096, NULL, 0, &error));
    OK(SCIPrepareSegment(segment, 0, 0, &error));
    OK(SCISetSegmentAvailable(segment, 0, 0, &error));
    meet(2);
    GIVES(BUSY, SCIRemoveSegment(segment, 0, &error));
    OK(SCIUnmapSegment(map, 0, &error));
    GIVES(BUSY, SCIRemoveSegment(segment, 0, &error));
    meet(2);
    do {
        SCIRemoveSegment(segment, 0, &error);
    } while (error == SCI_ERR_BUSY);
    SAME(SCI_ERR_OK, error);
}

static void holds(void) {
    sci_remote_segment_t segment = connected(8, 7, NULL, NULL);
    meet(2);
    meet(2);
    disconnected(segment, NULL);
}

CLAIM(a_segment_in_use_cannot_be_removed) {
    node(8, keeps);
    node(4, holds);
}

static void goes(void) {
    connected(8, 7, NULL, NULL);
    meet(2);
    meet(2);
    _exit(0);
}

CLAIM(who_has_died_holds_no_segment) {
    node(8, keeps);
    node(4, goes);
}

static void forces(void) {
    sci_map_t map;
    sci_local_segment_t segment;
    OK(SCICreateSegment(opened(), &segment, 7, 4096, NULL, NULL, 0, &error));
    OK(SCIMapLocalSegment(segment, &map, 0, 4096, NULL, 0, &error));
    OK(SCIPrepareSegment(segment, 0, 0, &error));
    OK(SCISetSegmentAvailable(segment, 0, 0, &error));
    OK(SCIUnmapSegment(map, 0, &error));
    meet(2);
    OK(SCISetSegmentUnavailable(segment, 0, FLAG(NOTIFY), &error));
    meet(2);
    OK(SCIRemoveSegment(segment, FLAG(FORCE_REMOVE), &error));
    meet(2);
}

static void is_told(void) {
    sci_map_t map;
    Word *memory;
    sci_error_t status;
    sci_remote_segment_t segment = connected(8, 7, &map, &memory), other;
    GIVES(TIMEOUT, SCIWaitForRemoteSegmentEvent(segment, &status, 10, 0, &error));
    meet(2);
    SAME(SCI_CB_DISCONNECT, SCIWaitForRemoteSegmentEvent(segment, &status, 5000, 0, &error));
    GIVES(CONNECTION_REFUSED, SCIConnectSegment(opened(), &other, 8, 7, 0, NULL, NULL, 0, 0, &error));
    memory[0] = 1; // still there
    SAME(1, memory[0]);
    meet(2);
    SAME(SCI_CB_LOST, SCIWaitForRemoteSegmentEvent(segment, &status, 5000, 0, &error));
    meet(2);
    while (memory[0] != UINT64_MAX) {
        rest(1);
    }
    disconnected(segment, map);
}

CLAIM(an_unavailable_segment_takes_no_new_connections_and_a_removed_one_is_lost) {
    node(8, forces);
    node(4, is_told);
}

static void hears(void) {
    void *memory;
    unsigned id, adapter;
    sci_local_segment_t segment = made(7, 4096, &memory);
    SAME(SCI_CB_CONNECT, SCIWaitForLocalSegmentEvent(segment, &id, &adapter, 5000, 0, &error));
    SAME(4, id);
    SAME(SCI_CB_DISCONNECT, SCIWaitForLocalSegmentEvent(segment, &id, &adapter, 5000, 0, &error));
    SAME(4, id);
    GIVES(TIMEOUT, SCIWaitForLocalSegmentEvent(segment, &id, &adapter, 10, 0, &error));
    board[0] = 1;
    SAME(SCI_CB_CONNECT, SCIWaitForLocalSegmentEvent(segment, &id, &adapter, 5000, 0, &error));
    SAME(SCI_CB_DISCONNECT, SCIWaitForLocalSegmentEvent(segment, &id, &adapter, 5000, 0, &error)); // by death
}

static void comes_and_goes(void) {
    disconnected(connected(8, 7, NULL, NULL), NULL);
    wait_until(&board[0], 1);
    connected(8, 7, NULL, NULL);
    _exit(0);
}

CLAIM(an_owner_hears_of_connections_and_their_end_and_deaths) {
    node(8, hears);
    node(4, comes_and_goes);
}

static _Atomic uint64_t connects, disconnects;

static sci_callback_action_t on_event(void *arg, sci_local_segment_t segment, sci_segment_cb_reason_t reason,
    unsigned id, unsigned adapter, sci_error_t failure) {
    CHECK(arg == &connects && segment != NULL && id == 4 && adapter == 0 && failure == SCI_ERR_OK);
    *(reason == SCI_CB_CONNECT ? &connects : &disconnects) += 1;
    return SCI_CALLBACK_CONTINUE;
}

static bool one_of_each(void) {
    return connects == 1 && disconnects == 1;
}

static void hears_by_callback(void) {
    sci_local_segment_t segment;
    GIVES(ILLEGAL_PARAMETER, SCICreateSegment(opened(), &segment, 7, 4096, NULL, NULL, FLAG(USE_CALLBACK), &error));
    OK(SCICreateSegment(opened(), &segment, 7, 4096, on_event, (void *)&connects, FLAG(USE_CALLBACK), &error));
    OK(SCIPrepareSegment(segment, 0, 0, &error));
    OK(SCISetSegmentAvailable(segment, 0, 0, &error));
    CHECK(soon(one_of_each));
    OK(SCIRemoveSegment(segment, 0, &error));
}

static void comes(void) {
    disconnected(connected(8, 7, NULL, NULL), NULL);
}

CLAIM(a_local_segments_callback_hears_of_connections) {
    node(8, hears_by_callback);
    node(4, comes);
}

static _Atomic uint64_t lost;

static sci_callback_action_t on_loss(void *arg, sci_remote_segment_t segment, sci_segment_cb_reason_t reason,
    sci_error_t status) {
    CHECK(arg == &lost && status == SCI_ERR_OK);
    GIVES(BUSY, SCIDisconnectSegment(segment, 0, &error));
    lost = reason;
    return SCI_CALLBACK_CANCEL;
}

static bool is_lost(void) {
    return lost == SCI_CB_LOST;
}

static void hears_of_loss(void) {
    sci_remote_segment_t segment;
    meet(2);
    OK(SCIConnectSegment(opened(), &segment, 8, 7, 0, on_loss, (void *)&lost, 0, FLAG(USE_CALLBACK), &error));
    meet(2);
    CHECK(soon(is_lost));
    OK(SCIDisconnectSegment(segment, 0, &error));
}

static void dies(void) {
    void *memory;
    made(7, 4096, &memory);
    meet(2);
    meet(2);
    _exit(0);
}

CLAIM(a_remote_segments_callback_hears_of_its_owners_death) {
    node(8, dies);
    node(4, hears_of_loss);
}

static void alone(void) {
    void *memory;
    sci_map_t map;
    Word *remote;
    made(7, 4096, &memory);
    connected(4, 7, &map, &remote);
    remote[3] = 5;
    SAME(5, ((uint64_t *)memory)[3]);
    SAME(5, remote[3]);
}

CLAIM(a_map_of_the_own_nodes_segment_is_plain_memory_in_mode_weak_too) {
    set("BRIGADE_SISCI_MODE", "weak");
    node(4, alone);
}

static void shares(void) {
    void *memory;
    sci_local_segment_t segment = made(7, 4096, &memory);
    meet(2);
    meet(2);
    OK(SCIShareSegment(segment, 0, &error));
    meet(2);
    wait_until(memory, 9);
    meet(2);
}

static void attaches(void) {
    sci_local_segment_t segment;
    sci_map_t map;
    size_t size;
    uint64_t *memory;
    meet(2);
    GIVES(ACCESS, SCIAttachLocalSegment(opened(), &segment, 7, &size, NULL, NULL, 0, &error));
    GIVES(NO_SUCH_SEGMENT, SCIAttachLocalSegment(opened(), &segment, 8, &size, NULL, NULL, 0, &error));
    meet(2);
    meet(2);
    OK(SCIAttachLocalSegment(opened(), &segment, 7, &size, NULL, NULL, 0, &error));
    SAME(4096, size);
    OK(memory = SCIMapLocalSegment(segment, &map, 0, size, NULL, 0, &error));
    *(_Atomic uint64_t *)memory = 9;
    meet(2);
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
}

CLAIM(a_shared_segment_is_another_process_of_the_nodes_too) {
    node(4, shares);
    node(4, attaches);
}

static void calls_wrongly(void) {
    sci_desc_t sd;
    sci_local_segment_t segment;
    sci_remote_segment_t remote;
    GIVES(NOT_INITIALIZED, SCIOpen(&sd, 0, &error));
    OK(SCIInitialize(0, &error));
    sd = opened();
    GIVES(ILLEGAL_PARAMETER, SCICreateSegment(NULL, &segment, 7, 4096, NULL, NULL, 0, &error));
    GIVES(ILLEGAL_PARAMETER, SCICreateSegment((sci_desc_t)&(uint64_t){0}, &segment, 7, 4096, NULL, NULL, 0, &error));
    GIVES(ILLEGAL_PARAMETER, SCICreateSegment(sd, &segment, 7, 0, NULL, NULL, 0, &error));
    GIVES(ILLEGAL_FLAG, SCICreateSegment(sd, &segment, 7, 4096, NULL, NULL, 0x8, &error));
    GIVES(NOSPC, SCICreateSegment(sd, &segment, 7, (size_t)1 << 60, NULL, NULL, 0, &error));
    GIVES(ILLEGAL_NODEID, SCIConnectSegment(sd, &remote, 5, 7, 0, NULL, NULL, 0, 0, &error));
    GIVES(ILLEGAL_NODEID, SCIConnectSegment(sd, &remote, 0, 7, 0, NULL, NULL, 0, 0, &error));
    GIVES(ILLEGAL_PARAMETER, SCIConnectSegment(sd, &remote, 252, 7, 0, NULL, NULL, 0, 0, &error));
    SCITerminate();
    GIVES(NOT_INITIALIZED, SCIClose(sd, 0, &error));
}

CLAIM(wrong_calls_are_refused) {
    bare_node(4, calls_wrongly);
}
