// Modules and launches. The image of a module is only looked at for being one: its kernels are those of the shared objects in kernels/ beside this library.
#include "driver.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

struct Function {
    const Kernel* kernel;
    struct Module* module;
    int dynamicShared = 49152;
};

static const size_t MODULE_BYTES = 2 << 20; // that a module takes on its device, as on an H200

struct Module {
    Context* context;
    std::map<std::string, Function*> functions;
};

static std::map<std::string, const Kernel*>& kernels = *new std::map<std::string, const Kernel*>;
static std::vector<void*>& libraries = *new std::vector<void*>;
static std::set<Module*>& modules = *new std::set<Module*>;
static std::set<Function*>& functions = *new std::set<Function*>;
static std::atomic<long> launches(0);

// For tests: how many kernels this process has launched.
extern "C" __attribute__((visibility("default"))) long software_launches() {
    return launches;
}

extern "C" __attribute__((visibility("default"))) void software_register(const char* name, void (*run)(void* const*), const size_t* sizes, int parameters,
    const void* library) {
    kernels[name] = new Kernel{name, run, sizes, parameters, library};
}

// Opens all shared objects in kernels/, once. Lock held.
static void loadKernels() {
    static bool loaded = false;
    Dl_info self;
    if (loaded || dladdr((void*) loadKernels, &self) == 0) {
        return;
    }
    loaded = true;
    std::string folder = self.dli_fname;
    folder = folder.substr(0, folder.rfind('/') + 1) + "kernels";
    DIR* directory = opendir(folder.c_str());
    if (directory == nullptr) {
        return;
    }
    while (dirent* entry = readdir(directory)) {
        std::string name = entry->d_name;
        if (name.size() > 3 && name.compare(name.size() - 3, 3, ".so") == 0) {
            void* library = dlopen((folder + "/" + name).c_str(), RTLD_NOW | RTLD_LOCAL);
            if (library == nullptr) {
                fprintf(stderr, "software CUDA: %s\n", dlerror());
            } else {
                libraries.push_back(library);
            }
        }
    }
    closedir(directory);
}

// A fatbin, an ELF file or text that is PTX.
static bool isImage(const void* image) {
    unsigned magic;
    memcpy(&magic, image, 4);
    if (magic == 0xba55ed50 || magic == 0x466243b1 || memcmp(image, "\177ELF", 4) == 0) {
        return true;
    }
    const char* text = (const char*) image;
    return strnlen(text, 1 << 16) > 8 && strstr(text, ".version") != nullptr;
}

DRIVER cuModuleLoadDataEx(Module** module, const void* image, unsigned, const int*, void**) {
    Lock lock(state);
    Context* context;
    Result result = currentHeld(&context);
    if (result != SUCCESS) {
        return result;
    }
    if (image == nullptr) {
        return INVALID_VALUE;
    }
    if (!isImage(image)) {
        return INVALID_IMAGE;
    }
    countStop();
    result = take(context->device, MODULE_BYTES);
    if (result != SUCCESS) {
        return result;
    }
    loadKernels();
    *module = new Module{context, {}};
    modules.insert(*module);
    return SUCCESS;
}

DRIVER cuModuleLoadData(Module** module, const void* image) {
    return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}

DRIVER cuModuleLoadFatBinary(Module** module, const void* image) {
    return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}

DRIVER cuModuleLoad(Module** module, const char* file) {
    static const char ptx[] = ".version 6.4 .target sm_75";
    return access(file, R_OK) != 0 ? FILE_NOT_FOUND : cuModuleLoadDataEx(module, ptx, 0, nullptr, nullptr);
}

DRIVER cuModuleUnload(Module* module) {
    Lock lock(state);
    if (modules.count(module) == 0) {
        return INVALID_HANDLE;
    }
    drain(lock, module->context);
    for (auto& entry : module->functions) {
        functions.erase(entry.second);
        delete entry.second;
    }
    giveBack(module->context->device, MODULE_BYTES);
    modules.erase(module);
    delete module;
    return SUCCESS;
}

DRIVER cuModuleGetFunction(Function** function, Module* module, const char* name) {
    Lock lock(state);
    if (modules.count(module) == 0) {
        return INVALID_HANDLE;
    }
    auto kernel = kernels.find(name);
    if (kernel == kernels.end()) {
        return NOT_FOUND;
    }
    Function*& found = module->functions[name];
    if (found == nullptr) {
        found = new Function{kernel->second, module};
        functions.insert(found);
    }
    *function = found;
    return SUCCESS;
}

// The variable lies in the library; it is entered as device memory at its first use, for copies.
DRIVER cuModuleGetGlobal_v2(Address* address, size_t* bytes, Module* module, const char* name) {
    Lock lock(state);
    if (modules.count(module) == 0) {
        return INVALID_HANDLE;
    }
    for (void* library : libraries) {
        void* symbol = dlsym(library, name);
        Dl_info info;
        const ElfW(Sym)* entry;
        if (symbol != nullptr && dladdr1(symbol, &info, (void**) &entry, RTLD_DL_SYMENT) != 0 && entry != nullptr) {
            if (find((Address) symbol) == nullptr) {
                enter((Address) symbol, entry->st_size, POOL, module->context, nullptr, nullptr);
            }
            if (address != nullptr) {
                *address = (Address) symbol;
            }
            if (bytes != nullptr) {
                *bytes = entry->st_size;
            }
            return SUCCESS;
        }
    }
    return NOT_FOUND;
}

DRIVER cuModuleGetLoadingMode(int* mode) {
    const char* wish = getenv("CUDA_MODULE_LOADING");
    *mode = wish != nullptr && strcmp(wish, "EAGER") == 0 ? 1 : 2; // lazy
    return SUCCESS;
}

DRIVER cuFuncGetModule(Module** module, Function* function) {
    Lock lock(state);
    if (functions.count(function) == 0) {
        return INVALID_HANDLE;
    }
    *module = function->module;
    return SUCCESS;
}

DRIVER cuFuncGetAttribute(int* value, int attribute, Function* function) {
    Lock lock(state);
    if (functions.count(function) == 0) {
        return INVALID_HANDLE;
    }
    switch (attribute) {
        case 0: *value = 1024; return SUCCESS;                      // threads of a block
        case 4: *value = 32; return SUCCESS;                        // registers
        case 5: case 6: *value = 90; return SUCCESS;                // versions
        case 8: *value = function->dynamicShared; return SUCCESS;
        default: *value = 0; return attribute < 0 || attribute > 15 ? INVALID_VALUE : SUCCESS;
    }
}

DRIVER cuFuncSetAttribute(Function* function, int attribute, int value) {
    Lock lock(state);
    if (functions.count(function) == 0) {
        return INVALID_HANDLE;
    }
    if (attribute == 8 && value >= 0 && value <= 232448) {
        function->dynamicShared = value;
        return SUCCESS;
    }
    return attribute == 9 ? SUCCESS : INVALID_VALUE;
}

DRIVER cuFuncSetCacheConfig(Function*, int) {
    return SUCCESS;
}

static void clamp(Launch& launch) {
    if (strncmp(launch.kernel->name, "brigade_", 8) == 0) {
        unsigned most = (unsigned) setting::threads();
        launch.block[0] = launch.block[0] < most ? launch.block[0] : most;
        launch.block[1] = launch.block[2] = 1;
    }
}

// An address among the arguments that lies in memory of another device of this process, which the context has not been given access to: the kernel would fault. What
// other processes lend is accessible by the way it is opened, and a pool's memory has rules of its own.
static bool reaches(const Launch& launch, const Context* context) {
    for (size_t i = 0; i + 8 <= launch.arguments->size(); i += 8) {
        Address address;
        memcpy(&address, launch.arguments->data() + i, 8);
        const Allocation* allocation = find(address);
        if (allocation != nullptr && allocation->kind == DEVICE && allocation->device != context->device && context->peers.count(allocation->context) == 0) {
            return false;
        }
    }
    return true;
}

static Result launchKernel(Function* function, const unsigned grid[3], const unsigned block[3], unsigned shared, void* handle, void** parameters, void** extra) {
    Lock lock(state);
    Stream* stream;
    Result result = streamOf(handle, &stream);
    if (result != SUCCESS) {
        return result;
    }
    if (functions.count(function) == 0) {
        return INVALID_HANDLE;
    }
    if (function->module->context != stream->context) {
        return INVALID_HANDLE;
    }
    unsigned long long threads = (unsigned long long) block[0] * block[1] * block[2], blocks = (unsigned long long) grid[0] * grid[1] * grid[2];
    if (threads == 0 || threads > 1024 || block[2] > 64 || blocks == 0 || grid[1] > 65535 || grid[2] > 65535 || shared > (unsigned) function->dynamicShared) {
        return INVALID_VALUE;
    }
    auto launch = std::make_shared<Launch>();
    launch->kernel = function->kernel;
    memcpy(launch->grid, grid, sizeof launch->grid);
    memcpy(launch->block, block, sizeof launch->block);
    launch->shared = shared;
    launch->device = stream->context->device;
    clamp(*launch);
    // The arguments are the caller's again when the call is back. Every one gets a place of its own, as aligned as any type asks for.
    launch->arguments = std::make_shared<std::vector<unsigned char>>();
    size_t bytes = 0;
    for (int i = 0; i < launch->kernel->parameters; i++) {
        launch->offsets.push_back(bytes);
        bytes += (launch->kernel->sizes[i] + 15) / 16 * 16;
    }
    launch->arguments->resize(bytes);
    if (parameters == nullptr && extra == nullptr && launch->kernel->parameters > 0) {
        return INVALID_VALUE;
    }
    if (parameters == nullptr && extra != nullptr) {
        return NOT_SUPPORTED;
    }
    for (int i = 0; i < launch->kernel->parameters; i++) {
        memcpy(launch->arguments->data() + launch->offsets[(size_t) i], parameters[i], launch->kernel->sizes[i]);
    }
    long number = ++launches;
    if (number == setting::failingLaunch()) {
        return LAUNCH_OUT_OF_RESOURCES;
    }
    launch->faulty = number == setting::faultyLaunch() || !reaches(*launch, stream->context);
    bool hangs = number == setting::hangingLaunch();
    Mark mark;
    result = submit(lock, stream, 0, [launch, hangs] {
        for (unsigned round = 0; hangs; round++) {
            pause(round);
        }
        int micros = setting::slowKernel(launch->kernel->name);
        if (micros > 0) {
            usleep((useconds_t) micros);
        }
        return execute(*launch);
    }, &mark);
    if (result == SUCCESS && number == setting::slowLaunch()) {
        waitFor(lock, mark);
    }
    return result;
}

DRIVER cuLaunchKernel(Function* function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ, unsigned shared,
    void* stream, void** parameters, void** extra) {
    unsigned grid[] = {gridX, gridY, gridZ}, block[] = {blockX, blockY, blockZ};
    return launchKernel(function, grid, block, shared, stream, parameters, extra);
}

DRIVER cuLaunchCooperativeKernel(Function* function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ, unsigned shared,
    void* stream, void** parameters) {
    unsigned grid[] = {gridX, gridY, gridZ}, block[] = {blockX, blockY, blockZ};
    if ((unsigned long long) gridX * gridY * gridZ > (unsigned) setting::multiprocessors() * 16u) {
        return 720;
    }
    return launchKernel(function, grid, block, shared, stream, parameters, nullptr);
}

// ---- occupancy: as if only threads and shared memory counted ----

DRIVER cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function*, int blockSize, size_t shared) {
    if (blockSize < 1 || blockSize > 1024) {
        return INVALID_VALUE;
    }
    int most = 2048 / ((blockSize + 31) / 32 * 32);
    int byMemory = shared == 0 ? 32 : (int) (233472 / (shared + 1024));
    *blocks = most < byMemory ? most : byMemory;
    *blocks = *blocks < 32 ? *blocks : 32;
    return SUCCESS;
}

DRIVER cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Function* function, int blockSize, size_t shared, unsigned) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, blockSize, shared);
}

DRIVER cuOccupancyMaxPotentialBlockSize(int* grid, int* block, Function*, size_t (*)(int), size_t, int limit) {
    *block = limit > 0 && limit < 1024 ? limit : 1024;
    *grid = setting::multiprocessors() * (2048 / *block);
    return SUCCESS;
}

DRIVER cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, Function* function, size_t (*shared)(int), size_t bytes, int limit, unsigned) {
    return cuOccupancyMaxPotentialBlockSize(grid, block, function, shared, bytes, limit);
}
