// Interrupts: a wake-up for a process of another node, plain or with a few bytes. Plain ones merge until they are
// waited for, unless they count; messages queue up to a bound, and then their senders see SCI_ERR_NOSPC. Numbers are a
// node's.
#define _GNU_SOURCE
#include "library.h"

#include "faults.h"

#include <stdlib.h>
#include <string.h>

struct sci_interrupt {
    uint32_t kind;
    sci_desc_t sd;
    unsigned index, generation;
    bool data;
    Listener listener;
    sci_cb_interrupt_t callback;
    sci_cb_data_interrupt_t dataCallback;
    void *arg;
};

struct sci_remote_interrupt {
    uint32_t kind;
    sci_desc_t sd;
    unsigned index, generation, node;
    bool data;
};

static InterruptEntry *find(unsigned node, unsigned number) {
    for (unsigned i = 0; i < INTERRUPTS; i++) {
        InterruptEntry *entry = &fabric->interrupts[i];
        if (entry->used && entry->node == node && entry->number == number) {
            return entry;
        }
    }
    return NULL;
}

// An entry with that number, or the lowest that is free on this node. Under the fabric's lock.
static InterruptEntry *take(unsigned *number, bool fixed, bool data, bool counting) {
    InterruptEntry *entry = fabric->interrupts;
    while (entry < fabric->interrupts + INTERRUPTS && entry->used) {
        entry++;
    }
    if (entry == fabric->interrupts + INTERRUPTS || (fixed && find(settings.node, *number) != NULL)) {
        return NULL;
    }
    if (!fixed) {
        for (*number = 0; find(settings.node, *number) != NULL; ++*number) {
        }
    }
    entry->node = settings.node;
    entry->number = *number;
    entry->process = self_slot;
    entry->data = data;
    entry->counting = counting;
    entry->posted = entry->taken = 0;
    entry->used = 1;
    return entry;
}

static bool call_back(void *object) {
    sci_local_interrupt_t interrupt = object;
    unsigned char bytes[MESSAGE_BYTES];
    unsigned length = sizeof bytes;
    sci_error_t error;
    if (interrupt->data) {
        SCIWaitForDataInterrupt(interrupt, bytes, &length, LISTENER_SLICE_MS, 0, &error);
        return error != SCI_ERR_OK || interrupt->dataCallback(interrupt->arg, interrupt, bytes, length, SCI_ERR_OK)
            == SCI_CALLBACK_CONTINUE;
    }
    SCIWaitForInterrupt(interrupt, LISTENER_SLICE_MS, 0, &error);
    return error != SCI_ERR_OK || interrupt->callback(interrupt->arg, interrupt, SCI_ERR_OK) == SCI_CALLBACK_CONTINUE;
}

static void create(sci_desc_t sd, sci_local_interrupt_t *result, unsigned adapter, unsigned *number,
    sci_cb_interrupt_t callback, sci_cb_data_interrupt_t dataCallback, void *arg, bool data, unsigned flags,
    sci_error_t *error) {
    bool calls = (flags & FLAG(USE_CALLBACK)) != 0;
    if (!valid(sd, DESCRIPTOR, error) || !adapter_known(adapter, error)
        || !flags_known(flags, FLAG(USE_CALLBACK) | FLAG(FIXED_INTNO) | (data ? 0 : FLAG(COUNTING_INT)), error)
        || !report(error, number == NULL || (calls && callback == NULL && dataCallback == NULL)
            ? SCI_ERR_ILLEGAL_PARAMETER : SCI_ERR_OK)) {
        return;
    }
    sci_local_interrupt_t interrupt = calloc(1, sizeof *interrupt);
    if (!report(error, interrupt == NULL ? SCI_ERR_NOSPC : SCI_ERR_OK)) {
        return;
    }
    fabric_lock();
    fabric_reap();
    InterruptEntry *entry = take(number, (flags & FLAG(FIXED_INTNO)) != 0, data, (flags & FLAG(COUNTING_INT)) != 0);
    fabric_unlock();
    if (!report(error, entry == NULL ? SCI_ERR_NOSPC : SCI_ERR_OK)) {
        free(interrupt);
        return;
    }
    *interrupt = (struct sci_interrupt){.kind = INTERRUPT, .sd = sd, .index = (unsigned)(entry - fabric->interrupts),
        .generation = entry->generation, .data = data, .callback = callback, .dataCallback = dataCallback, .arg = arg};
    resource_made(sd);
    if (calls) {
        listener_start(&interrupt->listener, call_back, interrupt);
    }
    *result = interrupt;
}

static bool valid_local(sci_local_interrupt_t interrupt, bool data, sci_error_t *error) {
    return valid(interrupt, INTERRUPT, error)
        && report(error, interrupt->data == data ? SCI_ERR_OK : SCI_ERR_ILLEGAL_PARAMETER);
}

static void remove_local(sci_local_interrupt_t interrupt, bool data, unsigned flags, sci_error_t *error) {
    if (!valid_local(interrupt, data, error) || !flags_known(flags, 0, error)) {
        return;
    }
    InterruptEntry *entry = &fabric->interrupts[interrupt->index];
    if (!report(error, listener_stop(&interrupt->listener, &entry->posted) ? SCI_ERR_OK : SCI_ERR_BUSY)) {
        return;
    }
    fabric_lock();
    entry->generation++;
    entry->used = 0;
    fabric_unlock();
    resource_gone(interrupt->sd);
    interrupt->kind = 0;
    free(interrupt);
}

static void connect(sci_desc_t sd, sci_remote_interrupt_t *result, unsigned node, unsigned adapter, unsigned number,
    bool data, unsigned flags, sci_error_t *error) {
    if (!valid(sd, DESCRIPTOR, error) || !adapter_known(adapter, error) || !flags_known(flags, 0, error)
        || !report(error, node_reachable(node))) {
        return;
    }
    sci_remote_interrupt_t remote = calloc(1, sizeof *remote);
    if (!report(error, remote == NULL ? SCI_ERR_NOSPC : SCI_ERR_OK)) {
        return;
    }
    fabric_lock();
    InterruptEntry *entry = find(node, number);
    if (entry != NULL && !fabric_alive(entry->process)) {
        fabric_reap();
        entry = NULL;
    }
    if (entry != NULL && entry->data == data) {
        *remote = (struct sci_remote_interrupt){.kind = REMOTE_INTERRUPT, .sd = sd,
            .index = (unsigned)(entry - fabric->interrupts), .generation = entry->generation, .node = node,
            .data = data};
    }
    fabric_unlock();
    if (!report(error, remote->kind == 0 ? SCI_ERR_NO_SUCH_SEGMENT : SCI_ERR_OK)) { // the code for interrupts, too
        free(remote);
        return;
    }
    resource_made(sd);
    *result = remote;
}

static bool valid_remote(sci_remote_interrupt_t remote, bool data, sci_error_t *error) {
    return valid(remote, REMOTE_INTERRUPT, error)
        && report(error, remote->data == data ? SCI_ERR_OK : SCI_ERR_ILLEGAL_PARAMETER);
}

static void disconnect(sci_remote_interrupt_t remote, bool data, unsigned flags, sci_error_t *error) {
    if (valid_remote(remote, data, error) && flags_known(flags, 0, error)) {
        resource_gone(remote->sd);
        remote->kind = 0;
        free(remote);
    }
}

static void trigger(sci_remote_interrupt_t remote, bool data, const void *bytes, unsigned length, unsigned flags,
    sci_error_t *error) {
    if (!valid_remote(remote, data, error) || !flags_known(flags, 0, error)
        || !report(error, length > MESSAGE_BYTES || (length > 0 && bytes == NULL)
        ? SCI_ERR_ILLEGAL_PARAMETER : SCI_ERR_OK)) {
        return;
    }
    uint64_t begin = time_now();
    faults_operation();
    timing_spend(data ? COST_DATA_INTERRUPT : COST_INTERRUPT, begin);
    if (!report(error, node_reachable(remote->node))) {
        return;
    }
    InterruptEntry *entry = &fabric->interrupts[remote->index];
    sci_error_t sent = SCI_ERR_OK;
    fabric_lock();
    if (!entry->used || entry->generation != remote->generation || !fabric_alive(entry->process)) {
        sent = SCI_ERR_NOT_CONNECTED;
    } else if (data && entry->posted - entry->taken == MESSAGES) {
        sent = SCI_ERR_NOSPC;
    } else if (data) {
        entry->messages[entry->posted % MESSAGES].length = length;
        memcpy(entry->messages[entry->posted % MESSAGES].bytes, bytes, length);
        entry->posted++;
    } else if (entry->counting || entry->posted == entry->taken) {
        entry->posted++;
    }
    fabric_unlock();
    word_wake(&entry->posted);
    report(error, sent);
}

// Takes the next one; SCI_ERR_TIMEOUT without any, SCI_ERR_OVERFLOW if its message does not fit: then it stays, and
// *length is what it needs [I].
static sci_error_t fetch(sci_local_interrupt_t interrupt, void *data, unsigned *length) {
    InterruptEntry *entry = &fabric->interrupts[interrupt->index];
    sci_error_t error = SCI_ERR_OK;
    fabric_lock();
    if (entry->posted == entry->taken) {
        error = SCI_ERR_TIMEOUT;
    } else {
        if (interrupt->data) {
            unsigned room = *length;
            *length = entry->messages[entry->taken % MESSAGES].length;
            if (room < *length) {
                error = SCI_ERR_OVERFLOW;
            } else {
                memcpy(data, entry->messages[entry->taken % MESSAGES].bytes, *length);
            }
        }
        entry->taken += error == SCI_ERR_OK;
    }
    fabric_unlock();
    return error;
}

static void wait_local(sci_local_interrupt_t interrupt, bool data, void *bytes, unsigned *length, unsigned timeout,
    unsigned flags, sci_error_t *error) {
    uint64_t deadline = time_deadline(timeout);
    if (!valid_local(interrupt, data, error) || !flags_known(flags, 0, error)
        || !report(error, data && (bytes == NULL || length == NULL) ? SCI_ERR_ILLEGAL_PARAMETER : SCI_ERR_OK)) {
        return;
    }
    // One with a callback is the callback's alone.
    Listener *listener = &interrupt->listener;
    if (!report(error, listener->running && !listener_is_current(listener) ? SCI_ERR_ILLEGAL_OPERATION : SCI_ERR_OK)) {
        return;
    }
    InterruptEntry *entry = &fabric->interrupts[interrupt->index];
    for (;;) {
        uint32_t seen = entry->posted;
        sci_error_t got = fetch(interrupt, bytes, length);
        if (got != SCI_ERR_TIMEOUT || time_now() >= deadline || listener->stop) {
            report(error, got);
            return;
        }
        word_wait(&entry->posted, seen, deadline);
    }
}

void SCICreateInterrupt(sci_desc_t sd, sci_local_interrupt_t *interrupt, unsigned adapter, unsigned *number,
    sci_cb_interrupt_t callback, void *arg, unsigned flags, sci_error_t *error) {
    create(sd, interrupt, adapter, number, callback, NULL, arg, false, flags, error);
}
SISCI_NAMES(SCICreateInterrupt)

void SCIRemoveInterrupt(sci_local_interrupt_t interrupt, unsigned flags, sci_error_t *error) {
    remove_local(interrupt, false, flags, error);
}
SISCI_NAMES(SCIRemoveInterrupt)

void SCIConnectInterrupt(sci_desc_t sd, sci_remote_interrupt_t *interrupt, unsigned nodeId, unsigned adapter,
    unsigned number, unsigned timeout, unsigned flags, sci_error_t *error) {
    (void)timeout;
    connect(sd, interrupt, nodeId, adapter, number, false, flags, error);
}
SISCI_NAMES(SCIConnectInterrupt)

void SCIDisconnectInterrupt(sci_remote_interrupt_t interrupt, unsigned flags, sci_error_t *error) {
    disconnect(interrupt, false, flags, error);
}
SISCI_NAMES(SCIDisconnectInterrupt)

void SCITriggerInterrupt(sci_remote_interrupt_t interrupt, unsigned flags, sci_error_t *error) {
    trigger(interrupt, false, NULL, 0, flags, error);
}
SISCI_NAMES(SCITriggerInterrupt)

void SCIWaitForInterrupt(sci_local_interrupt_t interrupt, unsigned timeout, unsigned flags, sci_error_t *error) {
    wait_local(interrupt, false, NULL, NULL, timeout, flags, error);
}
SISCI_NAMES(SCIWaitForInterrupt)

void SCICreateDataInterrupt(sci_desc_t sd, sci_local_data_interrupt_t *interrupt, unsigned adapter, unsigned *number,
    sci_cb_data_interrupt_t callback, void *arg, unsigned flags, sci_error_t *error) {
    create(sd, interrupt, adapter, number, NULL, callback, arg, true, flags, error);
}
SISCI_NAMES(SCICreateDataInterrupt)

void SCIRemoveDataInterrupt(sci_local_data_interrupt_t interrupt, unsigned flags, sci_error_t *error) {
    remove_local(interrupt, true, flags, error);
}
SISCI_NAMES(SCIRemoveDataInterrupt)

void SCIConnectDataInterrupt(sci_desc_t sd, sci_remote_data_interrupt_t *interrupt, unsigned nodeId, unsigned adapter,
    unsigned number, unsigned timeout, unsigned flags, sci_error_t *error) {
    (void)timeout;
    connect(sd, interrupt, nodeId, adapter, number, true, flags, error);
}
SISCI_NAMES(SCIConnectDataInterrupt)

void SCIDisconnectDataInterrupt(sci_remote_data_interrupt_t interrupt, unsigned flags, sci_error_t *error) {
    disconnect(interrupt, true, flags, error);
}
SISCI_NAMES(SCIDisconnectDataInterrupt)

void SCITriggerDataInterrupt(sci_remote_data_interrupt_t interrupt, void *data, unsigned length, unsigned flags,
    sci_error_t *error) {
    trigger(interrupt, true, data, length, flags, error);
}
SISCI_NAMES(SCITriggerDataInterrupt)

void SCIWaitForDataInterrupt(sci_local_data_interrupt_t interrupt, void *data, unsigned *length, unsigned timeout,
    unsigned flags, sci_error_t *error) {
    wait_local(interrupt, true, data, length, timeout, flags, error);
}
SISCI_NAMES(SCIWaitForDataInterrupt)
