// What happens to segments: others connect to local ones and go again; remote ones stop and resume working, or are
// lost.
#define _GNU_SOURCE
#include "library.h"

static sci_segment_cb_reason_t none(sci_error_t *error, sci_error_t value) {
    report(error, value);
    return 0;
}

// An event that has been posted, or SCI_ERR_TIMEOUT. What is waited for may be the object's end: then a listener is
// stopped.
static bool wait_for_event(_Atomic uint32_t *posted, _Atomic uint32_t *taken, uint64_t deadline,
    const Listener *listener) {
    for (;;) {
        uint32_t seen = *posted;
        if (seen != *taken) {
            return true;
        }
        if (time_now() >= deadline || (listener->running && listener->stop)) {
            return false;
        }
        word_wait(posted, seen, deadline);
    }
}

sci_segment_cb_reason_t SCIWaitForLocalSegmentEvent(sci_local_segment_t segment, unsigned *sourceNodeId,
    unsigned *adapter, unsigned timeout, unsigned flags, sci_error_t *error) {
    uint64_t deadline = time_deadline(timeout);
    if (!valid(segment, LOCAL_SEGMENT, error) || !flags_known(flags, 0, error)
        || !report(error, segment->index == SEGMENTS ? SCI_ERR_ILLEGAL_OPERATION : SCI_ERR_OK)) {
        return 0;
    }
    SegmentEntry *entry = &fabric->segments[segment->index];
    for (;;) {
        if (!wait_for_event(&entry->posted, &entry->taken, deadline, &segment->listener)) {
            return none(error, SCI_ERR_TIMEOUT);
        }
        fabric_lock();
        bool some = entry->posted != entry->taken;
        sci_segment_cb_reason_t reason = 0;
        if (some) {
            reason = entry->events[entry->taken % EVENTS].reason;
            *sourceNodeId = entry->events[entry->taken % EVENTS].node;
            *adapter = 0;
            entry->taken++;
        }
        fabric_unlock();
        if (some) {
            report(error, SCI_ERR_OK);
            return reason;
        }
    }
}
SISCI_NAMES(SCIWaitForLocalSegmentEvent)

static void post(sci_remote_segment_t remote, sci_segment_cb_reason_t reason) {
    pthread_mutex_lock(&remote->lock);
    if (remote->posted - remote->taken == EVENTS) {
        remote->taken++;
    }
    remote->events[remote->posted % EVENTS].reason = reason;
    remote->posted++;
    pthread_mutex_unlock(&remote->lock);
    word_wake(&remote->posted);
}

sci_segment_cb_reason_t SCIWaitForRemoteSegmentEvent(sci_remote_segment_t remote, sci_error_t *status, unsigned timeout,
    unsigned flags, sci_error_t *error) {
    uint64_t deadline = time_deadline(timeout);
    if (!valid(remote, REMOTE_SEGMENT, error) || !flags_known(flags, 0, error)) {
        return 0;
    }
    for (;;) {
        if (!wait_for_event(&remote->posted, &remote->taken, deadline, &remote->listener)) {
            return none(error, SCI_ERR_TIMEOUT);
        }
        pthread_mutex_lock(&remote->lock);
        bool some = remote->posted != remote->taken;
        sci_segment_cb_reason_t reason = 0;
        if (some) {
            reason = remote->events[remote->taken % EVENTS].reason;
            remote->taken++;
        }
        pthread_mutex_unlock(&remote->lock);
        if (some) {
            report(status, SCI_ERR_OK);
            report(error, SCI_ERR_OK);
            return reason;
        }
    }
}
SISCI_NAMES(SCIWaitForRemoteSegmentEvent)

void connections_watch(void) {
    for (sci_remote_segment_t remote = remotes; remote != NULL; remote = remote->next) {
        remote_new_members(remote);
        PeerState state = remote_state(remote);
        if (state != remote->state && remote->state != PEER_LOST) {
            remote->state = state;
            post(remote, state == PEER_UP ? SCI_CB_OPERATIONAL : state == PEER_DOWN ? SCI_CB_NOT_OPERATIONAL
                : SCI_CB_LOST);
        }
        uint32_t asked = remote->multicast ? remote->asked : fabric->segments[remote->members[0].index].asked;
        if (state != PEER_LOST && asked != remote->asked) {
            remote->asked = asked;
            post(remote, SCI_CB_DISCONNECT);
        }
    }
}
