// Checks all kernels against values computed here, and times some: one process for each rank, over the CUDA driver's C API, on GPUs or on the software driver of the tests.
//
//   g++ -std=c++17 -O2 -I/usr/local/cuda/include kernel_check.cpp -ldl -lpthread -o kernel_check
//   kernel_check RANKS FOLDER_OF_FATBINS check|types|lost|times [GPUS]
//
// check: every pattern, at lengths, alignments and in place; types: every type and operation; lost: a peer that never comes, epochs that wrap around; times: launch until flag, and in a graph.
#include <cuda.h>
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "../../../main/cuda/call.cuh"
#include "reference.h"

using reference::Type;
using std::string;
using std::vector;

// --- the driver, found at run time ---------------------------------------------------------------------------------------------------------------------------------------

static void *library;
#define DRIVER(name, symbol) static decltype(&::name) p_##name;
#define CALLS(X)                                                                                                                                                         \
    X(cuInit, "cuInit") X(cuDeviceGetCount, "cuDeviceGetCount") X(cuDeviceGet, "cuDeviceGet") X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain")                     \
    X(cuCtxSetCurrent, "cuCtxSetCurrent") X(cuMemAlloc, "cuMemAlloc_v2") X(cuMemHostAlloc, "cuMemHostAlloc") X(cuMemcpyHtoD, "cuMemcpyHtoD_v2")                            \
    X(cuMemcpyDtoH, "cuMemcpyDtoH_v2") X(cuMemsetD8, "cuMemsetD8_v2") X(cuIpcGetMemHandle, "cuIpcGetMemHandle") X(cuIpcOpenMemHandle, "cuIpcOpenMemHandle_v2")              \
    X(cuModuleLoadData, "cuModuleLoadData") X(cuModuleGetFunction, "cuModuleGetFunction") X(cuLaunchKernel, "cuLaunchKernel") X(cuStreamCreate, "cuStreamCreate")           \
    X(cuStreamSynchronize, "cuStreamSynchronize") X(cuStreamQuery, "cuStreamQuery") X(cuStreamBeginCapture, "cuStreamBeginCapture_v2")                                      \
    X(cuStreamEndCapture, "cuStreamEndCapture") X(cuGraphInstantiate, "cuGraphInstantiateWithFlags") X(cuGraphLaunch, "cuGraphLaunch") X(cuEventCreate, "cuEventCreate")     \
    X(cuEventRecord, "cuEventRecord") X(cuEventElapsedTime, "cuEventElapsedTime") X(cuCtxSynchronize, "cuCtxSynchronize")                                                   \
    X(cuMemHostGetDevicePointer, "cuMemHostGetDevicePointer_v2")
CALLS(DRIVER)

static int rank_;
[[noreturn]] static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "rank %d: ", rank_);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    _exit(1);
}
#define CU(call)                                                 \
    do {                                                         \
        CUresult code_ = (call);                                 \
        if (code_ != CUDA_SUCCESS) fail("%s: %d", #call, code_); \
    } while (0)

static void open_driver() {
    library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == nullptr) fail("%s", dlerror());
#define FIND(name, symbol) \
    if ((p_##name = (decltype(p_##name))dlsym(library, symbol)) == nullptr) fail("no %s", symbol);
    CALLS(FIND)
}

// --- the ranks -----------------------------------------------------------------------------------------------------------------------------------------------------------

constexpr size_t GUARD = 256;
static size_t room = 4 << 20;  // of a buffer, guards not counted

struct Shared {  // inherited by the ranks
    std::atomic<int> arrived, generation;
    CUipcMemHandle handles[MAX_RANKS][3];
    double times[MAX_RANKS][2];
};
static Shared *shared;
static int ranks;
static string folder;
static CUstream stream;
static char *scratch[MAX_RANKS], *sends[MAX_RANKS], *recvs[MAX_RANKS];
static volatile u64 *finished;
static volatile u32 *abort_word;
static u64 ticket;
static int wrong, done;

static void together() {
    int generation = shared->generation.load();
    if (shared->arrived.fetch_add(1) == ranks - 1) {
        shared->arrived.store(0);
        shared->generation.store(generation + 1);
    } else {
        while (shared->generation.load() == generation) usleep(0);
    }
}

static CUfunction kernel(const string &module, const string &name) {
    static std::map<string, CUmodule> modules;
    static std::map<string, CUfunction> functions;
    auto known = functions.find(name);
    if (known != functions.end()) return known->second;
    if (modules.find(module) == modules.end()) {
        string path = folder + "/" + module + ".fatbin";
        FILE *file = fopen(path.c_str(), "rb");
        if (file == nullptr) fail("no %s", path.c_str());
        vector<char> image(16 << 20);
        size_t bytes = fread(image.data(), 1, image.size() - 1, file);
        fclose(file);
        image.resize(bytes + 1);
        CU(p_cuModuleLoadData(&modules[module], image.data()));
    }
    CUfunction function;
    if (p_cuModuleGetFunction(&function, modules[module], name.c_str()) != CUDA_SUCCESS) fail("no kernel %s", name.c_str());
    return functions[name] = function;
}

static void start(int rank, int gpus) {
    rank_ = rank;
    open_driver();
    CU(p_cuInit(0));
    CUdevice device;
    CUcontext context;
    CU(p_cuDeviceGet(&device, rank % gpus));
    CU(p_cuDevicePrimaryCtxRetain(&context, device));
    CU(p_cuCtxSetCurrent(context));
    CU(p_cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    char **mine[3] = {scratch, sends, recvs};
    for (int k = 0; k < 3; k++) {
        CUdeviceptr memory;
        CU(p_cuMemAlloc(&memory, k == 0 ? SCRATCH_BYTES : std::max(room + 2 * GUARD, (size_t)2 << 20)));
        mine[k][rank] = (char *)memory;
        CU(p_cuIpcGetMemHandle(&shared->handles[rank][k], memory));
    }
    CU(p_cuMemsetD8((CUdeviceptr)scratch[rank], 0, SCRATCH_BYTES));
    CU(p_cuCtxSynchronize());
    void *pinned;
    CU(p_cuMemHostAlloc(&pinned, 4096, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP));
    memset(pinned, 0, 4096);
    finished = (volatile u64 *)pinned;
    abort_word = (volatile u32 *)((char *)pinned + 64);
    together();
    for (int p = 0; p < ranks; p++) {
        for (int k = 0; k < 3 && p != rank; k++) {
            CUdeviceptr memory;
            CU(p_cuIpcOpenMemHandle(&memory, shared->handles[p][k], CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
            mine[k][p] = (char *)memory;
        }
    }
    together();
}

static double now() { return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

static void launch(CUfunction function, Call &call, int grid, int threads) {
    void *parameters[] = {&call};
    CU(p_cuLaunchKernel(function, grid, 1, 1, threads, 1, 1, 0, stream, parameters, nullptr));
}

static void run(CUfunction function, Call &call, int grid, int threads, const string &what) {
    call.ticket = ++ticket;
    launch(function, call, grid, threads);
    double begin = now();
    while (*finished != ticket) {
        if (now() - begin > 30e6) {
            fprintf(stderr, "rank %d: %s does not end\n", rank_, what.c_str());
            *abort_word = 1;
            usleep(200000);
            _exit(1);
        }
    }
}

// --- patterns --------------------------------------------------------------------------------------------------------------------------------------------------------------

enum Pattern { BCAST, ALLGATHER, ALLTOALL, GATHER, SCATTER, ALLREDUCE, REDUCE, REDUCE_SCATTER, SCAN, EXSCAN, PATTERNS };
static const char *NAMES[] = {"bcast", "allgather", "alltoall", "gather", "scatter", "allreduce", "reduce", "reduce-scatter", "scan", "exscan"};

struct Case {
    Pattern pattern;
    string form;       // packets, push, pull, two_shot
    const Type *type;
    string op;
    int count;         // of a block's elements
    bool uneven, in_place;
    int root, grid, threads;
    int send_off, recv_off;  // in elements, on ranks where it is odd: rank
    string text() const {
        std::ostringstream out;
        out << NAMES[pattern] << " " << form << " " << op << " " << type->name << " count " << count << (uneven ? " uneven" : "") << (in_place ? " in place" : "") << " root " << root
            << " grid " << grid << " x " << threads << " offsets " << send_off << " " << recv_off;
        return out.str();
    }
};

/** Of block p (allgather, gather, scatter, reduce-scatter: rank p's; alltoall: from q to p). */
static i64 length(const Case &c, int q, int p) {
    return (i64)c.type->bytes * (!c.uneven ? c.count : (q + p) % 3 == 1 ? 0 : c.count / (1 + (q + 2 * p) % 4));
}

static i64 sum_lengths(const Case &c, int q, int until) {
    i64 sum = 0;
    for (int p = 0; p < until; p++) sum += length(c, q, p);
    return sum;
}

static u32 mixed(u32 x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/** What rank r has at byte `at` on of its send buffer: everything that the type can be, the same whoever asks. */
static void fill(const Case &c, int r, i64 bytes, vector<char> &data) {
    data.resize(bytes + 16);
    const Type &type = *c.type;
    string name = type.name;
    bool pair = string(type.ops).find("maxloc") != string::npos;
    for (i64 at = 0; at + type.bytes <= bytes; at += type.bytes) {
        u32 m = mixed((u32)(at * 31 + r * 7919 + c.count * 13));
        char *to = &data[at];
        if (name == "bool") {
            *to = (char)(m & 1);
        } else if (pair || type.floats != 0) {
            // Few values, so that they often tie; zeros of both signs, infinities and NaNs now and then.
            static const double VALUES[] = {0, -0.0, 1, -1, 2.5, -3.25, 1000.5, 1e-3, 3, 7, 0.1, -0.7};
            double value = m % 97 == 0 ? NAN : m % 89 == 0 ? INFINITY : m % 83 == 0 ? -INFINITY : VALUES[m % 12];
            int index = (int)(m >> 8 & 3);
            int small = (int)(m >> 4 & 3) - 1;
            memset(to, (int)(m >> 3), type.bytes);  // paddings
            if (name == "f16") { reference::half v = (reference::half)value; memcpy(to, &v, 2); }
            else if (name == "bf16") { reference::bfloat v; reference::narrow((float)value, v); memcpy(to, &v, 2); }
            else if (name == "f32") { float v = (float)value; memcpy(to, &v, 4); }
            else if (name == "f64") { memcpy(to, &value, 8); }
            else if (name == "c32") { float v[2] = {(float)value, (float)VALUES[(m >> 8) % 12]}; memcpy(to, v, 8); }
            else if (name == "c64") { double v[2] = {value, VALUES[(m >> 8) % 12]}; memcpy(to, v, 16); }
            else if (name == "i16x2") { int16_t v[2] = {(int16_t)small, (int16_t)index}; memcpy(to, v, 4); }
            else if (name == "i32x2" || name == "int_int") { int v[2] = {small, index}; memcpy(to, v, 8); }
            else if (name == "i64x2") { int64_t v[2] = {small, index}; memcpy(to, v, 16); }
            else if (name == "f32x2") { float v[2] = {(float)value, (float)index}; memcpy(to, v, 8); }
            else if (name == "f64x2") { double v[2] = {value, (double)index}; memcpy(to, v, 16); }
            else if (name == "short_int") { int16_t v = (int16_t)small; memcpy(to, &v, 2); memcpy(to + 4, &index, 4); }
            else if (name == "long_int") { int64_t v = small; memcpy(to, &v, 8); memcpy(to + 8, &index, 4); }
            else if (name == "float_int") { float v = (float)value; memcpy(to, &v, 4); memcpy(to + 4, &index, 4); }
            else { memcpy(to, &value, 8); memcpy(to + 8, &index, 4); }
        } else {
            u64 bits = m % 5 == 0 ? 0 : (u64)m << 32 | mixed(m);
            memcpy(to, &bits, type.bytes);
        }
    }
}

/** Describes the case to the kernel, and says how long this or that rank's buffers are. */
static void describe(const Case &c, int r, Call &call, i64 &send_bytes, i64 &recv_bytes) {
    memset(&call, 0, sizeof(Call));
    call.rank = r;
    call.ranks = ranks;
    call.root = c.root;
    call.flags = c.in_place ? IN_PLACE : 0;
    i64 vector_bytes = (i64)c.count * c.type->bytes;
    call.bytes = vector_bytes;
    send_bytes = recv_bytes = 0;
    bool root = r == c.root;
    i64 gathered = c.pattern == REDUCE_SCATTER ? 0 : r;  // lengths: same blocks on all ranks, save alltoall
    for (int p = 0; p < ranks; p++) {
        i64 &sa = call.sendAt[p], &sb = call.sendBytes[p], &ra = call.recvAt[p], &rb = call.recvBytes[p];
        switch (c.pattern) {
            case BCAST:
                if (root && p != r) sb = vector_bytes;
                if (!root && p == c.root) rb = vector_bytes;
                send_bytes = root ? vector_bytes : 0;
                recv_bytes = root ? 0 : vector_bytes;
                break;
            case ALLGATHER: case GATHER:
                if (c.pattern == ALLGATHER || p == c.root) sb = length(c, 0, r);
                if (c.pattern == ALLGATHER || root) {
                    ra = sum_lengths(c, 0, p);
                    rb = length(c, 0, p);
                    recv_bytes += rb;
                }
                send_bytes = length(c, 0, r);
                break;
            case SCATTER:
                if (root) {
                    sa = sum_lengths(c, 0, p);
                    sb = length(c, 0, p);
                    send_bytes += sb;
                }
                if (p == c.root) rb = length(c, 0, r);
                recv_bytes = length(c, 0, r);
                break;
            case ALLTOALL:
                sa = sum_lengths(c, gathered, p);
                sb = length(c, r, p);
                ra = sum_lengths(c, gathered, p);
                rb = length(c, p, r);
                send_bytes += sb;
                recv_bytes += rb;
                break;
            case REDUCE_SCATTER:
                sa = sum_lengths(c, 0, p);
                sb = length(c, 0, p);
                rb = length(c, 0, r);
                send_bytes += sb;
                recv_bytes = rb;
                break;
            default:
                if (c.pattern == ALLREDUCE || (c.pattern == REDUCE && p == c.root && !root) || ((c.pattern == SCAN || c.pattern == EXSCAN) && p > r)) sb = vector_bytes;
                if (c.pattern == ALLREDUCE || (c.pattern == REDUCE && root) || (c.pattern == SCAN && p <= r) || (c.pattern == EXSCAN && p < r)) rb = vector_bytes;
                send_bytes = vector_bytes;
                recv_bytes = c.pattern == REDUCE && !root ? 0 : c.pattern == EXSCAN && r == 0 ? 0 : vector_bytes;
        }
    }
    if (c.pattern == ALLTOALL) {  // lengths are symmetric only where they are even
        i64 s = 0, t = 0;
        for (int p = 0; p < ranks; p++) {
            call.sendAt[p] = s;
            s += call.sendBytes[p];
            call.recvAt[p] = t;
            t += call.recvBytes[p];
        }
    }
    if (c.pattern == REDUCE_SCATTER && c.in_place && c.uneven) call.flags |= OVERLAPS;
}

static void check(Case c) {
    Call call;
    i64 send_bytes, recv_bytes;
    describe(c, rank_, call, send_bytes, recv_bytes);
    if (call.flags & OVERLAPS && c.form == "packets") c.grid = 1;
    int es = c.type->bytes;
    auto send_at = [&](int r) { return sends[r] + GUARD + (r % 2 ? c.send_off : 0) * es; };
    auto recv_at = [&](int r) { return recvs[r] + GUARD + (r % 2 ? 0 : c.recv_off) * es; };
    auto input_at = [&](int r) -> char * {  // in place: where the input lies in recv
        if (!c.in_place) return send_at(r);
        if (c.pattern == ALLGATHER || (c.pattern == GATHER && r == c.root)) return recv_at(r) + sum_lengths(c, 0, r);
        if (c.pattern == GATHER || (c.pattern == REDUCE && r != c.root) || c.pattern == SCATTER) return send_at(r);
        return recv_at(r);
    };
    for (int p = 0; p < ranks; p++) {
        call.scratch[p] = scratch[p];
        call.peerSend[p] = input_at(p);
        call.peerRecv[p] = recv_at(p);
    }
    call.send = input_at(rank_);
    call.recv = recv_at(rank_);
    if (c.in_place && c.pattern == SCATTER && rank_ == c.root) {
        call.recvBytes[rank_] = 0;
        recv_bytes = 0;
    }
    call.abort = abort_word;
    call.finished = finished;

    vector<vector<char>> data(ranks);
    for (int r = 0; r < ranks; r++) {
        Call other;
        i64 s, t;
        describe(c, r, other, s, t);
        fill(c, r, s, data[r]);
    }
    bool shares = c.in_place && call.send != send_at(rank_);
    i64 whole = std::max(recv_bytes, shares ? (i64)(call.send - call.recv) + send_bytes : 0);
    vector<char> image(whole + 2 * GUARD, (char)0xa5), expected;
    if (shares && send_bytes) memcpy(&image[GUARD + (call.send - call.recv)], data[rank_].data(), send_bytes);
    CU(p_cuMemcpyHtoD((CUdeviceptr)(call.recv - GUARD), image.data(), image.size()));
    if (!shares && send_bytes) CU(p_cuMemcpyHtoD((CUdeviceptr)call.send, data[rank_].data(), send_bytes));
    expected = image;
    char *e = expected.data() + GUARD;
    for (int p = 0; p < ranks; p++) {
        const char *from = data[p].data();
        i64 at = -1;
        switch (c.pattern) {
            case BCAST: at = p == c.root && call.recvBytes[p] ? 0 : -1; break;
            case ALLGATHER: case GATHER: at = call.recvBytes[p] ? 0 : -1; break;
            case SCATTER: at = p == c.root && call.recvBytes[p] ? sum_lengths(c, 0, rank_) : -1; break;
            case ALLTOALL: {
                at = 0;
                for (int q = 0; q < rank_; q++) at += length(c, p, q);
                break;
            }
            default: break;
        }
        if (at >= 0 && call.recvBytes[p]) memcpy(e + call.recvAt[p], from + at, call.recvBytes[p]);
    }
    if (c.pattern >= ALLREDUCE) {
        i64 bytes = 0;
        for (int p = 0; p < ranks; p++) bytes = std::max(bytes, call.recvBytes[p]);
        for (i64 at = 0; at < bytes; at += es) {
            const char *v[MAX_RANKS];
            int n = 0;
            for (int p = 0; p < ranks; p++) {
                if (call.recvBytes[p]) v[n++] = data[p].data() + (c.pattern == REDUCE_SCATTER ? call.sendAt[rank_] : 0) + at;
            }
            if (n) reference::reduce(c.type->name, c.op, v, n, e + at);
        }
    }
    bool reduces = c.pattern >= ALLREDUCE;
    string name = "brigade_" + c.form + (reduces ? "_" + c.op + "_" + c.type->name : c.form == "packets" ? "_place" : "");
    run(kernel(reduces ? string("reduce_") + c.type->name : "move", name), call, c.grid, c.threads, c.text());
    CU(p_cuMemcpyDtoH(image.data(), (CUdeviceptr)(call.recv - GUARD), image.size()));
    done++;
    const char *got = image.data() + GUARD;
    for (i64 at = -(i64)GUARD; at < whole + (i64)GUARD; at++) {
        i64 element = at < 0 ? at : at / es * es;
        if (got[at] != e[at] && !(reduces && at >= 0 && element + es <= whole && reference::same(*c.type, got + element, e + element))) {
            if (wrong++ < 10) {
                fprintf(stderr, "rank %d of %d: %s: byte %lld of %lld is %02x, should be %02x\n", rank_, ranks, c.text().c_str(), at, recv_bytes, got[at] & 255, e[at] & 255);
            }
            break;
        }
    }
}

static const Type &type_of(const string &name) {
    for (const Type &type : reference::TYPES) {
        if (name == type.name) return type;
    }
    fail("no type %s", name.c_str());
}

static vector<string> words(const string &text) {
    std::istringstream in(text);
    vector<string> all;
    for (string word; in >> word;) all.push_back(word);
    return all;
}

static vector<string> forms(Pattern pattern) {
    return words(pattern < ALLREDUCE ? "packets push" : pattern == ALLREDUCE ? "packets two_shot" : "packets pull");
}

static void check_all(bool gpu) {
    vector<int> counts = {0, 1, 2, 3, 5, 8, 63, 257, 1000, 4099};
    if (gpu) counts.push_back(16384);
    if (gpu) counts.push_back(100003);
    for (const char *name : {"i8", "u16", "f32", "f64", "c64"}) {
        const Type &type = type_of(name);
        for (int pattern = 0; pattern < PATTERNS; pattern++) {
            for (const string &form : forms((Pattern)pattern)) {
                for (int count : counts) {
                    for (int variant = 0; variant < 6; variant++) {
                        Case c{(Pattern)pattern, form, &type, pattern < ALLREDUCE ? "-" : string(name) == "i8" ? "bxor" : "sum", count, false, false, 0, 1, gpu ? 512 : 4, 0, 0};
                        c.root = (count + variant) % ranks;
                        c.grid = variant % 2 ? 3 : 1;
                        if (gpu && variant >= 4) c.grid = form == "packets" ? 16 : 32;
                        if (variant == 1 || variant == 3) c.uneven = pattern == ALLGATHER || pattern == ALLTOALL || pattern == GATHER || pattern == SCATTER || pattern == REDUCE_SCATTER;
                        if (variant == 2 || variant == 3 || variant == 5) {
                            c.in_place = pattern != BCAST;
                            if (pattern == ALLTOALL && (form == "push" || c.uneven)) c.in_place = false;
                        }
                        if (variant == 3 || variant == 4) {
                            c.send_off = 1 + count % 3;
                            c.recv_off = 1 + count % 2;
                        }
                        if (form == "packets" && (i64)count * type.bytes > MAX_PACKET_BYTES) continue;
                        if ((i64)count * type.bytes * ranks + 4096 > (i64)room) continue;
                        check(c);
                    }
                }
            }
        }
    }
}

static void check_types(bool gpu) {
    for (const Type &type : reference::TYPES) {
        for (const string &op : words(type.ops)) {
            for (int variant = 0; variant < 3; variant++) {
                int count = gpu ? 3001 + 512 * variant : 35 + variant;
                int grid = 1 + variant;
                check({ALLREDUCE, "packets", &type, op, count, false, variant == 1, 0, grid, gpu ? 512 : 4, variant == 2, 0});
                check({ALLREDUCE, "two_shot", &type, op, count * 2, false, variant == 1, 0, grid, gpu ? 512 : 4, variant == 2, 0});
                check({REDUCE_SCATTER, "pull", &type, op, count, false, variant == 1, 0, grid, gpu ? 512 : 4, 0, variant == 2});
                check({SCAN, "pull", &type, op, count, false, variant == 1, 0, grid, gpu ? 512 : 4, 0, variant == 2});
            }
        }
    }
}

static void check_lost() {
    const Type &type = type_of("f32");
    // Epochs just before they wrap around.
    together();
    u32 late = 0xfffffffau;
    CU(p_cuMemcpyHtoD((CUdeviceptr)(scratch[rank_] + EPOCH_AT), &late, 4));
    for (int p = 0; p < ranks; p++) CU(p_cuMemcpyHtoD((CUdeviceptr)(scratch[rank_] + ACKNOWLEDGED_AT + 64 * p), &late, 4));
    together();
    for (int i = 0; i < 12; i++) {
        check({(Pattern)(i % PATTERNS), "packets", &type, "sum", 300, false, false, 0, 1, 4, 0, 0});
        check({ALLREDUCE, "two_shot", &type, "sum", 300, false, false, 0, 2, 4, 0, 0});
    }
    // The last rank never comes.
    together();
    if (rank_ != ranks - 1) {
        for (const char *form : {"packets", "two_shot"}) {
            Case c{ALLREDUCE, form, &type, "sum", 300, false, false, 0, 2, 4, 0, 0};
            Call call;
            i64 s, t;
            describe(c, rank_, call, s, t);
            memcpy(call.scratch, scratch, sizeof(scratch));
            memcpy(call.peerSend, sends, sizeof(sends));
            memcpy(call.peerRecv, recvs, sizeof(recvs));
            call.send = sends[rank_];
            call.recv = recvs[rank_];
            call.abort = abort_word;
            call.finished = finished;
            call.ticket = ++ticket;
            *abort_word = 0;
            launch(kernel("reduce_f32", string("brigade_") + form + "_sum_f32"), call, c.grid, c.threads);
            usleep(20000);
            if (*finished == ticket) fail("%s ended without its peer", form);
            *abort_word = 1;
            CU(p_cuStreamSynchronize(stream));
            u32 status;
            CU(p_cuMemcpyDtoH(&status, (CUdeviceptr)(scratch[rank_] + STATUS_AT), 4));
            if (*finished != ticket || status != STATUS_PEER_LOST) fail("%s given up: status %u", form, status);
        }
    }
    together();
}

// --- times -----------------------------------------------------------------------------------------------------------------------------------------------------------------

static void time_one(Case c, const char *label) {
    Call call;
    i64 s, t;
    describe(c, rank_, call, s, t);
    memcpy(call.scratch, scratch, sizeof(scratch));
    memcpy(call.peerSend, sends, sizeof(sends));
    memcpy(call.peerRecv, recvs, sizeof(recvs));
    call.send = sends[rank_];
    call.recv = recvs[rank_];
    call.abort = abort_word;
    call.finished = finished;
    bool reduces = c.pattern >= ALLREDUCE;
    string name = "brigade_" + c.form + (reduces ? "_" + c.op + "_" + c.type->name : c.form == "packets" ? "_place" : "");
    CUfunction function = kernel(reduces ? string("reduce_") + c.type->name : "move", name);
    i64 bytes = std::max(s, t);
    int iterations = bytes <= 1 << 20 ? 100 : 15;
    vector<double> times;
    for (int i = 0; i < iterations + 5; i++) {
        call.ticket = ++ticket;
        int generation = shared->generation.load();
        if (shared->arrived.fetch_add(1) == ranks - 1) {
            shared->arrived.store(0);
            shared->generation.store(generation + 1);
        } else {
            while (shared->generation.load() == generation) {}
        }
        double begin = now();
        launch(function, call, c.grid, c.threads);
        while (*finished != ticket) {
            if (now() - begin > 10e6) fail("%s does not end", c.text().c_str());
        }
        if (i >= 5) times.push_back(now() - begin);
    }
    std::sort(times.begin(), times.end());
    shared->times[rank_][0] = times[times.size() / 2];
    CU(p_cuStreamSynchronize(stream));
    CUgraph graph;
    CUgraphExec executable;
    CUevent begin, end;
    CU(p_cuEventCreate(&begin, CU_EVENT_DEFAULT));
    CU(p_cuEventCreate(&end, CU_EVENT_DEFAULT));
    call.finished = nullptr;
    CU(p_cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    int each = bytes <= 1 << 20 ? 20 : 4;
    for (int i = 0; i < each; i++) launch(function, call, c.grid, c.threads);
    CU(p_cuStreamEndCapture(stream, &graph));
    CU(p_cuGraphInstantiate(&executable, graph, 0));
    CU(p_cuGraphLaunch(executable, stream));
    CU(p_cuStreamSynchronize(stream));
    together();
    CU(p_cuEventRecord(begin, stream));
    for (int i = 0; i < 3; i++) CU(p_cuGraphLaunch(executable, stream));
    CU(p_cuEventRecord(end, stream));
    CU(p_cuStreamSynchronize(stream));
    float ms;
    CU(p_cuEventElapsedTime(&ms, begin, end));
    shared->times[rank_][1] = ms * 1e3 / (3 * each);
    together();
    if (rank_ == 0) {
        double worst[2] = {};
        for (int r = 0; r < ranks; r++) {
            for (int k = 0; k < 2; k++) worst[k] = std::max(worst[k], shared->times[r][k]);
        }
        printf("%s,%s,%d,%lld,%d,%d,%.2f,%.2f,%.1f\n", label, c.form.c_str(), ranks, bytes, c.grid, c.threads, worst[0], worst[1], bytes / worst[1] / 1e3);
        fflush(stdout);
    }
    together();
}

static void time_all() {
    const Type &f32 = type_of("f32");
    if (rank_ == 0) printf("operation,form,ranks,bytes,blocks,threads,blocking_us,graph_us,GBps\n");
    auto one = [&](Pattern pattern, const char *form, i64 bytes, int grid, int threads) {
        i64 count = bytes / 4;
        if (pattern == ALLGATHER || pattern == REDUCE_SCATTER || pattern == ALLTOALL) count /= ranks;
        time_one({pattern, form, &f32, "sum", (int)count, false, false, 0, grid, threads, 0, 0}, NAMES[pattern]);
    };
    for (i64 bytes : {16ll, 4096ll, 16ll << 10, 64ll << 10, 256ll << 10}) {
        vector<int> grids = bytes <= 4096 ? vector<int>{1} : bytes <= 16 << 10 ? vector<int>{2, 4, 8} : bytes <= 64 << 10 ? vector<int>{4, 8, 16, 32} : vector<int>{16, 32, 64};
        for (int grid : grids) {
            one(ALLREDUCE, "packets", bytes, grid, 512);
            one(BCAST, "packets", bytes, grid, 512);
        }
        one(ALLGATHER, "packets", bytes, grids[grids.size() / 2], 512);
        one(REDUCE_SCATTER, "packets", bytes, grids[grids.size() / 2], 512);
    }
    one(ALLREDUCE, "packets", 16, 1, 32);
    one(ALLREDUCE, "packets", 4096, 2, 256);
    one(ALLREDUCE, "packets", 16 << 10, 8, 256);
    for (i64 bytes : {64ll << 10, 256ll << 10, 1ll << 20, 4ll << 20, 16ll << 20, 64ll << 20}) {
        vector<int> grids = bytes <= 256 << 10 ? vector<int>{8, 16} : bytes <= 1 << 20 ? vector<int>{16, 32, 64} : vector<int>{32, 64, 128};
        for (int grid : grids) {
            one(ALLREDUCE, "two_shot", bytes, grid, 512);
            one(BCAST, "push", bytes, grid, 1024);
            one(ALLGATHER, "push", bytes, grid, 1024);
            one(REDUCE_SCATTER, "pull", bytes, grid, 512);
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: kernel_check RANKS FOLDER_OF_FATBINS check|types|lost|times [GPUS]\n");
        return 2;
    }
    ranks = atoi(argv[1]);
    folder = argv[2];
    string what = argv[3];
    int gpus = argc > 4 ? atoi(argv[4]) : ranks;
    bool gpu = getenv("SOFTWARE_CUDA_DEVICES") == nullptr;
    if (what == "times") room = 64 << 20;
    else if (gpu) room = 16 << 20;
    shared = (Shared *)mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    double begin = now();
    for (int rank = 0; rank < ranks; rank++) {
        if (fork() == 0) {
            start(rank, gpus);
            if (what == "check") check_all(gpu);
            else if (what == "types") check_types(gpu);
            else if (what == "lost") check_lost();
            else time_all();
            together();
            fflush(stdout);
            _exit(wrong != 0);
        }
    }
    int failures = 0, status;
    while (wait(&status) > 0) failures += status != 0;
    printf("%s on %d ranks: %s, %.1f s\n", what.c_str(), ranks, failures ? "WRONG" : "right", (now() - begin) / 1e6);
    return failures != 0;
}
