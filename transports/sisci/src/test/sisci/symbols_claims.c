// Names and values as programs find them that open the library by themselves; queries.
#define _GNU_SOURCE
#include "claims.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const FUNCTIONS[] = {
    "SCIInitialize", "SCITerminate", "SCIGetErrorString", "SCIOpen", "SCIClose", "SCIGetLocalNodeId", "SCIProbeNode",
    "SCIQuery", "SCICreateSegment", "SCIPrepareSegment",
    "SCISetSegmentAvailable", "SCISetSegmentUnavailable", "SCIMapLocalSegment", "SCIRemoveSegment",
    "SCIGetLocalSegmentId", "SCIGetLocalSegmentSize", "SCIConnectSegment",
    "SCIMapRemoteSegment", "SCIDisconnectSegment", "SCIUnmapSegment", "SCIGetRemoteSegmentSize",
    "SCIGetRemoteSegmentId", "SCIGetRemoteSegmentNodeId", "SCIGetMapPointer",
    "SCIGetMapPhysAddr", "SCIAttachPhysicalMemory", "SCIRegisterSegmentMemory", "SCIWaitForLocalSegmentEvent",
    "SCIWaitForRemoteSegmentEvent", "SCICreateDMAQueue",
    "SCIRemoveDMAQueue", "SCIStartDmaTransfer", "SCIStartDmaTransferMem", "SCIStartDmaTransferVec", "SCIDMAQueueState",
    "SCIWaitForDMAQueue", "SCIAbortDMAQueue",
    "SCICreateInterrupt", "SCIRemoveInterrupt", "SCIConnectInterrupt", "SCIDisconnectInterrupt", "SCITriggerInterrupt",
    "SCIWaitForInterrupt", "SCICreateDataInterrupt",
    "SCIRemoveDataInterrupt", "SCIConnectDataInterrupt", "SCIDisconnectDataInterrupt", "SCITriggerDataInterrupt",
    "SCIWaitForDataInterrupt", "SCICreateMapSequence",
    "SCIRemoveSequence", "SCIStartSequence", "SCICheckSequence", "SCIStoreBarrier", "SCIFlush", "SCIMemCpy",
    "SCIMemWrite", "SCIShareSegment", "SCIAttachLocalSegment"
};

static void *symbol(const char *prefix, const char *name) {
    char whole[128];
    snprintf(whole, sizeof whole, "%s%s", prefix, name);
    void *found = dlsym(RTLD_DEFAULT, whole);
    if (found == NULL) {
        fprintf(stderr, "%s is missing\n", whole);
        exit(1);
    }
    return found;
}

static void three_names(void) {
    for (unsigned i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        void *single = symbol("_SISCI_PUBLIC_FUNC_ST_", FUNCTIONS[i]);
        CHECK(single == symbol("_SISCI_PUBLIC_FUNC_MT_", FUNCTIONS[i]) && single == symbol("", FUNCTIONS[i]));
    }
}

CLAIM(every_function_has_its_three_names) {
    bare_node(4, three_names);
}

static unsigned value(const char *name) {
    return *(unsigned *)symbol("_SISCI_PUBLIC_CONST_SCI_", name);
}

static void published(void) {
    SAME(0x1, value("FLAG_USE_CALLBACK"));
    SAME(0x2, value("FLAG_EMPTY"));
    SAME(0x4, value("FLAG_DMA_WAIT"));
    SAME(0x10, value("FLAG_DMA_READ"));
    SAME(0x400, value("FLAG_LOCK_USER_MEM"));
    SAME(0x2000, value("FLAG_CUDA_BUFFER"));
    SAME(0x40000, value("FLAG_BROADCAST"));
    SAME(0x20000000, value("FLAG_AUTO_ID"));
    SAME(0xffffffffu, value("INFINITE_TIMEOUT"));
    SAME(FLAG(AUTO_ID), value("FLAG_AUTO_ID"));
    SAME(QUERY(ADAPTER), value("Q_ADAPTER"));
}

CLAIM(constants_are_data_with_the_published_values) {
    bare_node(4, published);
}

// Mode shifted is read when the library is loaded: so this program starts itself again.
static void again(void) {
    if (getenv("CLAIMS_SHIFTED") == NULL) {
        set("CLAIMS_SHIFTED", "1");
        set("BRIGADE_SISCI_MODE", "shifted");
        execl("/proc/self/exe", "symbols_claims", "in_mode_shifted_constants_are_others_and_only_they_work",
            (char *)NULL);
        exit(1);
    }
    sci_desc_t sd;
    sci_local_segment_t segment;
    unsigned node = 0;
    SAME(0x2, value("FLAG_USE_CALLBACK"));
    SAME(0x40000000, value("FLAG_AUTO_ID"));
    SAME(0xffffffffu, value("INFINITE_TIMEOUT"));
    OK(SCIInitialize(0, &error));
    OK(SCIOpen(&sd, 0, &error));
    GIVES(ILLEGAL_FLAG, SCICreateSegment(sd, &segment, 7, 4096, NULL, NULL, 0x20000000, &error));
    OK(SCICreateSegment(sd, &segment, 7, 4096, NULL, NULL, value("FLAG_AUTO_ID"), &error));
    sci_query_adapter_t query = {.subcommand = value("Q_ADAPTER_NODEID"), .data = &node};
    OK(SCIQuery(value("Q_ADAPTER"), &query, 0, &error));
    SAME(4, node);
    GIVES(ILLEGAL_QUERY, SCIQuery(value("Q_ADAPTER") - 1000, &query, 0, &error));
    SCITerminate();
}

CLAIM(in_mode_shifted_constants_are_others_and_only_they_work) {
    bare_node(4, again);
}

static uint64_t asked(unsigned what) {
    uint64_t answer = 0;
    sci_query_adapter_t query = {.subcommand = what, .data = &answer};
    OK(SCIQuery(QUERY(ADAPTER), &query, 0, &error));
    return answer;
}

static void asks(void) {
    char text[64] = "";
    sci_query_string_t version = {text, sizeof text};
    sci_dma_capabilities_t capabilities;
    sci_query_dma_t dma = {.subcommand = QUERY(DMA_CAPABILITIES), .data = &capabilities};
    sci_query_adapter_t adapter = {.localAdapterNo = 1, .subcommand = QUERY(ADAPTER_NODEID), .data = text};
    unsigned id = 0;
    OK(SCIQuery(QUERY(API), &version, 0, &error));
    CHECK(strncmp(text, "2.", 2) == 0);
    OK(SCIGetLocalNodeId(0, &id, 0, &error));
    SAME(8, id);
    SAME(8, asked(QUERY(ADAPTER_NODEID)));
    SAME(1, asked(QUERY(ADAPTER_LINK_OPERATIONAL)));
    SAME(1, asked(QUERY(ADAPTER_CONFIGURED)));
    SAME(8, asked(QUERY(ADAPTER_DMA_SIZE_ALIGNMENT)));
    CHECK(asked(QUERY(ADAPTER_MCAST_MAX_GROUPS)) > 0);
    GIVES(NO_SUCH_ADAPTERNO, SCIQuery(QUERY(ADAPTER), &adapter, 0, &error));
    GIVES(ILLEGAL_QUERY, SCIQuery(12345, &adapter, 0, &error));
    OK(SCIQuery(QUERY(DMA), &dma, FLAG(DMA_ADAPTER), &error));
    SAME(8, capabilities.min_align_bytes);
    SAME(1, SCIProbeNode(opened(), 0, 8, 0, &error));
    GIVES(NO_SUCH_NODEID, SCIProbeNode(opened(), 0, 16, 0, &error));
    SAME(0, brigade_sisci_fault("link=down"));
    SAME(0, asked(QUERY(ADAPTER_LINK_OPERATIONAL)));
    CHECK(strcmp("SCI_ERR_NO_SUCH_SEGMENT", SCIGetErrorString(SCI_ERR_NO_SUCH_SEGMENT)) == 0);
    SAME(0x4000090c, SCI_ERR_NO_SUCH_SEGMENT);
    SAME(0x40000921, SCI_ERR_ACCESS);
    SAME(0x40000a06, SCI_ERR_TRANSFER_FAILED);
    SAME(24, sizeof(sci_query_adapter_t));
    SAME(16, sizeof(sci_query_dma_t));
    SAME(32, sizeof(sci_dma_capabilities_t));
    SAME(16, sizeof(dis_dma_vec_t));
}

CLAIM(queries_tell_node_link_alignment_and_version) {
    set("BRIGADE_SISCI_MODE", "aligned=8");
    node(8, asks);
}
