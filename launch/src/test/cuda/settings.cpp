// What the environment says: the size of the machine, and the faults that a test wants.
#include "driver.h"

#include <cstdlib>
#include <cstring>

std::mutex& state = *new std::mutex;
std::condition_variable& changed = *new std::condition_variable;

static long long value(const char* name, long long otherwise) {
    const char* text = getenv(name);
    if (text == nullptr || *text == 0) {
        return otherwise;
    }
    const char* at = strchr(text, '@');
    if (at != nullptr) {
        const char* rank = getenv("BRIGADE_RANK");
        if (rank == nullptr || strcmp(rank, at + 1) != 0) {
            return otherwise;
        }
    }
    return atoll(text);
}

namespace setting {
int devices() {
    static const int number = (int) value("SOFTWARE_CUDA_DEVICES", 2);
    return number;
}

int multiprocessors() {
    static const int number = (int) value("SOFTWARE_CUDA_MULTIPROCESSORS", 4);
    return number;
}

int threads() {
    static const int number = (int) value("SOFTWARE_CUDA_THREADS", 4);
    return number;
}

size_t memory() {
    static const size_t bytes = (size_t) value("SOFTWARE_CUDA_MEMORY", 4ll << 30);
    return bytes;
}

bool refusePeers(int device, int other) {
    static const int together = (int) value("SOFTWARE_CUDA_REFUSE_PEERS", 0);
    return together == 1 || (together > 1 && device / together != other / together);
}

bool refuseIpc() {
    static const bool refuse = value("SOFTWARE_CUDA_REFUSE_IPC", 0) != 0;
    return refuse;
}

bool refuseWords() {
    static const bool refuse = value("SOFTWARE_CUDA_REFUSE_WORDS", 0) != 0;
    return refuse;
}

bool resident() {
    static const bool resident = value("SOFTWARE_CUDA_RESIDENT", 0) != 0;
    return resident;
}

bool firstCloseEnds() {
    static const bool first = value("SOFTWARE_CUDA_FIRST_CLOSE_ENDS", 0) != 0;
    return first;
}

long failingLaunch() {
    static const long number = (long) value("SOFTWARE_CUDA_FAIL_LAUNCH", 0);
    return number;
}

long faultyLaunch() {
    static const long number = (long) value("SOFTWARE_CUDA_FAULT_LAUNCH", 0);
    return number;
}

long hangingLaunch() {
    static const long number = (long) value("SOFTWARE_CUDA_HANG_LAUNCH", 0);
    return number;
}

long slowLaunch() {
    static const long number = (long) value("SOFTWARE_CUDA_SLOW_LAUNCH", 0);
    return number;
}

int slowKernel(const char* name) {
    static const int micros = (int) value("SOFTWARE_CUDA_SLOW_MICROS", 0);
    static const char* const part = getenv("SOFTWARE_CUDA_SLOW_KERNELS");
    return micros != 0 && part != nullptr && strstr(name, part) != nullptr ? micros : 0;
}

long delays() {
    static const long seed = (long) value("SOFTWARE_CUDA_DELAYS", 0);
    return seed;
}
}
