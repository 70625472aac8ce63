// What the processes of a fabric share: one file of tables in shared memory. Indices and numbers only, no pointers.
//
// The tables are changed under a lock that survives the death of its holder; an entry is filled before it is marked
// used, so a process may die anywhere. A process is alive as long as it holds the kernel's record lock on its byte of
// the file, which no kill can forget to release; the memory of a segment is a file without a name (memfd), which others
// open as /proc/PID/fd/N. So nothing but the file of tables is ever in a file system.
#ifndef BRIGADE_SISCI_FABRIC_H
#define BRIGADE_SISCI_FABRIC_H

#include "sisci.h"
#include "symbols.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum {
    NODES = 62, PROCESSES = 256, SEGMENTS = 2048, CONNECTIONS = 4096, INTERRUPTS = 256,
    EVENTS = 16,          // of a local segment that have not been fetched; the oldest are forgotten
    MESSAGES = 16,        // that a data interrupt holds before its senders see SCI_ERR_NOSPC
    MESSAGE_BYTES = 256   // of a data interrupt; the real limit is not known, 50 are known to work
};

typedef struct {
    _Atomic uint32_t down, lost;        // faults
    _Atomic uint32_t episodes;          // how often the link went down
    _Atomic uint32_t brokenIommu, brokenAddresses, refusesAttached, losesAttached;
    _Atomic uint32_t happened;          // bit i: fault i of the environment
    _Atomic uint64_t joined;            // ns, when its first process came
    _Atomic uint64_t operations;        // as faults count them
    _Atomic uint64_t outBusy, inBusy;   // ns, until when its link is taken: mode timed
} Node;

typedef struct {
    _Atomic uint32_t used;
    uint32_t node;
    int32_t pid;
} Process;

typedef struct {
    _Atomic uint32_t used, generation;  // the generation goes up whenever a segment ends
    // asked: how often its owner wanted connections to go (SCI_FLAG_NOTIFY, SCI_FLAG_FORCE_DISCONNECT)
    _Atomic uint32_t available, asked;
    _Atomic uint32_t forced;
    _Atomic uint32_t writers;           // transfers that write into the user's memory now
    uint32_t node, id, process, broadcast, shared, kind;    // kind: of its memory
    int32_t file;                       // descriptor in its process, or -1
    // of the file, and in it; of the user's memory in its process; rounded up to pages
    uint64_t inode, device, offset, address, size;
    _Atomic uint32_t posted, taken;     // events, counted
    struct {uint32_t reason, node;} events[EVENTS];
} SegmentEntry;

typedef struct {
    _Atomic uint32_t used;
    uint32_t segment, generation, process;
} Connection;

typedef struct {
    _Atomic uint32_t used, generation;
    uint32_t node, number, process, data, counting;
    _Atomic uint32_t posted, taken;     // counted; waiters sleep on posted
    struct {uint32_t length; unsigned char bytes[MESSAGE_BYTES];} messages[MESSAGES];
} InterruptEntry;

typedef struct {
    uint64_t layout;                    // a number for the version of these tables
    uint64_t token;                     // a number that no other fabric's tables have
    pthread_mutex_t lock;
    _Atomic uint32_t changes;           // of segments' availability: multicast members look again
    Node nodes[NODES + 1];
    Process processes[PROCESSES];
    SegmentEntry segments[SEGMENTS];
    Connection connections[CONNECTIONS];
    InterruptEntry interrupts[INTERRUPTS];
} Fabric;

extern Fabric *fabric;      // NULL before SCIInitialize
extern unsigned self_slot;  // this process' entry in processes

// Joins the fabric of the settings; an error code. Removes what dead processes left in any fabric.
sci_error_t fabric_join(void);
void fabric_leave(bool unmap); // false: other threads may still look at the tables
void fabric_lock(void);
void fabric_unlock(void);

// Frees what dead processes held; under the lock.
void fabric_reap(void);
bool fabric_alive(unsigned process);

Node *fabric_node(unsigned id);         // NULL if there is no such id

// How a segment of a node is reached from this process.
typedef enum {PEER_UP, PEER_DOWN, PEER_LOST} PeerState;
PeerState fabric_peer(unsigned node);
PeerState fabric_segment(unsigned index, unsigned generation, unsigned node);

// The next event of a local segment, for whoever waits for it; under the lock.
void fabric_event(SegmentEntry *segment, unsigned reason, unsigned node);

// Sleeps while *word is value, until a wake or the deadline (ns of the monotonic clock). A futex between processes.
void word_wait(_Atomic uint32_t *word, uint32_t value, uint64_t deadline);
void word_wake(_Atomic uint32_t *word);

#endif
