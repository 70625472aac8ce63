// What is known about an address.
#include "driver.h"

#include <atomic>

enum Attribute {
    CONTEXT = 1, MEMORY_TYPE = 2, DEVICE_POINTER = 3, HOST_POINTER = 4, SYNC_MEMOPS = 6, BUFFER_ID = 7, IS_MANAGED = 8, DEVICE_ORDINAL = 9,
    IS_LEGACY_IPC_CAPABLE = 10, RANGE_START = 11, RANGE_SIZE = 12, MAPPED = 13, ALLOWED_HANDLE_TYPES = 14, IS_GPU_DIRECT_RDMA_CAPABLE = 15, ACCESS_FLAGS = 16,
    MEMPOOL_HANDLE = 17
};

template <class T>
static Result give(void* data, T value) {
    *(T*) data = value;
    return SUCCESS;
}

// allocation: null if the driver does not know the address.
static Result attribute(void* data, int which, Address address, const Allocation* allocation) {
    bool there = allocation != nullptr;
    bool device = there && allocation->onDevice();
    switch (which) {
        case CONTEXT: return give<Context*>(data, there ? allocation->context : nullptr);
        case MEMORY_TYPE: return give<unsigned>(data, !there ? 0 : device ? 2 : 1);
        case DEVICE_POINTER: return give<Address>(data, there ? address : 0);
        case HOST_POINTER:
            if (there && device && allocation->kind != MANAGED) {
                give<Address>(data, 0);
                return INVALID_VALUE;
            }
            return give<Address>(data, there ? address : 0);
        case SYNC_MEMOPS: return give<int>(data, there && allocation->synchronous);
        case BUFFER_ID: return give<uint64_t>(data, there ? allocation->id : 0);
        case IS_MANAGED: return give<int>(data, there && allocation->kind == MANAGED);
        case DEVICE_ORDINAL: return give<int>(data, there ? allocation->device : -2);
        case IS_LEGACY_IPC_CAPABLE: return give<int>(data, there && allocation->kind == DEVICE);
        case RANGE_START: return give<Address>(data, there ? allocation->base : 0);
        case RANGE_SIZE: return give<size_t>(data, there ? allocation->bytes : 0);
        case MAPPED: return give<int>(data, there);
        case ALLOWED_HANDLE_TYPES: return give<uint64_t>(data, 0);
        case IS_GPU_DIRECT_RDMA_CAPABLE: return give<int>(data, 0);
        case ACCESS_FLAGS: return give<int>(data, there ? 3 : 0);
        case MEMPOOL_HANDLE: return give<void*>(data, nullptr);
        default: return INVALID_VALUE;
    }
}

// For tests: how often this process has asked about an address.
static std::atomic<long> questions(0);

extern "C" __attribute__((visibility("default"))) long software_questions() {
    return questions;
}

DRIVER cuPointerGetAttribute(void* data, int which, Address address) {
    questions++;
    if (!initialized) {
        return NOT_INITIALIZED;
    }
    Lock lock(state);
    const Allocation* allocation = find(address);
    return allocation == nullptr || data == nullptr ? INVALID_VALUE : attribute(data, which, address, allocation);
}

// Unlike the call for one, this is no error for an address that is not known: the values are zeros.
DRIVER cuPointerGetAttributes(unsigned number, const int* which, void** data, Address address) {
    if (!initialized) {
        return NOT_INITIALIZED;
    }
    Lock lock(state);
    const Allocation* allocation = find(address);
    for (unsigned i = 0; i < number; i++) {
        Result result = attribute(data[i], which[i], address, allocation);
        if (result != SUCCESS && which[i] != HOST_POINTER) {
            return result;
        }
    }
    return SUCCESS;
}

DRIVER cuPointerSetAttribute(const void* value, int which, Address address) {
    Lock lock(state);
    Allocation* allocation = find(address);
    if (allocation == nullptr || which != SYNC_MEMOPS || !allocation->onDevice()) {
        return INVALID_VALUE;
    }
    Result result = unsafeWhileCapturing();
    if (result == SUCCESS) {
        allocation->synchronous = *(const int*) value != 0;
    }
    return result;
}
