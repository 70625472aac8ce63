// A CUDA driver without a GPU: libcuda.so.1 for tests. What its parts (one .cpp each) know of one another.
//
//   context   devices, contexts, peers                   stream   streams, their worker threads, waiting and writing
//             values
//   memory    allocations of all kinds                   event    events, also between processes
//   pointer   what is known about an address             graph    capture into a list of works, and its launch
//   copy      copies and fills                           module   kernels found by name, launches
//   ipc       memory and events of other processes       fiber    the threads of a block
//
// Device memory is a file in memory (memfd) that is mapped at addresses of its own; another process opens it as
// /proc/PID/fd/N, so nothing is left behind by whoever dies. A stream is a thread that works through a queue, so that a
// synchronisation that is missing shows. Kernels are the very sources of the GPU's, compiled as C++ through
// shim/kernel.h.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

typedef uint64_t Address;

// As the driver numbers them.
enum Result : int {
    SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_DEVICE = 101,
    INVALID_IMAGE = 200, INVALID_CONTEXT = 201,
    MAP_FAILED_ = 205, PEER_ACCESS_UNSUPPORTED = 217, FILE_NOT_FOUND = 301, INVALID_HANDLE = 400, ILLEGAL_STATE = 401,
    NOT_FOUND = 500, NOT_READY = 600,
    ILLEGAL_ADDRESS = 700, LAUNCH_OUT_OF_RESOURCES = 701, PEER_ACCESS_ALREADY_ENABLED = 704,
    PEER_ACCESS_NOT_ENABLED = 705, PRIMARY_CONTEXT_ACTIVE = 708,
    CONTEXT_IS_DESTROYED = 709, HOST_MEMORY_ALREADY_REGISTERED = 712, HOST_MEMORY_NOT_REGISTERED = 713,
    LAUNCH_FAILED = 719, NOT_PERMITTED = 800, NOT_SUPPORTED = 801,
    CAPTURE_UNSUPPORTED = 900, CAPTURE_INVALIDATED = 901, CAPTURE_MERGE = 902, CAPTURE_UNMATCHED = 903,
    CAPTURE_UNJOINED = 904, CAPTURE_ISOLATION = 905, CAPTURE_IMPLICIT = 906, CAPTURED_EVENT = 907,
    CAPTURE_WRONG_THREAD = 908
};

#define DRIVER extern "C" __attribute__((visibility("default"))) int

// What the environment says. A value that ends in @R counts only in the process whose BRIGADE_RANK is R.
namespace setting {
int devices();           // SOFTWARE_CUDA_DEVICES, default 2
int multiprocessors();   // SOFTWARE_CUDA_MULTIPROCESSORS, default 4
// SOFTWARE_CUDA_THREADS, default 4: a block of one of Brigade's kernels has at most so many threads
int threads();
// SOFTWARE_CUDA_MEMORY, bytes of a device, default 4 GiB: what is allocated beyond is OUT_OF_MEMORY
size_t memory();
// SOFTWARE_CUDA_REFUSE_PEERS=1: no device can access another; N: only those of the same N in a row can
bool refusePeers(int device, int other);
bool refuseIpc();        // SOFTWARE_CUDA_REFUSE_IPC=1: memory of other processes cannot be opened
// SOFTWARE_CUDA_REFUSE_WORDS=1: streams neither write values nor wait for them, as with old drivers
bool refuseWords();
// SOFTWARE_CUDA_FIRST_CLOSE_ENDS=1: memory of another process is unmapped at the first cuIpcCloseMemHandle, however
// often it was opened, as compute-sanitizer sees it
bool firstCloseEnds();
long failingLaunch();    // SOFTWARE_CUDA_FAIL_LAUNCH=N: the Nth launch is refused (LAUNCH_OUT_OF_RESOURCES)
// SOFTWARE_CUDA_FAULT_LAUNCH=N: the Nth launch is accepted, and its kernel dies (ILLEGAL_ADDRESS, which sticks)
long faultyLaunch();
long hangingLaunch();    // SOFTWARE_CUDA_HANG_LAUNCH=N: the Nth launch is accepted, and its kernel never begins
// SOFTWARE_CUDA_SLOW_LAUNCH=N: the call of the Nth launch returns when its kernel has ended, as the driver's may when
// much is queued
long slowLaunch();
// SOFTWARE_CUDA_SLOW_KERNELS=PART and SOFTWARE_CUDA_SLOW_MICROS=N: kernels with this in their names, or copies between
// devices for "copy", take so much longer
int slowKernel(const char* name);
// SOFTWARE_CUDA_RESIDENT=1: each multiprocessor has room for one block of Brigade's kernels, so launches that wait for
// each other may not fit
bool resident();
long delays();           // SOFTWARE_CUDA_DELAYS=SEED: every work in a stream begins after a random while; 0: none
}

struct Context;
struct Graph;

// One work in a stream. Its result, where it is not SUCCESS, becomes the context's sticky error.
typedef std::function<Result()> Work;

struct Queue;

// A place in a queue: all works up to a number.
struct Mark {
    std::shared_ptr<Queue> queue;
    uint64_t number = 0;
    bool over() const;
};

struct Item {
    std::vector<Mark> after;
    Work work;
};

struct Queue {
    Context* context;
    bool blocking;          // waits for the legacy stream's works, and they for its
    bool legacy;
    bool closed = false;    // the stream is destroyed: the thread ends after the last work
    std::condition_variable more; // tells the thread of another work, or of the end
    std::deque<Item> items;
    uint64_t submitted = 0, completed = 0;
};

struct Capture {
    Graph* graph;
    struct Stream* origin;
    int mode;
    uint64_t thread;
    bool invalid = false;
    std::set<struct Stream*> streams;   // origin, and those that joined by waiting for an event
    std::set<struct Stream*> unjoined;  // joined, and the origin has not waited for their last work
};

struct Stream {
    Context* context;
    std::shared_ptr<Queue> queue;
    unsigned flags;         // 1: non-blocking
    int priority;
    uint64_t id;
    std::shared_ptr<Capture> capture;
    size_t kept = 0;        // of the device's memory
};

struct Node {
    int type;               // CUgraphNodeType: 0 kernel, 1 copy, 2 fill, 3 host function, 6 event wait, 7 event record
    Work work;
};

struct Graph {
    std::vector<std::unique_ptr<Node>> nodes;   // in the order of capture, which is one that they may run in
};

struct Context {
    int device;
    bool primary;
    int retained = 0;
    unsigned flags = 0;
    uint64_t id;
    Result sticky = SUCCESS;
    std::set<Context*> peers;
    Stream* legacy = nullptr;
    std::vector<std::shared_ptr<Queue>> queues;
};

enum Kind { DEVICE, POOL, MANAGED, PINNED, REGISTERED, IMPORTED };

struct Chunk;

struct Allocation {
    Address base;
    size_t bytes;
    Kind kind;
    Context* context;
    int device;
    uint64_t id;            // never used again
    std::shared_ptr<Chunk> chunk;
    bool synchronous = false;
    unsigned flags = 0;
    int opened = 0;         // IMPORTED: how many times

    bool onDevice() const { return kind == DEVICE || kind == POOL || kind == IMPORTED || kind == MANAGED; }
};

// A memfd and its mapping: 2 MiB that small allocations share, or one large allocation.
struct Chunk {
    int file;
    uint64_t inode;
    size_t bytes;
    Address base;
    Address reserved;
    size_t reservedBytes;
    int device;
    Context* context;
    std::map<size_t, size_t> free;  // offset -> bytes
    ~Chunk();
};

// All state of the process, guarded by one lock; changed is told about every work that ends. Never destroyed, as
// streams' threads live until the process ends.
extern std::mutex& state;
extern std::condition_variable& changed;
typedef std::unique_lock<std::mutex> Lock;

// ---- context ----
extern bool initialized;
int physical(int device);                               // the GPU behind an ordinal (CUDA_VISIBLE_DEVICES)
int visibleDevices();
bool peersPossible(int device, int other);
Result current(Context** context);                      // of this thread; a sticky error is the result
Result currentHeld(Context** context);                  // the same with the lock held
bool known(Context* context);

// ---- stream ----
Stream* openStream(Context* context, unsigned flags, int priority);
Result streamOf(void* handle, Stream** stream);         // lock held; handles 0, 1 and 2 too
Result submit(Lock& lock, Stream* stream, int type, Work work, Mark* mark = nullptr);
void waitFor(Lock& lock, const Mark& mark);
Mark last(Stream* stream);
void drain(Lock& lock, Context* context);               // until all streams of the context are through
// of a call in which NVIDIA's driver waits for the whole device, or may: software_stops() tells tests how many there
// were
void countStop();
void closeQueues(Context* context);
uint64_t threadId();
void pause(unsigned round);                             // of somebody who polls
// this thread works for a stream: a function of the host, which may not call the driver
bool inStream();

// ---- capture ----
// a call that no capture of this thread allows: CAPTURE_UNSUPPORTED, and the captures are invalid
Result unsafeWhileCapturing();
void captured(Stream* stream, int type, Work work);
void forgetCapture(Stream* stream);
Result mayUseLegacy(Context* context);

// ---- memory ----
Allocation* find(Address address);                      // whose bytes contain it; lock held
Result usable(Address address, size_t bytes, bool mustBeDevice); // lock held
Result enter(Address base, size_t bytes, Kind kind, Context* context, std::shared_ptr<Chunk> chunk,
    Allocation** allocation);
Result release(Address base);
Address mapFile(int file, size_t bytes, Address* reserved, size_t* reservedBytes);
void freeAll(Context* context);
Result take(int device, size_t bytes);                  // memory of the device that has no address here; lock held
void giveBack(int device, size_t bytes);
// for each stream, event and mapping: NVIDIA's driver keeps something of each on the device, so who leaves one behind
// leaves memory
const size_t KEPT_BYTES = 4096;

// ---- launches ----
struct Kernel;
struct Launch {
    const Kernel* kernel;
    unsigned grid[3], block[3];
    unsigned shared;
    std::shared_ptr<std::vector<unsigned char>> arguments;
    std::vector<size_t> offsets;
    bool faulty = false;
    int device = 0;
};
struct Kernel {
    const char* name;
    void (*run)(void* const* arguments);
    const size_t* sizes;
    int parameters;
    const void* library;
};
Result execute(const Launch& launch);                   // returns when all blocks are through
