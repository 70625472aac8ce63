// Copies and fills. What the host has to wait for is as the driver's documentation of synchronisation has it: copies from device to device and fills of
// device memory do not wait, not even in the form without a stream; copies from and to pageable memory of the host do, except for the last part of the way to the device.
#include "driver.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

enum Side { HOST, ON_DEVICE, ANY };

struct Place {
    Address address;
    Side side;
    const Allocation* allocation;   // null: pageable memory of the host

    bool pageable() const { return allocation == nullptr; }
};

static Result check(Place& place, size_t bytes) {
    place.allocation = find(place.address);
    if (place.allocation != nullptr) {
        // Pinned memory is mapped on the device, so it may stand where device memory is asked for.
        return usable(place.address, bytes, false);
    }
    return place.side == ON_DEVICE ? INVALID_VALUE : SUCCESS;
}

static Result copy(Address to, Side toSide, Address from, Side fromSide, size_t bytes, void* handle, bool hostWaits) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result != SUCCESS || bytes == 0) {
        return result;
    }
    Place target = {to, toSide, nullptr}, source = {from, fromSide, nullptr};
    result = check(target, bytes);
    if (result == SUCCESS) {
        result = check(source, bytes);
    }
    if (result != SUCCESS) {
        return result;
    }
    bool captured = stream->capture != nullptr;
    bool devices = !target.pageable() && target.allocation->onDevice() && !source.pageable() && source.allocation->onDevice();
    int slow = devices ? setting::slowKernel("copy") : 0;
    Work work;
    if (source.pageable() && !captured) {
        // The host may change its memory once the call is back.
        auto taken = std::make_shared<std::vector<unsigned char>>((unsigned char*) from, (unsigned char*) from + bytes);
        work = [=] {
            memcpy((void*) to, taken->data(), bytes);
            return SUCCESS;
        };
    } else {
        work = [=] {
            if (slow > 0) {
                usleep((useconds_t) slow);
            }
            memmove((void*) to, (void*) from, bytes);
            return SUCCESS;
        };
    }
    bool synchronous = (!source.pageable() && source.allocation->synchronous) || (!target.pageable() && target.allocation->synchronous);
    bool wait = target.pageable() || (hostWaits && (!devices || synchronous));
    Context* context = stream->context;
    Mark mark;
    result = submit(lock, stream, 1, work, &mark);
    if (result == SUCCESS && wait && !captured) {
        waitFor(lock, mark);
        result = context->sticky;
    }
    return result;
}

DRIVER cuMemcpyHtoD_v2(Address to, const void* from, size_t bytes) {
    return copy(to, ON_DEVICE, (Address) from, HOST, bytes, nullptr, true);
}

DRIVER cuMemcpyDtoH_v2(void* to, Address from, size_t bytes) {
    return copy((Address) to, HOST, from, ON_DEVICE, bytes, nullptr, true);
}

DRIVER cuMemcpyDtoD_v2(Address to, Address from, size_t bytes) {
    return copy(to, ON_DEVICE, from, ON_DEVICE, bytes, nullptr, true);
}

DRIVER cuMemcpy(Address to, Address from, size_t bytes) {
    return copy(to, ANY, from, ANY, bytes, nullptr, true);
}

DRIVER cuMemcpyPeer(Address to, Context* toContext, Address from, Context* fromContext, size_t bytes) {
    return toContext == nullptr || fromContext == nullptr ? INVALID_CONTEXT : copy(to, ON_DEVICE, from, ON_DEVICE, bytes, nullptr, true);
}

DRIVER cuMemcpyHtoDAsync_v2(Address to, const void* from, size_t bytes, void* stream) {
    return copy(to, ON_DEVICE, (Address) from, HOST, bytes, stream, false);
}

DRIVER cuMemcpyDtoHAsync_v2(void* to, Address from, size_t bytes, void* stream) {
    return copy((Address) to, HOST, from, ON_DEVICE, bytes, stream, false);
}

DRIVER cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes, void* stream) {
    return copy(to, ON_DEVICE, from, ON_DEVICE, bytes, stream, false);
}

DRIVER cuMemcpyAsync(Address to, Address from, size_t bytes, void* stream) {
    return copy(to, ANY, from, ANY, bytes, stream, false);
}

DRIVER cuMemcpyPeerAsync(Address to, Context* toContext, Address from, Context* fromContext, size_t bytes, void* stream) {
    return toContext == nullptr || fromContext == nullptr ? INVALID_CONTEXT : copy(to, ON_DEVICE, from, ON_DEVICE, bytes, stream, false);
}

// Makes the whole pages of much memory zeros, without a page fault for each of them: gives them back to the kernel where they are a file's.
// Returns where the zeros that are left to write begin.
template <class T>
static T* empty(Address to, size_t number) {
    static const Address PAGE = 4096, MUCH = 1 << 20;
    Address first = (to + PAGE - 1) & -PAGE, end = (to + number * sizeof(T)) & -PAGE;
    if (number * sizeof(T) < MUCH || madvise((void*) first, end - first, MADV_REMOVE) != 0) {
        return (T*) to;
    }
    memset((void*) to, 0, first - to);
    return (T*) end;
}

template <class T>
static Result fill(Address to, T value, size_t number, void* handle, bool hostWaits) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result != SUCCESS || number == 0) {
        return result;
    }
    result = to % sizeof(T) != 0 ? INVALID_VALUE : usable(to, number * sizeof(T), false);
    if (result != SUCCESS) {
        return result;
    }
    const Allocation* allocation = find(to);
    bool wait = hostWaits && stream->capture == nullptr && (!allocation->onDevice() || allocation->synchronous);
    Context* context = stream->context;
    Mark mark;
    result = submit(lock, stream, 2, [=] {
        T* from = value == 0 ? empty<T>(to, number) : (T*) to;
        std::fill_n(from, (T*) to + number - from, value);
        return SUCCESS;
    }, &mark);
    if (result == SUCCESS && wait) {
        waitFor(lock, mark);
        result = context->sticky;
    }
    return result;
}

DRIVER cuMemsetD8_v2(Address to, unsigned char value, size_t number) {
    return fill<uint8_t>(to, value, number, nullptr, true);
}

DRIVER cuMemsetD16_v2(Address to, unsigned short value, size_t number) {
    return fill<uint16_t>(to, value, number, nullptr, true);
}

DRIVER cuMemsetD32_v2(Address to, unsigned value, size_t number) {
    return fill<uint32_t>(to, value, number, nullptr, true);
}

DRIVER cuMemsetD8Async(Address to, unsigned char value, size_t number, void* stream) {
    return fill<uint8_t>(to, value, number, stream, false);
}

DRIVER cuMemsetD16Async(Address to, unsigned short value, size_t number, void* stream) {
    return fill<uint16_t>(to, value, number, stream, false);
}

DRIVER cuMemsetD32Async(Address to, unsigned value, size_t number, void* stream) {
    return fill<uint32_t>(to, value, number, stream, false);
}
