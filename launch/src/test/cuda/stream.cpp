// Streams: a queue and a thread each. Also the works that write and wait for values, and functions of the host.
#include "driver.h"

#include <atomic>
#include <cstdlib>
#include <sched.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

static std::set<Stream*>& streams = *new std::set<Stream*>;
static uint64_t streamIds = 0;

uint64_t threadId() {
    static thread_local uint64_t id = (uint64_t) syscall(SYS_gettid);
    return id;
}

void pause(unsigned round) {
    if (round < 64) {
        sched_yield();
    } else {
        usleep(round < 4096 ? 20 : 100);
    }
}

bool Mark::over() const {
    return queue == nullptr || queue->completed >= number;
}

static void delay(unsigned long long& random) {
    random = random * 6364136223846793005ull + 1442695040888963407ull;
    unsigned draw = (unsigned) (random >> 40);
    if (draw % 4 == 0) {
        usleep(draw / 4 % 3000);
    }
}

static thread_local bool working = false;

bool inStream() {
    return working;
}

static void work(std::shared_ptr<Queue> queue, unsigned long long random) {
    working = true;
    Lock lock(state);
    while (true) {
        queue->more.wait(lock, [&] { return !queue->items.empty() || queue->closed; });
        if (queue->items.empty()) {
            return;
        }
        Item item = std::move(queue->items.front());
        queue->items.pop_front();
        for (const Mark& mark : item.after) {
            changed.wait(lock, [&] { return mark.over(); });
        }
        Result result = queue->context->sticky;
        if (result == SUCCESS) {
            lock.unlock();
            if (setting::delays() != 0) {
                delay(random);
            }
            result = item.work();
            item.work = nullptr;
            lock.lock();
            if (result != SUCCESS && queue->context->sticky == SUCCESS) {
                queue->context->sticky = result;
            }
        }
        queue->completed++;
        changed.notify_all();
    }
}

// Lock held.
Stream* openStream(Context* context, unsigned flags, int priority) {
    Stream* stream = new Stream;
    stream->context = context;
    stream->flags = flags;
    stream->priority = priority;
    stream->id = ++streamIds;
    stream->queue = std::make_shared<Queue>();
    stream->queue->context = context;
    stream->queue->blocking = (flags & 1) == 0;
    stream->queue->legacy = false;
    context->queues.push_back(stream->queue);
    streams.insert(stream);
    std::thread(work, stream->queue, (unsigned long long) setting::delays() * 0x9e3779b97f4a7c15ull + stream->id + (unsigned long long) getpid()).detach();
    return stream;
}

Result streamOf(void* handle, Stream** stream) {
    uintptr_t number = (uintptr_t) handle;
    if (inStream()) {
        return NOT_PERMITTED;
    }
    if (number > 2) {
        *stream = (Stream*) handle;
        return streams.count(*stream) == 0 ? INVALID_HANDLE : (*stream)->context->sticky;
    }
    Context* context;
    Result result = currentHeld(&context);
    if (result != SUCCESS) {
        return result;
    }
    if (number < 2) {
        *stream = context->legacy;
        return SUCCESS;
    }
    static thread_local std::map<Context*, Stream*>* perThread = nullptr;
    if (perThread == nullptr) {
        perThread = new std::map<Context*, Stream*>;
    }
    Stream*& mine = (*perThread)[context];
    if (mine == nullptr || streams.count(mine) == 0) {
        mine = openStream(context, 0, 0);
    }
    *stream = mine;
    return SUCCESS;
}

Mark last(Stream* stream) {
    return {stream->queue, stream->queue->submitted};
}

// Puts a work into a stream, or into the graph that the stream is captured into. Lock held. mark: where to wait for it; number 0 if it was captured.
Result submit(Lock&, Stream* stream, int type, Work work, Mark* mark) {
    if (stream->capture != nullptr) {
        if (stream->capture->invalid) {
            return CAPTURE_INVALIDATED;
        }
        captured(stream, type, std::move(work));
        if (mark != nullptr) {
            *mark = Mark();
        }
        return SUCCESS;
    }
    Queue& queue = *stream->queue;
    Item item;
    if (queue.legacy || queue.blocking) {
        Result result = queue.legacy ? mayUseLegacy(stream->context) : SUCCESS;
        if (result != SUCCESS) {
            return result;
        }
        for (auto& other : stream->context->queues) {
            if (other.get() != &queue && (queue.legacy ? other->blocking : other->legacy) && other->completed < other->submitted) {
                item.after.push_back({other, other->submitted});
            }
        }
    }
    item.work = std::move(work);
    queue.items.push_back(std::move(item));
    queue.submitted++;
    if (mark != nullptr) {
        *mark = {stream->queue, queue.submitted};
    }
    queue.more.notify_one();
    return SUCCESS;
}

void waitFor(Lock& lock, const Mark& mark) {
    changed.wait(lock, [&] { return mark.over(); });
}

static std::atomic<long> stops(0);

void countStop() {
    stops++;
}

// For tests: how many calls have waited for the whole device so far, or might have on a GPU.
extern "C" __attribute__((visibility("default"))) long software_stops() {
    return stops;
}

void drain(Lock& lock, Context* context) {
    countStop();
    std::vector<Mark> marks;
    for (auto& queue : context->queues) {
        marks.push_back({queue, queue->submitted});
    }
    for (const Mark& mark : marks) {
        waitFor(lock, mark);
    }
}

static void close(Stream* stream) {
    stream->queue->closed = true;
    giveBack(stream->context->device, stream->kept);
    streams.erase(stream);
    stream->queue->more.notify_one();
    delete stream;
}

void closeQueues(Context* context) {
    std::vector<Stream*> mine;
    for (Stream* stream : streams) {
        if (stream->context == context) {
            mine.push_back(stream);
        }
    }
    for (Stream* stream : mine) {
        close(stream);
    }
    context->queues.clear();
}

DRIVER cuStreamCreateWithPriority(Stream** stream, unsigned flags, int priority) {
    Context* context;
    Result result = current(&context);
    if (result != SUCCESS) {
        return result;
    }
    if (flags > 1) {
        return INVALID_VALUE;
    }
    Lock lock(state);
    result = take(context->device, KEPT_BYTES);
    if (result != SUCCESS) {
        return result;
    }
    *stream = openStream(context, flags, priority < -5 ? -5 : priority > 0 ? 0 : priority);
    (*stream)->kept = KEPT_BYTES;
    return SUCCESS;
}

DRIVER cuStreamCreate(Stream** stream, unsigned flags) {
    return cuStreamCreateWithPriority(stream, flags, 0);
}

DRIVER cuStreamDestroy_v2(Stream* stream) {
    Lock lock(state);
    if (streams.count(stream) == 0 || stream == stream->context->legacy) {
        return INVALID_HANDLE;
    }
    forgetCapture(stream);
    // Those whose works are through need not be waited for by anybody.
    auto& queues = stream->context->queues;
    for (size_t i = 0; i < queues.size();) {
        if (queues[i]->closed && queues[i]->completed == queues[i]->submitted) {
            queues.erase(queues.begin() + (ptrdiff_t) i);
        } else {
            i++;
        }
    }
    close(stream);
    return SUCCESS;
}

DRIVER cuStreamSynchronize(void* handle) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result != SUCCESS) {
        return result;
    }
    if (stream->capture != nullptr) {
        stream->capture->invalid = true;
        return CAPTURE_UNSUPPORTED;
    }
    Context* context = stream->context;
    result = stream == context->legacy ? mayUseLegacy(context) : SUCCESS;
    if (result == SUCCESS) {
        result = unsafeWhileCapturing();
    }
    if (result != SUCCESS) {
        return result;
    }
    if (stream == context->legacy) {
        // The legacy stream's work waits for all blocking streams.
        for (auto& queue : std::vector<std::shared_ptr<Queue>>(context->queues)) {
            if (queue->blocking) {
                waitFor(lock, {queue, queue->submitted});
            }
        }
    } else {
        waitFor(lock, last(stream));
    }
    return context->sticky;
}

DRIVER cuStreamQuery(void* handle) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result != SUCCESS) {
        return result;
    }
    if (stream->capture != nullptr) {
        stream->capture->invalid = true;
        return CAPTURE_UNSUPPORTED;
    }
    result = stream == stream->context->legacy ? mayUseLegacy(stream->context) : SUCCESS;
    if (result == SUCCESS) {
        result = unsafeWhileCapturing();
    }
    return result != SUCCESS ? result : last(stream).over() ? SUCCESS : NOT_READY;
}

DRIVER cuStreamGetFlags(void* handle, unsigned* flags) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result == SUCCESS) {
        *flags = stream->flags;
    }
    return result;
}

DRIVER cuStreamGetPriority(void* handle, int* priority) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result == SUCCESS) {
        *priority = stream->priority;
    }
    return result;
}

DRIVER cuStreamGetId(void* handle, unsigned long long* id) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result == SUCCESS) {
        *id = stream->id;
    }
    return result;
}

DRIVER cuStreamGetCtx(void* handle, Context** context) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result == SUCCESS) {
        *context = stream->context;
    }
    return result;
}

// ---- values ----

template <class T>
static bool fulfilled(const volatile T* at, T value, unsigned how) {
    T found = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    switch (how & 3) {
        case 0: return sizeof(T) == 4 ? (int32_t) (found - value) >= 0 : (int64_t) (found - value) >= 0;
        case 1: return found == value;
        case 2: return (found & value) != 0;
        default: return (T) ~(found | value) != 0;
    }
}

template <class T>
static Result writeValue(void* handle, Address address, T value) {
    if (setting::refuseWords()) {
        return NOT_SUPPORTED;
    }
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result == SUCCESS) {
        result = address % sizeof(T) != 0 ? INVALID_VALUE : usable(address, sizeof(T), false);
    }
    if (result != SUCCESS) {
        return result;
    }
    return submit(lock, stream, 12, [=] {
        __atomic_store_n((T*) address, value, __ATOMIC_RELEASE);
        return SUCCESS;
    });
}

template <class T>
static Result waitValue(void* handle, Address address, T value, unsigned how) {
    if (setting::refuseWords()) {
        return NOT_SUPPORTED;
    }
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result == SUCCESS) {
        result = address % sizeof(T) != 0 ? INVALID_VALUE : usable(address, sizeof(T), false);
    }
    if (result != SUCCESS) {
        return result;
    }
    return submit(lock, stream, 12, [=] {
        for (unsigned round = 0; !fulfilled((const volatile T*) address, value, how); round++) {
            pause(round);
        }
        return SUCCESS;
    });
}

DRIVER cuStreamWriteValue32_v2(void* stream, Address address, uint32_t value, unsigned) {
    return writeValue<uint32_t>(stream, address, value);
}

DRIVER cuStreamWriteValue64_v2(void* stream, Address address, uint64_t value, unsigned) {
    return writeValue<uint64_t>(stream, address, value);
}

DRIVER cuStreamWaitValue32_v2(void* stream, Address address, uint32_t value, unsigned flags) {
    return waitValue<uint32_t>(stream, address, value, flags);
}

DRIVER cuStreamWaitValue64_v2(void* stream, Address address, uint64_t value, unsigned flags) {
    return waitValue<uint64_t>(stream, address, value, flags);
}

// ---- functions of the host ----

DRIVER cuLaunchHostFunc(void* handle, void (*function)(void*), void* data) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result != SUCCESS) {
        return result;
    }
    return submit(lock, stream, 3, [=] {
        function(data);
        return SUCCESS;
    });
}

DRIVER cuStreamAddCallback(void* handle, void (*function)(void*, int, void*), void* data, unsigned) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result != SUCCESS) {
        return result;
    }
    if (stream->capture != nullptr) {
        return CAPTURE_UNSUPPORTED;
    }
    return submit(lock, stream, 3, [=] {
        function(handle, SUCCESS, data);
        return SUCCESS;
    });
}
