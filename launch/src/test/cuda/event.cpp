// Events, also such that other processes wait for. An event is a place in a stream's queue; one for other processes also counts in a page that they share.
#include "driver.h"

#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static const uint64_t MAGIC = 0x6576656e742d3131ull;
static const unsigned DISABLE_TIMING = 2, INTERPROCESS = 4;

struct Page {
    volatile uint64_t recorded, completed;
};

struct Event {
    Context* context;
    int device;
    unsigned flags;
    bool recorded = false;
    Mark mark;
    std::shared_ptr<double> time;
    std::shared_ptr<Capture> capture;   // recorded in a stream that was being captured
    Stream* capturedIn = nullptr;
    int file = -1;
    Page* page = nullptr;
};

struct EventHandle {
    uint64_t magic;
    int32_t process, file;
    char unused[48];
};

static std::set<Event*>& events = *new std::set<Event*>;

static double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double) time.tv_sec * 1e3 + (double) time.tv_nsec * 1e-6;
}

static bool through(const Event* event, uint64_t recorded) {
    return __atomic_load_n(&event->page->completed, __ATOMIC_ACQUIRE) >= recorded;
}

DRIVER cuEventCreate(Event** event, unsigned flags) {
    Context* context;
    Result result = current(&context);
    if (result != SUCCESS) {
        return result;
    }
    if ((flags & INTERPROCESS) != 0 && (flags & DISABLE_TIMING) == 0) {
        return INVALID_VALUE;
    }
    Lock lock(state);
    result = take(context->device, KEPT_BYTES);
    if (result != SUCCESS) {
        return result;
    }
    *event = new Event;
    (*event)->context = context;
    (*event)->device = context->device;
    (*event)->flags = flags;
    if (flags & INTERPROCESS) {
        (*event)->file = memfd_create("software-cuda-event", MFD_CLOEXEC);
        if ((*event)->file < 0 || ftruncate((*event)->file, 4096) != 0) {
            return OUT_OF_MEMORY;
        }
        (*event)->page = (Page*) mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, (*event)->file, 0);
    }
    events.insert(*event);
    return SUCCESS;
}

DRIVER cuEventDestroy_v2(Event* event) {
    Lock lock(state);
    if (events.erase(event) == 0) {
        return INVALID_HANDLE;
    }
    giveBack(event->device, KEPT_BYTES);
    if (event->file >= 0) {
        close(event->file); // the page stays, as works that are not yet done write to it
    }
    delete event;
    return SUCCESS;
}

DRIVER cuEventRecord(Event* event, void* handle) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result != SUCCESS) {
        return result;
    }
    if (events.count(event) == 0 || event->context != stream->context) {
        return INVALID_HANDLE;
    }
    event->capture = stream->capture;
    event->capturedIn = stream;
    if (stream->capture != nullptr) {
        return stream->capture->invalid ? CAPTURE_INVALIDATED : SUCCESS;
    }
    auto time = std::make_shared<double>(0);
    Page* page = event->page;
    uint64_t number = page == nullptr ? 0 : __atomic_add_fetch(&page->recorded, 1, __ATOMIC_ACQ_REL);
    result = submit(lock, stream, 7, [=] {
        *time = now();
        if (page != nullptr) {
            __atomic_store_n(&page->completed, number, __ATOMIC_RELEASE);
        }
        return SUCCESS;
    }, &event->mark);
    event->time = time;
    event->recorded = true;
    return result;
}

DRIVER cuEventRecordWithFlags(Event* event, void* stream, unsigned) {
    return cuEventRecord(event, stream);
}

DRIVER cuStreamWaitEvent(void* handle, Event* event, unsigned) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result != SUCCESS) {
        return result;
    }
    if (events.count(event) == 0) {
        return INVALID_HANDLE;
    }
    if (event->capture != nullptr) {
        // The stream joins the capture that the event belongs to.
        if (stream->capture != nullptr && stream->capture != event->capture) {
            stream->capture->invalid = event->capture->invalid = true;
            return CAPTURE_MERGE;
        }
        if (stream == stream->context->legacy) {
            return CAPTURE_IMPLICIT;
        }
        stream->capture = event->capture;
        event->capture->streams.insert(stream);
        event->capture->unjoined.erase(event->capturedIn);
        if (stream != event->capture->origin) {
            event->capture->unjoined.insert(stream);
        }
        return SUCCESS;
    }
    if (stream->capture != nullptr) {
        return event->recorded ? (stream->capture->invalid = true, CAPTURE_ISOLATION) : SUCCESS;
    }
    if (event->page != nullptr) {
        uint64_t recorded = __atomic_load_n(&event->page->recorded, __ATOMIC_ACQUIRE);
        Page* page = event->page;
        return submit(lock, stream, 6, [=] {
            for (unsigned round = 0; __atomic_load_n(&page->completed, __ATOMIC_ACQUIRE) < recorded; round++) {
                pause(round);
            }
            return SUCCESS;
        });
    }
    Mark mark = event->mark;
    return submit(lock, stream, 6, [=] {
        Lock held(state);
        waitFor(held, mark);
        return SUCCESS;
    });
}

DRIVER cuEventQuery(Event* event) {
    Lock lock(state);
    if (events.count(event) == 0) {
        return INVALID_HANDLE;
    }
    if (event->capture != nullptr) {
        return CAPTURED_EVENT;
    }
    if (event->context->sticky != SUCCESS) {
        return event->context->sticky;
    }
    Result result = unsafeWhileCapturing();
    if (result != SUCCESS) {
        return result;
    }
    return event->page != nullptr ? through(event, event->page->recorded) ? SUCCESS : NOT_READY : event->mark.over() ? SUCCESS : NOT_READY;
}

DRIVER cuEventSynchronize(Event* event) {
    Lock lock(state);
    if (events.count(event) == 0) {
        return INVALID_HANDLE;
    }
    if (event->capture != nullptr) {
        return CAPTURED_EVENT;
    }
    if (event->page != nullptr) {
        Page* page = event->page;
        lock.unlock();
        uint64_t recorded = __atomic_load_n(&page->recorded, __ATOMIC_ACQUIRE);
        for (unsigned round = 0; __atomic_load_n(&page->completed, __ATOMIC_ACQUIRE) < recorded; round++) {
            pause(round);
        }
        return SUCCESS;
    }
    Context* context = event->context;
    Mark mark = event->mark;
    waitFor(lock, mark);
    return context->sticky;
}

DRIVER cuEventElapsedTime(float* milliseconds, Event* start, Event* end) {
    Lock lock(state);
    if (events.count(start) == 0 || events.count(end) == 0 || !start->recorded || !end->recorded || ((start->flags | end->flags) & DISABLE_TIMING) != 0) {
        return INVALID_HANDLE;
    }
    if (!start->mark.over() || !end->mark.over()) {
        return NOT_READY;
    }
    *milliseconds = (float) (*end->time - *start->time);
    return SUCCESS;
}

DRIVER cuIpcGetEventHandle(EventHandle* handle, Event* event) {
    Lock lock(state);
    if (events.count(event) == 0 || event->file < 0) {
        return INVALID_HANDLE;
    }
    memset((void*) handle, 0, sizeof *handle);
    handle->magic = MAGIC;
    handle->process = getpid();
    handle->file = event->file;
    return SUCCESS;
}

DRIVER cuIpcOpenEventHandle(Event** event, EventHandle handle) {
    Context* context;
    Result result = current(&context);
    if (result != SUCCESS) {
        return result;
    }
    if (handle.magic != MAGIC) {
        return INVALID_HANDLE;
    }
    if (handle.process == getpid()) {
        return INVALID_CONTEXT;
    }
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/fd/%d", handle.process, handle.file);
    int file = open(name, O_RDWR | O_CLOEXEC);
    void* page = file < 0 ? MAP_FAILED : mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0) {
        close(file);
    }
    if (page == MAP_FAILED) {
        return INVALID_HANDLE;
    }
    Lock lock(state);
    result = take(context->device, KEPT_BYTES);
    if (result != SUCCESS) {
        return result;
    }
    *event = new Event;
    (*event)->context = context;
    (*event)->device = context->device;
    (*event)->flags = INTERPROCESS | DISABLE_TIMING;
    (*event)->page = (Page*) page;
    events.insert(*event);
    return SUCCESS;
}
