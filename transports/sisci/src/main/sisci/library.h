// What the parts of the library know of one another: the objects behind the handles, all of this process.
//
//   library      SCIInitialize to SCIClose, the watch, listeners     dma          queues and transfers
//   segments     local segments                                      interrupts   plain and with data
//   memory       what they consist of                                events       of segments
//   connections  remote segments, multicast groups                   sequences    sequences, flushes, copies by the CPU
//   maps         maps of both                                        query        SCIQuery, error strings, nodes
//   weak         shadows of remote maps                              fabric, faults, timing, settings, symbols: see
//                their headers
#ifndef BRIGADE_SISCI_LIBRARY_H
#define BRIGADE_SISCI_LIBRARY_H

#include "fabric.h"
#include "settings.h"
#include "timing.h"

#include <pthread.h>
#include <sys/types.h>

// Every object begins with its kind, so that a handle that is none is found.
typedef enum {DESCRIPTOR = 0x5ec0de01, LOCAL_SEGMENT, REMOTE_SEGMENT, MAP, SEQUENCE_, QUEUE, INTERRUPT,
    REMOTE_INTERRUPT} Kind_;

struct sci_desc {
    uint32_t kind;
    _Atomic int resources;  // that were made with it and live
};

void resource_made(sci_desc_t sd);
void resource_gone(sci_desc_t sd);

// A thread that calls back: `step` waits a little, calls if there is something to say, and says whether to go on.
typedef struct {
    pthread_t thread;
    _Atomic bool running, stop;
    bool (*step)(void *object);
    void *object;
} Listener;

typedef enum {NO_MEMORY, LIBRARY_MEMORY, REGISTERED_MEMORY, ATTACHED_MEMORY} Memory;

struct sci_local_segment {
    uint32_t kind;
    sci_desc_t sd;
    unsigned id, index, generation; // index: in the fabric's table; SEGMENTS if private
    size_t size, rounded;
    Memory memory;
    int file;                       // of the memory; -1 of user's own that is not of a file
    char *base;
    bool prepared, empty, attached; // attached: another process' segment
    sci_local_segment_t nextOfDevice;   // in the list of those whose memory is a GPU's
    _Atomic int uses;               // maps and transfers
    Listener listener;
    sci_cb_local_segment_t callback;
    void *arg;
};

// One segment that a remote segment stands for: the only one, or one of a multicast group.
typedef struct {
    unsigned index, generation, connection, node;
    int file;                       // of the memory, and where that is mapped here
    uint64_t offset;
    char *memory;                   // NULL for user's own memory that cannot be mapped: only transfers go there
    pid_t process;                  // and then, whose it is, and where
    uint64_t address;
    Memory kind;
    size_t bytes;
} Member;

// Of a group, also those that have gone since it was connected.
enum {MEMBERS = 4 * NODES};

struct sci_remote_segment {
    uint32_t kind;
    sci_desc_t sd;
    unsigned node, id;
    _Atomic size_t size;            // of the smallest member
    bool multicast;
    Member members[MEMBERS];
    _Atomic unsigned count;         // of members; they are added and never removed
    _Atomic uint32_t seen;          // fabric->changes, when members were looked for
    uint32_t asked, forcedBefore;
    _Atomic int uses;
    pthread_mutex_t lock;           // of the members and of the events
    _Atomic uint32_t posted, taken; // events
    struct {unsigned reason;} events[EVENTS];
    PeerState state;                // as last told
    Listener listener;
    sci_cb_remote_segment_t callback;
    void *arg;
    sci_remote_segment_t next;
};

typedef enum {SHOWS_PEER, SHOWS_POISON, SHOWS_ONES} View;

struct sci_map {
    uint32_t kind;
    sci_local_segment_t local;      // one of the two
    sci_remote_segment_t remote;
    char *pointer;
    size_t offset, size, bytes;     // bytes: of the mapping, pages
    bool shadow;                    // stores are carried over by weak.c
    bool readonly;
    View view;
    size_t stored;                  // lines that the flush at work has found
    _Atomic int uses;               // sequences
    sci_map_t next;
};

// Files for segments, of so many bytes that are there; -1 without so much memory.
size_t whole_pages(size_t size);
int memory_file(size_t bytes);
int memory_user_file(const char *base, size_t bytes, uint64_t *offset);
void memory_write(char *to, const char *from, size_t bytes);

// Sets *error, if the caller wants it, and says whether it is OK.
bool report(sci_error_t *error, sci_error_t value);

// A handle is of that kind, and the library is initialised; otherwise *error is set.
bool valid(const void *object, Kind_ kind, sci_error_t *error);

// All flags are known to the call: otherwise SCI_ERR_ILLEGAL_FLAG.
bool flags_known(unsigned flags, unsigned known, sci_error_t *error);
bool adapter_known(unsigned adapter, sci_error_t *error);

// Threads of the library take no signals: they belong to the program.
bool thread_start(pthread_t *thread, void *(*body)(void *), void *argument);

bool listener_start(Listener *listener, bool (*step)(void *), void *object);
// False from the listener's own thread: a callback cannot remove its object.
bool listener_stop(Listener *listener, _Atomic uint32_t *word);
bool listener_is_current(const Listener *listener); // the caller is its thread
enum {LISTENER_SLICE_MS = 20};

// All remote segments and maps of this process, and the lock of both lists. Lock order: this, then a remote segment's,
// then the fabric's.
extern pthread_mutex_t objects;
extern sci_remote_segment_t remotes;
extern sci_map_t maps;

// Looks at all remote segments: new members of groups, state of peers, events. Under `objects`.
void connections_watch(void);
// remote_state, and certain: a process that died a moment ago, which nobody has noticed yet, is lost.
PeerState remote_state_now(sci_remote_segment_t remote);
PeerState remote_state(sci_remote_segment_t remote);
sci_error_t node_reachable(unsigned node);   // SCI_ERR_OK, or why not
unsigned remote_first_node(sci_remote_segment_t remote);    // of a group, the node of a member
PeerState member_state(const Member *member);
void remote_new_members(sci_remote_segment_t remote);

// Makes maps show ones or the peer, as their peers' states want. Under `objects`.
void maps_watch(void);
void map_watch(sci_map_t map);

// Copies to or from a remote segment, at once and past all maps: false if the peer cannot be reached. Where several
// members are, to all of them.
bool remote_write(sci_remote_segment_t remote, size_t offset, const void *from, size_t bytes);
bool remote_read(sci_remote_segment_t remote, size_t offset, void *to, size_t bytes);

// Memory of 2 MiB with a fixed content, for maps that show no peer: ones, or poison. -1 if there is none.
int weak_pattern(View view);
void weak_flush(void);                  // all stores through shadows arrive
// Maps with a shadow.
extern _Atomic int shadows;
void weak_drop(sci_map_t map);          // those through this map are lost
void weak_later(void);                  // some arrive; from the watch
uint64_t weak_random(void);

#endif
