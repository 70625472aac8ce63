// Allocations: device memory in chunks that other processes can map, pools, managed memory, and the host's pinned memory.
#include "driver.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const size_t CHUNK = 2 << 20;
static const size_t SMALL = 1 << 20;    // what is smaller shares chunks
static const size_t ALIGNMENT = 512;
static const size_t POISON = 4 << 20;   // new memory has no zeros: so much of it is filled

static std::map<Address, Allocation*>& allocations = *new std::map<Address, Allocation*>;
static std::vector<std::shared_ptr<Chunk>>& shared = *new std::vector<std::shared_ptr<Chunk>>;
static std::map<int, size_t>& used = *new std::map<int, size_t>;
static uint64_t ids = 0;

static size_t up(size_t bytes, size_t to) {
    return (bytes + to - 1) / to * to;
}

// Maps a file at a multiple of 2 MiB with pages on both sides that nobody may touch. 0 if that is not possible.
Address mapFile(int file, size_t bytes, Address* reserved, size_t* reservedBytes) {
    *reservedBytes = up(bytes, CHUNK) + 2 * CHUNK;
    void* place = mmap(nullptr, *reservedBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) {
        return 0;
    }
    *reserved = (Address) place;
    Address at = up(*reserved + 4096, CHUNK);
    int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE : MAP_SHARED | MAP_FIXED;
    if (mmap((void*) at, bytes, PROT_READ | PROT_WRITE, flags, file, 0) == MAP_FAILED) {
        munmap(place, *reservedBytes);
        return 0;
    }
    return at;
}

Chunk::~Chunk() {
    munmap((void*) reserved, reservedBytes);
    if (file >= 0) {
        ::close(file);
    }
}

// exportable: a file behind it, for other processes.
static std::shared_ptr<Chunk> newChunk(Context* context, size_t bytes, bool exportable) {
    int file = -1;
    struct stat status = {};
    if (exportable) {
        file = memfd_create("software-cuda", MFD_CLOEXEC);
        if (file < 0 || ftruncate(file, (off_t) bytes) != 0 || fstat(file, &status) != 0) {
            if (file >= 0) {
                ::close(file);
            }
            return nullptr;
        }
    }
    auto chunk = std::make_shared<Chunk>();
    chunk->file = file;
    chunk->inode = status.st_ino;
    chunk->bytes = bytes;
    chunk->device = context->device;
    chunk->context = context;
    chunk->base = mapFile(file, bytes, &chunk->reserved, &chunk->reservedBytes);
    return chunk->base == 0 ? nullptr : chunk;
}

Allocation* find(Address address) {
    auto next = allocations.upper_bound(address);
    if (next == allocations.begin()) {
        return nullptr;
    }
    Allocation* allocation = std::prev(next)->second;
    return address - allocation->base < allocation->bytes ? allocation : nullptr;
}

Result usable(Address address, size_t bytes, bool mustBeDevice) {
    Allocation* allocation = find(address);
    if (allocation == nullptr || bytes > allocation->bytes - (address - allocation->base)) {
        return INVALID_VALUE;
    }
    return mustBeDevice && !allocation->onDevice() ? INVALID_VALUE : SUCCESS;
}

// Of memory that is elsewhere.
static bool isMapping(Kind kind) {
    return kind == PINNED || kind == REGISTERED || kind == IMPORTED;
}

Result enter(Address base, size_t bytes, Kind kind, Context* context, std::shared_ptr<Chunk> chunk, Allocation** allocation) {
    if (isMapping(kind) && take(context->device, KEPT_BYTES) != SUCCESS) {
        return OUT_OF_MEMORY;
    }
    Allocation* entered = new Allocation;
    entered->base = base;
    entered->bytes = bytes;
    entered->kind = kind;
    entered->context = context;
    entered->device = context->device;
    entered->id = ++ids;
    entered->chunk = chunk;
    allocations[base] = entered;
    if (allocation != nullptr) {
        *allocation = entered;
    }
    return SUCCESS;
}

static void giveBack(const std::shared_ptr<Chunk>& chunk, size_t offset, size_t bytes) {
    auto next = chunk->free.lower_bound(offset);
    if (next != chunk->free.end() && offset + bytes == next->first) {
        bytes += next->second;
        next = chunk->free.erase(next);
    }
    if (next != chunk->free.begin()) {
        auto before = std::prev(next);
        if (before->first + before->second == offset) {
            before->second += bytes;
            return;
        }
    }
    chunk->free[offset] = bytes;
}

Result release(Address base) {
    auto found = allocations.find(base);
    if (found == allocations.end()) {
        return INVALID_VALUE;
    }
    Allocation* allocation = found->second;
    allocations.erase(found);
    std::shared_ptr<Chunk> chunk = allocation->chunk;
    if (allocation->kind == DEVICE || allocation->kind == POOL) {
        used[allocation->device] -= allocation->bytes;
    }
    if (isMapping(allocation->kind)) {
        giveBack(allocation->context->device, KEPT_BYTES);
    }
    if (chunk != nullptr && allocation->kind == DEVICE && allocation->bytes < SMALL) {
        giveBack(chunk, base - chunk->base, up(allocation->bytes, ALIGNMENT));
        if (chunk->free.begin()->second == chunk->bytes) {
            for (size_t i = 0; i < shared.size(); i++) {
                if (shared[i] == chunk) {
                    shared.erase(shared.begin() + (ptrdiff_t) i);
                    break;
                }
            }
        }
    }
    delete allocation;
    return SUCCESS;
}

void freeAll(Context* context) {
    std::vector<Address> mine;
    for (auto& entry : allocations) {
        if (entry.second->context == context) {
            mine.push_back(entry.first);
        }
    }
    for (Address base : mine) {
        release(base);
    }
}

static Address sub(Context* context, size_t bytes, std::shared_ptr<Chunk>* from) {
    size_t needed = up(bytes, ALIGNMENT);
    for (int round = 0; round < 2; round++) {
        for (auto& chunk : shared) {
            if (chunk->context != context) {
                continue;
            }
            for (auto piece = chunk->free.begin(); piece != chunk->free.end(); ++piece) {
                if (piece->second >= needed) {
                    size_t offset = piece->first, left = piece->second - needed;
                    chunk->free.erase(piece);
                    if (left > 0) {
                        chunk->free[offset + needed] = left;
                    }
                    *from = chunk;
                    return chunk->base + offset;
                }
            }
        }
        std::shared_ptr<Chunk> fresh = newChunk(context, CHUNK, true);
        if (fresh == nullptr) {
            return 0;
        }
        fresh->free[0] = CHUNK;
        shared.push_back(fresh);
    }
    return 0;
}

Result take(int device, size_t bytes) {
    if (bytes > setting::memory() || used[device] > setting::memory() - bytes) {
        return OUT_OF_MEMORY;
    }
    used[device] += bytes;
    return SUCCESS;
}

void giveBack(int device, size_t bytes) {
    used[device] -= bytes;
}

static Result allocate(Lock&, Context* context, size_t bytes, Kind kind, Address* address) {
    if (bytes == 0) {
        return INVALID_VALUE;
    }
    bool counted = kind == DEVICE || kind == POOL;
    if (counted && (bytes > setting::memory() || used[context->device] > setting::memory() - bytes)) {
        return OUT_OF_MEMORY;
    }
    std::shared_ptr<Chunk> chunk;
    Address base;
    if (kind == DEVICE && bytes < SMALL) {
        base = sub(context, bytes, &chunk);
    } else {
        chunk = newChunk(context, up(bytes, kind == DEVICE ? CHUNK : 4096), kind == DEVICE);
        base = chunk == nullptr ? 0 : chunk->base;
    }
    if (base == 0) {
        return OUT_OF_MEMORY;
    }
    if (counted) {
        used[context->device] += bytes;
    }
    size_t poisoned = bytes < POISON ? bytes : POISON;
#ifdef MADV_POPULATE_WRITE
    madvise((void*) (base & -(Address) 4096), poisoned + base % 4096, MADV_POPULATE_WRITE);   // all its page faults at once
#endif
    memset((void*) base, 0xa5, poisoned);
    *address = base;
    return enter(base, bytes, kind, context, chunk, nullptr);
}

// What every call here begins with: the context of this thread, the lock, and no capture going on. All of them change the device's address space, for which the driver may wait
// until nothing runs.
static Result begin(Lock& lock, Context** context) {
    countStop();
    lock.lock();
    Result result = currentHeld(context);
    return result == SUCCESS ? unsafeWhileCapturing() : result;
}

#define BEGIN \
    Lock lock(state, std::defer_lock); \
    Context* context; \
    Result result = begin(lock, &context); \
    if (result != SUCCESS) { \
        return result; \
    }

DRIVER cuMemAlloc_v2(Address* address, size_t bytes) {
    BEGIN
    return allocate(lock, context, bytes, DEVICE, address);
}

DRIVER cuMemAllocPitch_v2(Address* address, size_t* pitch, size_t width, size_t height, unsigned) {
    BEGIN
    *pitch = up(width, 512);
    return allocate(lock, context, *pitch * height, DEVICE, address);
}

DRIVER cuMemAllocManaged(Address* address, size_t bytes, unsigned flags) {
    BEGIN
    if (flags != 1 && flags != 2) {
        return INVALID_VALUE;
    }
    return allocate(lock, context, bytes, MANAGED, address);
}

// Waits for all that the context's streams have to do, as the driver does.
DRIVER cuMemFree_v2(Address address) {
    BEGIN
    if (address == 0) {
        return SUCCESS;
    }
    Allocation* allocation = find(address);
    if (allocation == nullptr || allocation->base != address || !allocation->onDevice() || allocation->kind == IMPORTED) {
        return INVALID_VALUE;
    }
    drain(lock, allocation->context);
    if (context != allocation->context) {
        drain(lock, context);
    }
    return context->sticky != SUCCESS ? context->sticky : release(address);
}

// Memory of a pool: like cuMemAlloc's, but other processes cannot open it. It is there at once; its end is the stream's work.
DRIVER cuMemAllocAsync(Address* address, size_t bytes, void* handle) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    return result != SUCCESS ? result : allocate(lock, stream->context, bytes, POOL, address);
}

DRIVER cuMemFreeAsync(Address address, void* handle) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result != SUCCESS) {
        return result;
    }
    Allocation* allocation = find(address);
    if (allocation == nullptr || allocation->base != address || (allocation->kind != POOL && allocation->kind != DEVICE)) {
        return INVALID_VALUE;
    }
    return submit(lock, stream, 11, [=] {
        Lock held(state);
        return release(address);
    });
}

DRIVER cuMemGetInfo_v2(size_t* left, size_t* total) {
    Lock lock(state);
    Context* context;
    Result result = currentHeld(&context);
    if (result == SUCCESS) {
        *total = setting::memory();
        *left = *total - used[context->device];
    }
    return result;
}

DRIVER cuMemGetAddressRange_v2(Address* base, size_t* bytes, Address address) {
    Lock lock(state);
    Context* context;
    Result result = currentHeld(&context);
    if (result != SUCCESS) {
        return result;
    }
    Allocation* allocation = find(address);
    if (allocation == nullptr) {
        return NOT_FOUND;
    }
    if (base != nullptr) {
        *base = allocation->base;
    }
    if (bytes != nullptr) {
        *bytes = allocation->bytes;
    }
    return SUCCESS;
}

// ---- memory of the host ----

DRIVER cuMemHostAlloc(void** address, size_t bytes, unsigned flags) {
    BEGIN
    if (flags > 7) {
        return INVALID_VALUE;
    }
    Address base;
    result = allocate(lock, context, bytes, PINNED, &base);
    if (result == SUCCESS) {
        find(base)->flags = flags | 2; // with unified addressing all is mapped
        *address = (void*) base;
    }
    return result;
}

DRIVER cuMemAllocHost_v2(void** address, size_t bytes) {
    return cuMemHostAlloc(address, bytes, 0);
}

DRIVER cuMemFreeHost(void* address) {
    BEGIN
    Allocation* allocation = find((Address) address);
    if (allocation == nullptr || allocation->base != (Address) address || allocation->kind != PINNED) {
        return INVALID_VALUE;
    }
    drain(lock, allocation->context);
    return release((Address) address);
}

DRIVER cuMemHostRegister_v2(void* address, size_t bytes, unsigned) {
    BEGIN
    if (address == nullptr || bytes == 0) {
        return INVALID_VALUE;
    }
    auto next = allocations.lower_bound((Address) address + bytes);
    if (next != allocations.begin()) {
        Allocation* below = std::prev(next)->second;
        if (below->base + below->bytes > (Address) address) {
            return HOST_MEMORY_ALREADY_REGISTERED;
        }
    }
    return enter((Address) address, bytes, REGISTERED, context, nullptr, nullptr);
}

DRIVER cuMemHostUnregister(void* address) {
    BEGIN
    Allocation* allocation = find((Address) address);
    if (allocation == nullptr || allocation->base != (Address) address || allocation->kind != REGISTERED) {
        return HOST_MEMORY_NOT_REGISTERED;
    }
    drain(lock, allocation->context);
    return release((Address) address);
}

DRIVER cuMemHostGetDevicePointer_v2(Address* device, void* address, unsigned flags) {
    Lock lock(state);
    Allocation* allocation = find((Address) address);
    if (flags != 0 || allocation == nullptr || allocation->onDevice()) {
        return INVALID_VALUE;
    }
    *device = (Address) address;
    return SUCCESS;
}

DRIVER cuMemHostGetFlags(unsigned* flags, void* address) {
    Lock lock(state);
    Allocation* allocation = find((Address) address);
    if (allocation == nullptr || allocation->kind != PINNED) {
        return INVALID_VALUE;
    }
    *flags = allocation->flags;
    return SUCCESS;
}
