// Memory of other processes.
#include "driver.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t MAGIC = 0x6d656d6f72792d31ull;

// What the 64 bytes of a CUipcMemHandle hold here.
struct Handle {
    uint64_t magic;
    int32_t process, file;
    uint64_t inode, chunkBytes, offset, bytes;
    int32_t device, unused;
    uint64_t id;
};
static_assert(sizeof(Handle) == 64, "a handle has 64 bytes");

// Chunks of other processes that are mapped here.
static std::map<uint64_t, std::weak_ptr<Chunk>>& imported = *new std::map<uint64_t, std::weak_ptr<Chunk>>;

DRIVER cuIpcGetMemHandle(Handle* handle, Address address) {
    Lock lock(state);
    Context* context;
    Result result = currentHeld(&context);
    if (result != SUCCESS) {
        return result;
    }
    const Allocation* allocation = find(address);
    if (allocation == nullptr || allocation->kind != DEVICE) {
        return INVALID_VALUE;
    }
    *handle = {MAGIC, getpid(), allocation->chunk->file, allocation->chunk->inode, allocation->chunk->bytes, allocation->base - allocation->chunk->base,
        allocation->bytes, physical(allocation->device), 0, allocation->id};
    return SUCCESS;
}

static std::shared_ptr<Chunk> import(const Handle& handle, Context* context) {
    std::shared_ptr<Chunk> chunk = imported[handle.inode].lock();
    if (chunk != nullptr) {
        return chunk;
    }
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/fd/%d", handle.process, handle.file);
    int file = open(name, O_RDWR | O_CLOEXEC);
    struct stat status = {};
    if (file < 0 || fstat(file, &status) != 0 || status.st_ino != handle.inode) {
        if (file >= 0) {
            close(file);
        }
        return nullptr;
    }
    chunk = std::make_shared<Chunk>();
    chunk->file = file;
    chunk->inode = handle.inode;
    chunk->bytes = handle.chunkBytes;
    chunk->device = context->device;
    chunk->context = context;
    chunk->base = mapFile(file, handle.chunkBytes, &chunk->reserved, &chunk->reservedBytes);
    if (chunk->base == 0) {
        return nullptr;
    }
    imported[handle.inode] = chunk;
    return chunk;
}

// The handle is passed by value, as the driver's is.
DRIVER cuIpcOpenMemHandle_v2(Address* address, Handle handle, unsigned flags) {
    countStop();
    Lock lock(state);
    Context* context;
    Result result = currentHeld(&context);
    if (result != SUCCESS) {
        return result;
    }
    if (flags != 1) {
        return INVALID_VALUE;
    }
    if (handle.magic != MAGIC) {
        return INVALID_HANDLE;
    }
    if (handle.process == getpid()) {
        return INVALID_CONTEXT;
    }
    if (setting::refuseIpc()) {
        return MAP_FAILED_;
    }
    if (handle.device != physical(context->device) && setting::refusePeers(handle.device, physical(context->device))) {
        return PEER_ACCESS_UNSUPPORTED;
    }
    std::shared_ptr<Chunk> chunk = import(handle, context);
    if (chunk == nullptr) {
        return INVALID_HANDLE;
    }
    Address base = chunk->base + handle.offset;
    Allocation* allocation = find(base);
    if (allocation == nullptr) {
        result = enter(base, handle.bytes, IMPORTED, context, chunk, &allocation);
        if (result != SUCCESS) {
            return result;
        }
        for (int i = 0; i < visibleDevices(); i++) {
            if (physical(i) == handle.device) {
                allocation->device = i;
            }
        }
    }
    allocation->opened++;
    *address = base;
    return result;
}

DRIVER cuIpcCloseMemHandle(Address address) {
    Lock lock(state);
    Context* context;
    Result result = currentHeld(&context);
    if (result != SUCCESS) {
        return result;
    }
    Allocation* allocation = find(address);
    if (allocation == nullptr || allocation->kind != IMPORTED || allocation->base != address) {
        return INVALID_VALUE;
    }
    if (--allocation->opened > 0 && !setting::firstCloseEnds()) {
        return SUCCESS;
    }
    drain(lock, context);
    return release(address);
}
