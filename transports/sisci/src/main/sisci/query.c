// What can be asked: nodes, adapter, DMA, addresses; and the texts of errors.
#define _GNU_SOURCE
#include "library.h"

#include <stdio.h>
#include <string.h>

#define TEXT(name) {SCI_ERR_##name, "SCI_ERR_" #name}

static const struct {sci_error_t error; const char *text;} TEXTS[] = {
    TEXT(OK), TEXT(BUSY), TEXT(FLAG_NOT_IMPLEMENTED), TEXT(ILLEGAL_FLAG), TEXT(NOSPC), TEXT(API_NOSPC), TEXT(HW_NOSPC),
    TEXT(NOT_IMPLEMENTED), TEXT(ILLEGAL_ADAPTERNO),
    TEXT(NO_SUCH_ADAPTERNO), TEXT(TIMEOUT), TEXT(OUT_OF_RANGE), TEXT(NO_SUCH_SEGMENT), TEXT(ILLEGAL_NODEID),
    TEXT(CONNECTION_REFUSED), TEXT(SEGMENT_NOT_CONNECTED),
    TEXT(SIZE_ALIGNMENT), TEXT(OFFSET_ALIGNMENT), TEXT(ILLEGAL_PARAMETER), TEXT(MAX_ENTRIES),
    TEXT(SEGMENT_NOT_PREPARED), TEXT(ILLEGAL_ADDRESS), TEXT(ILLEGAL_OPERATION),
    TEXT(ILLEGAL_QUERY), TEXT(SEGMENTID_USED), TEXT(SYSTEM), TEXT(CANCELLED), TEXT(NOT_CONNECTED), TEXT(NOT_AVAILABLE),
    TEXT(INCONSISTENT_VERSIONS),
    TEXT(COND_INT_RACE_PROBLEM), TEXT(OVERFLOW), TEXT(NOT_INITIALIZED), TEXT(ACCESS), TEXT(NO_SUCH_NODEID),
    TEXT(NODE_NOT_RESPONDING), TEXT(NO_REMOTE_LINK_ACCESS),
    TEXT(NO_LINK_ACCESS), TEXT(TRANSFER_FAILED)
};

const char *SCIGetErrorString(sci_error_t error) {
    for (unsigned i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        if (TEXTS[i].error == error) {
            return TEXTS[i].text;
        }
    }
    return "unknown SISCI error";
}
SISCI_NAMES(SCIGetErrorString)

void SCIGetLocalNodeId(unsigned adapter, unsigned *nodeId, unsigned flags, sci_error_t *error) {
    if (report(error, fabric == NULL ? SCI_ERR_NOT_INITIALIZED : SCI_ERR_OK) && flags_known(flags, 0, error)
        && adapter_known(adapter, error)) {
        *nodeId = settings.node;
    }
}
SISCI_NAMES(SCIGetLocalNodeId)

// A node is there while one of its processes lives.
int SCIProbeNode(sci_desc_t sd, unsigned adapter, unsigned nodeId, unsigned flags, sci_error_t *error) {
    if (!valid(sd, DESCRIPTOR, error) || !adapter_known(adapter, error) || !flags_known(flags, 0, error)
        || !report(error, node_reachable(nodeId))) {
        return 0;
    }
    bool there = false;
    fabric_lock();
    for (unsigned i = 0; i < PROCESSES && !there; i++) {
        there = fabric->processes[i].used && fabric->processes[i].node == nodeId && fabric_alive(i);
    }
    fabric_unlock();
    report(error, there ? SCI_ERR_OK : SCI_ERR_NO_SUCH_NODEID);
    return there;
}
SISCI_NAMES(SCIProbeNode)

static bool put(void *target, unsigned value) {
    memcpy(target, &value, sizeof value);
    return true;
}

static bool text(void *target, const char *value) {
    const sci_query_string_t *string = target;
    if (string->str != NULL && string->length > 0) {
        snprintf(string->str, string->length, "%s", value);
    }
    return true;
}

// Names of queries are not constants to the compiler: hence no switch.
static bool about_adapter(const sci_query_adapter_t *query) {
    const unsigned what = query->subcommand;
    const Node *node = fabric_node(settings.node);
    return what == QUERY(ADAPTER_NODEID) ? put(query->data, settings.node)
        : what == QUERY(ADAPTER_CARD_TYPE) ? put(query->data, 0)
        : what == QUERY(ADAPTER_BDF) ? put(query->data, 0)                  // no slot
        : what == QUERY(ADAPTER_DMA_MTU) ? put(query->data, 256)
        : what == QUERY(ADAPTER_LINK_WIDTH) ? put(query->data, 16)
        : what == QUERY(ADAPTER_LINK_SPEED) ? put(query->data, 3)           // generation 3
        : what == QUERY(ADAPTER_LINK_OPERATIONAL) ? put(query->data, !node->down && !node->lost)
        : what == QUERY(ADAPTER_NUMBER_OF_LINKS) ? put(query->data, 1)
        : what == QUERY(ADAPTER_MCAST_MAX_GROUPS) ? put(query->data, 4)
        : what == QUERY(ADAPTER_CONFIGURED) ? put(query->data, 1)
        : what == QUERY(ADAPTER_SERIAL_NUMBER) ? put(query->data, settings.node)
        : what == QUERY(ADAPTER_DMA_SIZE_ALIGNMENT) || what == QUERY(ADAPTER_DMA_OFFSET_ALIGNMENT)
            ? put(query->data, settings.alignment) : false;
}

static bool about_dma(const sci_query_dma_t *query) {
    if (query->subcommand == QUERY(DMA_AVAILABLE)) {
        return put(query->data, 1);
    }
    if (query->subcommand == QUERY(DMA_CAPABILITIES)) {
        const sci_dma_capabilities_t capabilities = {.num_channels = 4, .max_transfer_size = 0xffffffffu,
            .max_vector_length = 256, .support_mem2io = 1, .support_io2mem = 1, .support_io2io = 0,
            .min_align_bytes = settings.alignment, .suggested_align_bytes = 64};
        memcpy(query->data, &capabilities, sizeof capabilities);
        return true;
    }
    return false;
}

static sci_error_t answer(bool known) {
    return known ? SCI_ERR_OK : SCI_ERR_ILLEGAL_QUERY;
}

void SCIQuery(unsigned command, void *data, unsigned flags, sci_error_t *error) {
    if (!report(error, fabric == NULL ? SCI_ERR_NOT_INITIALIZED : data == NULL ? SCI_ERR_ILLEGAL_PARAMETER : SCI_ERR_OK)
        || !flags_known(flags, FLAG(DMA_ADAPTER) | FLAG(DMA_GLOBAL) | FLAG(DMA_SYSDMA), error)) {
        return;
    }
    if (command == QUERY(API)) {
        report(error, answer(text(data, "2.0.0 (Brigade's software SISCI: processes as nodes)")));
    } else if (command == QUERY(ADAPTER)) {
        const sci_query_adapter_t *query = data;
        if (adapter_known(query->localAdapterNo, error)) {
            report(error, answer(about_adapter(query)));
        }
    } else if (command == QUERY(DMA)) {
        const sci_query_dma_t *query = data;
        if (adapter_known(query->localAdapterNo, error)) {
            report(error, answer(about_dma(query)));
        }
    } else if (command == QUERY(LOCAL_SEGMENT)) {
        sci_query_local_segment_t *query = data;
        if (valid(query->segment, LOCAL_SEGMENT, error)) {
            query->data.ioaddr = (uintptr_t)query->segment->base;
            report(error, answer(query->subcommand == QUERY(LOCAL_SEGMENT_IOADDR)));
        }
    } else if (command == QUERY(REMOTE_SEGMENT)) {
        sci_query_remote_segment_t *query = data;
        if (valid(query->segment, REMOTE_SEGMENT, error)) {
            query->data.ioaddr = (uint64_t)query->segment->node << 32 | query->segment->id;
            report(error, answer(query->subcommand == QUERY(REMOTE_SEGMENT_IOADDR)));
        }
    } else if (command == QUERY(MAP)) {
        sci_query_map_t *query = data;
        if (valid(query->map, MAP, error)) {
            query->data = SCIGetMapPhysAddr(query->map);
            report(error, answer(query->subcommand == QUERY(MAP_PHYS_ADDR)));
        }
    } else {
        report(error, SCI_ERR_ILLEGAL_QUERY);
    }
}
SISCI_NAMES(SCIQuery)
