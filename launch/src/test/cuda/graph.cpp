// Capturing streams into graphs, and launching those. A graph is the list of captured works in the order of capture, and runs in that order: an order that the
// dependencies allow, though not the only one.
#include "driver.h"

static std::set<Graph*>& graphs = *new std::set<Graph*>;

struct Executable {
    std::shared_ptr<std::vector<Work>> works;
};

static std::set<Executable*>& executables = *new std::set<Executable*>;
static std::set<std::shared_ptr<Capture>>& captures = *new std::set<std::shared_ptr<Capture>>;
static thread_local int interaction = 0;    // CUstreamCaptureMode of this thread: 0 global, 1 thread-local, 2 relaxed

Result unsafeWhileCapturing() {
    if (interaction == 2) {
        return SUCCESS;
    }
    bool found = false;
    for (auto& capture : captures) {
        bool mine = capture->thread == threadId();
        if (capture->mode != 2 && (mine || (capture->mode == 0 && interaction == 0))) {
            capture->invalid = true;
            found = true;
        }
    }
    return found ? CAPTURE_UNSUPPORTED : SUCCESS;
}

static bool isLegacyBlocked(Context* context) {
    for (auto& capture : captures) {
        for (Stream* stream : capture->streams) {
            if (stream->context == context && stream->queue->blocking) {
                return true;
            }
        }
    }
    return false;
}

// The legacy stream would wait for blocking streams that are being captured.
Result mayUseLegacy(Context* context) {
    bool found = false;
    for (auto& capture : captures) {
        for (Stream* stream : capture->streams) {
            if (stream->context == context && stream->queue->blocking) {
                capture->invalid = true;
                found = true;
            }
        }
    }
    return found ? CAPTURE_IMPLICIT : SUCCESS;
}

void captured(Stream* stream, int type, Work work) {
    stream->capture->graph->nodes.push_back(std::unique_ptr<Node>(new Node{type, std::move(work)}));
    if (stream != stream->capture->origin) {
        stream->capture->unjoined.insert(stream);
    }
}

static void end(const std::shared_ptr<Capture>& capture) {
    captures.erase(capture);
    for (Stream* stream : capture->streams) {
        stream->capture = nullptr;
    }
}

void forgetCapture(Stream* stream) {
    std::shared_ptr<Capture> capture = stream->capture;
    if (capture == nullptr) {
        return;
    }
    capture->streams.erase(stream);
    capture->invalid = true;
    if (capture->origin == stream) {
        end(capture);
    }
}

DRIVER cuStreamBeginCapture_v2(void* handle, int mode) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result != SUCCESS) {
        return result;
    }
    if (stream == stream->context->legacy) {
        return CAPTURE_UNSUPPORTED;
    }
    if (stream->capture != nullptr) {
        return ILLEGAL_STATE;
    }
    if (mode < 0 || mode > 2) {
        return INVALID_VALUE;
    }
    auto capture = std::make_shared<Capture>();
    capture->graph = new Graph;
    capture->origin = stream;
    capture->mode = mode;
    capture->thread = threadId();
    capture->streams.insert(stream);
    captures.insert(capture);
    stream->capture = capture;
    return SUCCESS;
}

DRIVER cuStreamEndCapture(void* handle, Graph** graph) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result != SUCCESS) {
        return result;
    }
    std::shared_ptr<Capture> capture = stream->capture;
    *graph = nullptr;
    if (capture == nullptr) {
        return ILLEGAL_STATE;
    }
    if (capture->mode != 2 && capture->thread != threadId()) {
        return CAPTURE_WRONG_THREAD;
    }
    if (capture->origin != stream) {
        return CAPTURE_UNMATCHED;
    }
    end(capture);
    if (capture->invalid) {
        delete capture->graph;
        return CAPTURE_INVALIDATED;
    }
    if (!capture->unjoined.empty()) {
        delete capture->graph;
        return CAPTURE_UNJOINED;
    }
    graphs.insert(capture->graph);
    *graph = capture->graph;
    return SUCCESS;
}

DRIVER cuStreamIsCapturing(void* handle, int* status) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result == SUCCESS && stream == stream->context->legacy && isLegacyBlocked(stream->context)) {
        return CAPTURE_IMPLICIT;
    }
    if (result == SUCCESS) {
        *status = stream->capture == nullptr ? 0 : stream->capture->invalid ? 2 : 1;
    }
    return result;
}

DRIVER cuThreadExchangeStreamCaptureMode(int* mode) {
    if (*mode < 0 || *mode > 2) {
        return INVALID_VALUE;
    }
    std::swap(*mode, interaction);
    return SUCCESS;
}

DRIVER cuGraphCreate(Graph** graph, unsigned flags) {
    if (flags != 0) {
        return INVALID_VALUE;
    }
    Lock lock(state);
    *graph = new Graph;
    graphs.insert(*graph);
    return SUCCESS;
}

DRIVER cuGraphDestroy(Graph* graph) {
    Lock lock(state);
    if (graphs.erase(graph) == 0) {
        return INVALID_VALUE;
    }
    delete graph;
    return SUCCESS;
}

DRIVER cuGraphClone(Graph** clone, Graph* graph) {
    Lock lock(state);
    if (graphs.count(graph) == 0) {
        return INVALID_VALUE;
    }
    *clone = new Graph;
    for (auto& node : graph->nodes) {
        (*clone)->nodes.push_back(std::unique_ptr<Node>(new Node(*node)));
    }
    graphs.insert(*clone);
    return SUCCESS;
}

DRIVER cuGraphGetNodes(Graph* graph, Node** nodes, size_t* number) {
    Lock lock(state);
    if (graphs.count(graph) == 0) {
        return INVALID_VALUE;
    }
    if (nodes == nullptr) {
        *number = graph->nodes.size();
        return SUCCESS;
    }
    for (size_t i = 0; i < *number; i++) {
        nodes[i] = i < graph->nodes.size() ? graph->nodes[i].get() : nullptr;
    }
    *number = *number < graph->nodes.size() ? *number : graph->nodes.size();
    return SUCCESS;
}

DRIVER cuGraphNodeGetType(Node* node, int* type) {
    *type = node->type;
    return SUCCESS;
}

DRIVER cuGraphInstantiateWithFlags(Executable** executable, Graph* graph, unsigned long long) {
    Lock lock(state);
    if (graphs.count(graph) == 0) {
        return INVALID_VALUE;
    }
    auto works = std::make_shared<std::vector<Work>>();
    for (auto& node : graph->nodes) {
        works->push_back(node->work);
    }
    *executable = new Executable{works};
    executables.insert(*executable);
    return SUCCESS;
}

DRIVER cuGraphUpload(Executable* executable, void* handle) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    return result != SUCCESS ? result : executables.count(executable) == 0 ? INVALID_VALUE : SUCCESS;
}

DRIVER cuGraphLaunch(Executable* executable, void* handle) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result != SUCCESS) {
        return result;
    }
    if (executables.count(executable) == 0) {
        return INVALID_VALUE;
    }
    std::shared_ptr<std::vector<Work>> works = executable->works;
    return submit(lock, stream, 4, [=] {
        for (const Work& work : *works) {
            Result done = work();
            if (done != SUCCESS) {
                return done;
            }
        }
        return SUCCESS;
    });
}

DRIVER cuGraphExecDestroy(Executable* executable) {
    Lock lock(state);
    if (executables.erase(executable) == 0) {
        return INVALID_VALUE;
    }
    delete executable;
    return SUCCESS;
}
