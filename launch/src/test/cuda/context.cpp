// Contexts: the primary one of each device and others, the stack of each thread, peers.
#include "driver.h"

#include <unistd.h>

static std::set<Context*>& contexts = *new std::set<Context*>;
static std::map<int, Context*>& primaries = *new std::map<int, Context*>;
static uint64_t contextIds = 0;

static std::vector<Context*>& stack() {
    static thread_local std::vector<Context*>* mine = nullptr; // leaked: other destructors of the thread may still call
    if (mine == nullptr) {
        mine = new std::vector<Context*>;
    }
    return *mine;
}

bool known(Context* context) {
    return contexts.count(context) != 0;
}

Result currentHeld(Context** context) {
    if (!initialized) {
        return NOT_INITIALIZED;
    }
    if (inStream()) {
        return NOT_PERMITTED;
    }
    if (stack().empty()) {
        return INVALID_CONTEXT;
    }
    if (!known(stack().back())) {
        return CONTEXT_IS_DESTROYED;
    }
    *context = stack().back();
    return (*context)->sticky;
}

Result current(Context** context) {
    Lock lock(state);
    return currentHeld(context);
}

// Lock held.
static Context* create(int device, bool primary, unsigned flags) {
    Context* context = new Context;
    context->device = device;
    context->primary = primary;
    context->flags = flags;
    context->id = ++contextIds;
    contexts.insert(context);
    context->legacy = openStream(context, 0, 0);
    context->legacy->queue->legacy = true;
    return context;
}

static void destroy(Lock& lock, Context* context) {
    drain(lock, context);
    closeQueues(context);
    freeAll(context);
    contexts.erase(context);
    for (Context* other : contexts) {
        other->peers.erase(context);
    }
}

static bool deviceKnown(int device) {
    return device >= 0 && device < visibleDevices();
}

DRIVER cuDevicePrimaryCtxRetain(Context** context, int device) {
    if (!initialized) {
        return NOT_INITIALIZED;
    }
    if (!deviceKnown(device)) {
        return INVALID_DEVICE;
    }
    Lock lock(state);
    Context*& primary = primaries[device];
    if (primary == nullptr) {
        primary = create(device, true, 0);
    }
    primary->retained++;
    *context = primary;
    return SUCCESS;
}

static Result releasePrimary(int device, bool reset) {
    if (!deviceKnown(device)) {
        return INVALID_DEVICE;
    }
    Lock lock(state);
    auto found = primaries.find(device);
    if (found == primaries.end() || found->second == nullptr) {
        return reset ? SUCCESS : INVALID_CONTEXT;
    }
    Context* context = found->second;
    if (reset || --context->retained == 0) {
        destroy(lock, context);
        primaries.erase(device);
    }
    return SUCCESS;
}

DRIVER cuDevicePrimaryCtxRelease_v2(int device) {
    return releasePrimary(device, false);
}

DRIVER cuDevicePrimaryCtxReset_v2(int device) {
    return releasePrimary(device, true);
}

DRIVER cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) {
    if (!deviceKnown(device)) {
        return INVALID_DEVICE;
    }
    Lock lock(state);
    if (primaries.count(device)) {
        primaries[device]->flags = flags;
    }
    return SUCCESS;
}

DRIVER cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
    if (!deviceKnown(device)) {
        return INVALID_DEVICE;
    }
    Lock lock(state);
    auto found = primaries.find(device);
    *active = found != primaries.end();
    *flags = *active ? found->second->flags : 0;
    return SUCCESS;
}

DRIVER cuCtxCreate_v2(Context** context, unsigned flags, int device) {
    if (!initialized) {
        return NOT_INITIALIZED;
    }
    if (!deviceKnown(device)) {
        return INVALID_DEVICE;
    }
    Lock lock(state);
    *context = create(device, false, flags);
    stack().push_back(*context);
    return SUCCESS;
}

DRIVER cuCtxDestroy_v2(Context* context) {
    Lock lock(state);
    if (!known(context) || context->primary) {
        return INVALID_CONTEXT;
    }
    destroy(lock, context);
    if (!stack().empty() && stack().back() == context) {
        stack().pop_back();
    }
    return SUCCESS;
}

DRIVER cuCtxPushCurrent_v2(Context* context) {
    if (!initialized) {
        return NOT_INITIALIZED;
    }
    Lock lock(state);
    if (!known(context)) {
        return INVALID_CONTEXT;
    }
    stack().push_back(context);
    return SUCCESS;
}

DRIVER cuCtxPopCurrent_v2(Context** context) {
    if (!initialized) {
        return NOT_INITIALIZED;
    }
    if (stack().empty()) {
        return INVALID_CONTEXT;
    }
    if (context != nullptr) {
        *context = stack().back();
    }
    stack().pop_back();
    return SUCCESS;
}

DRIVER cuCtxSetCurrent(Context* context) {
    if (!initialized) {
        return NOT_INITIALIZED;
    }
    Lock lock(state);
    if (context != nullptr && !known(context)) {
        return INVALID_CONTEXT;
    }
    if (!stack().empty()) {
        stack().pop_back();
    }
    if (context != nullptr) {
        stack().push_back(context);
    }
    return SUCCESS;
}

DRIVER cuCtxGetCurrent(Context** context) {
    if (!initialized) {
        return NOT_INITIALIZED;
    }
    *context = stack().empty() ? nullptr : stack().back();
    return SUCCESS;
}

DRIVER cuCtxGetDevice(int* device) {
    Context* context;
    Result result = current(&context);
    if (result == SUCCESS) {
        *device = context->device;
    }
    return result;
}

DRIVER cuCtxGetFlags(unsigned* flags) {
    Context* context;
    Result result = current(&context);
    if (result == SUCCESS) {
        *flags = context->flags;
    }
    return result;
}

DRIVER cuCtxGetId(Context* context, unsigned long long* id) {
    if (context == nullptr) {
        Result result = current(&context);
        if (result != SUCCESS) {
            return result;
        }
    }
    Lock lock(state);
    if (!known(context)) {
        return CONTEXT_IS_DESTROYED;
    }
    *id = context->id;
    return SUCCESS;
}

DRIVER cuCtxGetApiVersion(Context*, unsigned* version) {
    *version = 3020;
    return SUCCESS;
}

DRIVER cuCtxGetLimit(size_t* value, int limit) {
    Context* context;
    *value = limit == 0 ? 1024 : limit == 2 ? 8 << 20 : 0;
    return current(&context);
}

DRIVER cuCtxSetLimit(int, size_t) {
    Context* context;
    return current(&context);
}

DRIVER cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    Context* context;
    if (least != nullptr) {
        *least = 0;
    }
    if (greatest != nullptr) {
        *greatest = -5;
    }
    return current(&context);
}

DRIVER cuCtxSynchronize() {
    Context* context;
    Result result = current(&context);
    if (result != SUCCESS) {
        return result;
    }
    Lock lock(state);
    result = unsafeWhileCapturing();
    if (result == SUCCESS) {
        drain(lock, context);
        result = context->sticky;
    }
    return result;
}

DRIVER cuCtxEnablePeerAccess(Context* peer, unsigned flags) {
    Context* context;
    Result result = current(&context);
    if (result != SUCCESS) {
        return result;
    }
    Lock lock(state);
    if (flags != 0) {
        return INVALID_VALUE;
    }
    if (!known(peer) || peer == context) {
        return INVALID_CONTEXT;
    }
    if (!peersPossible(context->device, peer->device)) {
        return PEER_ACCESS_UNSUPPORTED;
    }
    return context->peers.insert(peer).second ? SUCCESS : PEER_ACCESS_ALREADY_ENABLED;
}

DRIVER cuCtxDisablePeerAccess(Context* peer) {
    Context* context;
    Result result = current(&context);
    if (result != SUCCESS) {
        return result;
    }
    Lock lock(state);
    return context->peers.erase(peer) ? SUCCESS : PEER_ACCESS_NOT_ENABLED;
}
