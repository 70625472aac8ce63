// libsisci in software: Dolphin's SISCI API, version 2, without adapters. Processes of one machine are the nodes;
// segments are shared memory.
//
//     cc -std=c11 -O2 -fPIC -fvisibility=hidden -pthread -Wall -Wextra -shared -o libsisci.so *.c -lrt
//
// The environment of a process, read by SCIInitialize; what is malformed is said on standard error and SCIInitialize
// fails with SCI_ERR_SYSTEM:
//
//   BRIGADE_SISCI_NODE     this process' node: 4, 8, 12 ... 248; default 4. Processes of one node share its segment
//                          ids.
//   BRIGADE_SISCI_FABRIC   which fabric it belongs to: letters, digits, '-', '_', '.'; default uid-UID. The fabric's
//                          tables are /dev/shm/brigade-sisci-FABRIC, which the last process removes; those left by
//                          killed processes are removed by whoever comes next, in any fabric of the same user.
//   BRIGADE_SISCI_MODE     a list, separated by commas:
//     weak[=SEED]          maps of other nodes' segments are private shadows. Stores reach the peer at SCIFlush,
//                          SCIStoreBarrier, SCICheckSequence and SCIMemCpy, else some time later; always cache line by
//                          cache line, and word by word in it, in an order drawn from the seed. An aligned store of 8
//                          bytes arrives whole. Stores narrower than 4 bytes take their neighbours in the aligned 4
//                          bytes along: keep to 4 and 8. Reads through such a map return poison. DMA moves blocks of 4
//                          KiB in any order, does not flush stores, and takes a random while.
//     timed                operations take as long as on a real adapter: timing.c has the figures and their source
//     shifted              flags and query numbers have other values than the real library's: whoever does not read the
//                          _SISCI_PUBLIC_CONST_ symbols fails
//     aligned=BYTES        DMA wants sizes and offsets in multiples of BYTES (a power of two): SCI_ERR_SIZE_ALIGNMENT
//                          and SCI_ERR_OFFSET_ALIGNMENT otherwise
//   BRIGADE_SISCI_TIMING   NAME=VALUE,...: other figures for mode timed, in seconds and bytes per second: dma.floor,
//                          dma.peak, dma.read.floor, dma.read.peak, copy.peak, read.floor, read.peak, multicast2.peak,
//                          multicast3.peak, flush, check, interrupt, data.interrupt
//   BRIGADE_SISCI_FAULT    a list of faults, separated by commas; @NODE restricts one to a node (default: all nodes).
//                          WHEN is +SECONDS after the first process of that node came, or #N: at the Nth operation of
//                          that node (start of a DMA, check of a sequence, SCIMemCpy, trigger); default: at once.
//     iommu=broken[@NODE]  DMA from registered memory succeeds and moves nothing, into registered memory nothing
//                          arrives; DMA with attached memory is refused when it starts; library-allocated segments
//                          work, but not from 1 GiB on; SCIStartDmaTransferMem works
//     address=broken[@NODE]  SCIStartDmaTransferMem succeeds and moves nothing
//     attach=refused[@NODE] SCIAttachPhysicalMemory says SCI_ERR_HW_NOSPC, as without GPUDirect
//     attach=silent[@NODE] DMA from attached memory succeeds and moves nothing
//     link=down@NODE[WHEN] the node's cable is pulled: stores vanish, loads return ones, sequences end NOT_RETRIABLE,
//                          DMA ends in state ERROR
//     link=up@NODE[WHEN]   and plugged in again: what was connected works again; a sequence that began before says
//                          PENDING
//     peer=lost@NODE[WHEN] the node is gone for good, as after a crash: segments are LOST
//     sequence=retriable@N every Nth check of a sequence in this process says RETRIABLE; with mode weak, stores since
//                          its start have been lost. Also sequence=pending@N
//
// Multicast: segments that are created with SCI_FLAG_BROADCAST and the same id on several nodes are a group. Whoever
// connects to it writes into the memory of all but his own node's [I]; each member's memory is its own. Its maps are
// shadows as in mode weak: stores arrive at the next flush, else in less than a millisecond; copies and DMA at once.
//
// brigade_sisci_fault("link=down@8") makes one happen now. brigade_sisci_complaint() is what SCIInitialize has not
// understood of the environment, or NULL. brigade_sisci_place() is the same number in processes that can reach each
// other: those that share the fabric's tables and the numbers of processes.
//
// Where public sources do not say what the real library does, this one does what a careful caller must survive: [I] in
// the sources marks such choices.
#ifndef BRIGADE_SISCI_H
#define BRIGADE_SISCI_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

typedef struct sci_desc *sci_desc_t;
typedef struct sci_local_segment *sci_local_segment_t;
typedef struct sci_remote_segment *sci_remote_segment_t;
typedef struct sci_map *sci_map_t;
typedef struct sci_sequence *sci_sequence_t;
typedef struct sci_dma_queue *sci_dma_queue_t;
typedef struct sci_interrupt *sci_local_interrupt_t;
typedef struct sci_interrupt *sci_local_data_interrupt_t;
typedef struct sci_remote_interrupt *sci_remote_interrupt_t;
typedef struct sci_remote_interrupt *sci_remote_data_interrupt_t;
typedef uint64_t sci_ioaddr_t;

typedef enum {
    SCI_ERR_OK = 0, SCI_ERR_BUSY = 0x40000900, SCI_ERR_FLAG_NOT_IMPLEMENTED, SCI_ERR_ILLEGAL_FLAG,
    SCI_ERR_NOSPC = 0x40000904, SCI_ERR_API_NOSPC, SCI_ERR_HW_NOSPC,
    SCI_ERR_NOT_IMPLEMENTED, SCI_ERR_ILLEGAL_ADAPTERNO, SCI_ERR_NO_SUCH_ADAPTERNO, SCI_ERR_TIMEOUT,
    SCI_ERR_OUT_OF_RANGE, SCI_ERR_NO_SUCH_SEGMENT, SCI_ERR_ILLEGAL_NODEID,
    SCI_ERR_CONNECTION_REFUSED, SCI_ERR_SEGMENT_NOT_CONNECTED, SCI_ERR_SIZE_ALIGNMENT, SCI_ERR_OFFSET_ALIGNMENT,
    SCI_ERR_ILLEGAL_PARAMETER, SCI_ERR_MAX_ENTRIES,
    SCI_ERR_SEGMENT_NOT_PREPARED, SCI_ERR_ILLEGAL_ADDRESS, SCI_ERR_ILLEGAL_OPERATION, SCI_ERR_ILLEGAL_QUERY,
    SCI_ERR_SEGMENTID_USED, SCI_ERR_SYSTEM, SCI_ERR_CANCELLED,
    SCI_ERR_NOT_CONNECTED, SCI_ERR_NOT_AVAILABLE, SCI_ERR_INCONSISTENT_VERSIONS, SCI_ERR_COND_INT_RACE_PROBLEM,
    SCI_ERR_OVERFLOW, SCI_ERR_NOT_INITIALIZED, SCI_ERR_ACCESS,
    SCI_ERR_NO_SUCH_NODEID = 0x40000A00, SCI_ERR_NODE_NOT_RESPONDING = 0x40000A02,
    SCI_ERR_NO_REMOTE_LINK_ACCESS = 0x40000A04, SCI_ERR_NO_LINK_ACCESS,
    SCI_ERR_TRANSFER_FAILED
} sci_error_t;

typedef enum {
    SCI_DMAQUEUE_IDLE, SCI_DMAQUEUE_GATHER, SCI_DMAQUEUE_POSTED, SCI_DMAQUEUE_DONE, SCI_DMAQUEUE_ABORTED,
        SCI_DMAQUEUE_ERROR
} sci_dma_queue_state_t;
typedef enum {SCI_SEQ_OK, SCI_SEQ_RETRIABLE, SCI_SEQ_NOT_RETRIABLE, SCI_SEQ_PENDING} sci_sequence_status_t;
typedef enum {
    SCI_CB_CONNECT = 1, SCI_CB_DISCONNECT, SCI_CB_NOT_OPERATIONAL, SCI_CB_OPERATIONAL, SCI_CB_LOST
} sci_segment_cb_reason_t;
typedef enum {SCI_CALLBACK_CANCEL = 1, SCI_CALLBACK_CONTINUE} sci_callback_action_t;

typedef struct {unsigned localAdapterNo, portNo, subcommand; void *data;} sci_query_adapter_t;
typedef struct {unsigned localAdapterNo, subcommand; void *data;} sci_query_dma_t;
typedef struct {unsigned subcommand; void *data;} sci_query_system_t;
typedef struct {char *str; unsigned length;} sci_query_string_t;
typedef struct {sci_local_segment_t segment; unsigned subcommand;
    union {uint64_t ioaddr;} data;} sci_query_local_segment_t;
typedef struct {sci_remote_segment_t segment; unsigned subcommand;
    union {uint64_t ioaddr;} data;} sci_query_remote_segment_t;
typedef struct {sci_map_t map; unsigned subcommand; uint64_t data;} sci_query_map_t;
typedef struct {
    unsigned num_channels, max_transfer_size, max_vector_length, support_mem2io, support_io2mem, support_io2io,
        min_align_bytes, suggested_align_bytes;
} sci_dma_capabilities_t;
typedef struct {unsigned size, local_offset, remote_offset, flags;} dis_dma_vec_t;

// Callbacks run on threads of the library, one per object. They may call the library, but not remove the object that
// they belong to: SCI_ERR_BUSY.
typedef sci_callback_action_t (*sci_cb_local_segment_t)(void *arg, sci_local_segment_t segment,
    sci_segment_cb_reason_t reason, unsigned nodeId, unsigned adapter, sci_error_t error);
typedef sci_callback_action_t (*sci_cb_remote_segment_t)(void *arg, sci_remote_segment_t segment,
    sci_segment_cb_reason_t reason, sci_error_t error);
typedef sci_callback_action_t (*sci_cb_dma_t)(void *arg, sci_dma_queue_t queue, sci_error_t error);
typedef sci_callback_action_t (*sci_cb_interrupt_t)(void *arg, sci_local_interrupt_t interrupt, sci_error_t error);
typedef sci_callback_action_t (*sci_cb_data_interrupt_t)(void *arg, sci_local_data_interrupt_t interrupt, void *data,
    unsigned length, sci_error_t error);

void SCIInitialize(unsigned flags, sci_error_t *error);
void SCITerminate(void);
const char *SCIGetErrorString(sci_error_t error);
void SCIOpen(sci_desc_t *sd, unsigned flags, sci_error_t *error);
void SCIClose(sci_desc_t sd, unsigned flags, sci_error_t *error);
void SCIGetLocalNodeId(unsigned adapter, unsigned *nodeId, unsigned flags, sci_error_t *error);
int SCIProbeNode(sci_desc_t sd, unsigned adapter, unsigned nodeId, unsigned flags, sci_error_t *error);
void SCIQuery(unsigned command, void *data, unsigned flags, sci_error_t *error);

void SCICreateSegment(sci_desc_t sd, sci_local_segment_t *segment, unsigned segmentId, size_t size,
    sci_cb_local_segment_t callback, void *arg, unsigned flags, sci_error_t *error);
void SCIPrepareSegment(sci_local_segment_t segment, unsigned adapter, unsigned flags, sci_error_t *error);
void SCISetSegmentAvailable(sci_local_segment_t segment, unsigned adapter, unsigned flags, sci_error_t *error);
void SCISetSegmentUnavailable(sci_local_segment_t segment, unsigned adapter, unsigned flags, sci_error_t *error);
void SCIRemoveSegment(sci_local_segment_t segment, unsigned flags, sci_error_t *error);
unsigned SCIGetLocalSegmentId(sci_local_segment_t segment);
size_t SCIGetLocalSegmentSize(sci_local_segment_t segment);
void SCIAttachPhysicalMemory(sci_ioaddr_t ioaddr, void *address, unsigned busNo, size_t size,
    sci_local_segment_t segment, unsigned flags, sci_error_t *error);
void SCIRegisterSegmentMemory(void *address, size_t size, sci_local_segment_t segment, unsigned flags,
    sci_error_t *error);
void SCIShareSegment(sci_local_segment_t segment, unsigned flags, sci_error_t *error);
void SCIAttachLocalSegment(sci_desc_t sd, sci_local_segment_t *segment, unsigned segmentId, size_t *size,
    sci_cb_local_segment_t callback, void *arg, unsigned flags, sci_error_t *error);
sci_segment_cb_reason_t SCIWaitForLocalSegmentEvent(sci_local_segment_t segment, unsigned *sourceNodeId,
    unsigned *adapter, unsigned timeout, unsigned flags, sci_error_t *error);

void SCIConnectSegment(sci_desc_t sd, sci_remote_segment_t *segment, unsigned nodeId, unsigned segmentId,
    unsigned adapter, sci_cb_remote_segment_t callback, void *arg, unsigned timeout, unsigned flags,
    sci_error_t *error);
void SCIDisconnectSegment(sci_remote_segment_t segment, unsigned flags, sci_error_t *error);
size_t SCIGetRemoteSegmentSize(sci_remote_segment_t segment);
unsigned SCIGetRemoteSegmentId(sci_remote_segment_t segment);
unsigned SCIGetRemoteSegmentNodeId(sci_remote_segment_t segment);
sci_segment_cb_reason_t SCIWaitForRemoteSegmentEvent(sci_remote_segment_t segment, sci_error_t *status,
    unsigned timeout, unsigned flags, sci_error_t *error);

void *SCIMapLocalSegment(sci_local_segment_t segment, sci_map_t *map, size_t offset, size_t size, void *address,
    unsigned flags, sci_error_t *error);
volatile void *SCIMapRemoteSegment(sci_remote_segment_t segment, sci_map_t *map, size_t offset, size_t size,
    void *address, unsigned flags, sci_error_t *error);
void SCIUnmapSegment(sci_map_t map, unsigned flags, sci_error_t *error);
volatile void *SCIGetMapPointer(sci_map_t map);
sci_ioaddr_t SCIGetMapPhysAddr(sci_map_t map);

void SCICreateDMAQueue(sci_desc_t sd, sci_dma_queue_t *queue, unsigned adapter, unsigned maxEntries, unsigned flags,
    sci_error_t *error);
void SCIRemoveDMAQueue(sci_dma_queue_t queue, unsigned flags, sci_error_t *error);
void SCIStartDmaTransfer(sci_dma_queue_t queue, sci_local_segment_t local, sci_remote_segment_t remote,
    size_t localOffset, size_t size, size_t remoteOffset, sci_cb_dma_t callback, void *arg, unsigned flags,
    sci_error_t *error);
void SCIStartDmaTransferMem(sci_dma_queue_t queue, void *address, sci_remote_segment_t remote, size_t size,
    size_t remoteOffset, sci_cb_dma_t callback, void *arg, unsigned flags, sci_error_t *error);
void SCIStartDmaTransferVec(sci_dma_queue_t queue, sci_local_segment_t local, sci_remote_segment_t remote,
    size_t length, dis_dma_vec_t *vector, sci_cb_dma_t callback, void *arg, unsigned flags, sci_error_t *error);
sci_dma_queue_state_t SCIDMAQueueState(sci_dma_queue_t queue);
sci_dma_queue_state_t SCIWaitForDMAQueue(sci_dma_queue_t queue, unsigned timeout, unsigned flags, sci_error_t *error);
void SCIAbortDMAQueue(sci_dma_queue_t queue, unsigned flags, sci_error_t *error);

void SCICreateInterrupt(sci_desc_t sd, sci_local_interrupt_t *interrupt, unsigned adapter, unsigned *number,
    sci_cb_interrupt_t callback, void *arg, unsigned flags, sci_error_t *error);
void SCIRemoveInterrupt(sci_local_interrupt_t interrupt, unsigned flags, sci_error_t *error);
void SCIConnectInterrupt(sci_desc_t sd, sci_remote_interrupt_t *interrupt, unsigned nodeId, unsigned adapter,
    unsigned number, unsigned timeout, unsigned flags, sci_error_t *error);
void SCIDisconnectInterrupt(sci_remote_interrupt_t interrupt, unsigned flags, sci_error_t *error);
void SCITriggerInterrupt(sci_remote_interrupt_t interrupt, unsigned flags, sci_error_t *error);
void SCIWaitForInterrupt(sci_local_interrupt_t interrupt, unsigned timeout, unsigned flags, sci_error_t *error);
void SCICreateDataInterrupt(sci_desc_t sd, sci_local_data_interrupt_t *interrupt, unsigned adapter, unsigned *number,
    sci_cb_data_interrupt_t callback, void *arg, unsigned flags, sci_error_t *error);
void SCIRemoveDataInterrupt(sci_local_data_interrupt_t interrupt, unsigned flags, sci_error_t *error);
void SCIConnectDataInterrupt(sci_desc_t sd, sci_remote_data_interrupt_t *interrupt, unsigned nodeId, unsigned adapter,
    unsigned number, unsigned timeout, unsigned flags, sci_error_t *error);
void SCIDisconnectDataInterrupt(sci_remote_data_interrupt_t interrupt, unsigned flags, sci_error_t *error);
void SCITriggerDataInterrupt(sci_remote_data_interrupt_t interrupt, void *data, unsigned length, unsigned flags,
    sci_error_t *error);
void SCIWaitForDataInterrupt(sci_local_data_interrupt_t interrupt, void *data, unsigned *length, unsigned timeout,
    unsigned flags, sci_error_t *error);

void SCICreateMapSequence(sci_map_t map, sci_sequence_t *sequence, unsigned flags, sci_error_t *error);
void SCIRemoveSequence(sci_sequence_t sequence, unsigned flags, sci_error_t *error);
sci_sequence_status_t SCIStartSequence(sci_sequence_t sequence, unsigned flags, sci_error_t *error);
sci_sequence_status_t SCICheckSequence(sci_sequence_t sequence, unsigned flags, sci_error_t *error);
void SCIStoreBarrier(sci_sequence_t sequence, unsigned flags);
void SCIFlush(sci_sequence_t sequence, unsigned flags);
void SCIMemCpy(sci_sequence_t sequence, void *address, sci_map_t map, size_t offset, size_t size, unsigned flags,
    sci_error_t *error);
void SCIMemWrite(void *address, volatile void *remoteAddress, size_t size, unsigned flags, sci_error_t *error);

// A fault of BRIGADE_SISCI_FAULT happens now, without WHEN. Returns 0, or -1 if it is not understood. Only the software
// library has this function.
int brigade_sisci_fault(const char *fault);
const char *brigade_sisci_complaint(void);
uint64_t brigade_sisci_place(void);

// How many segments, connections and interrupts of a node's processes are in the tables. Only the software library has
// this function.
int brigade_sisci_held(unsigned node);

#pragma GCC visibility pop
#endif
