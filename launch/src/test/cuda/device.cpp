// Devices: how many, what they are and what they can.
#include "driver.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

bool initialized = false;

static std::vector<int>& visible() {
    static std::vector<int>& devices = *new std::vector<int>;
    static bool looked = false;
    if (!looked) {
        looked = true;
        const char* text = getenv("CUDA_VISIBLE_DEVICES");
        if (text == nullptr) {
            for (int i = 0; i < setting::devices(); i++) {
                devices.push_back(i);
            }
        } else {
            // As the driver does: the list ends at the first entry that is no device.
            while (*text >= '0' && *text <= '9') {
                char* end;
                long device = strtol(text, &end, 10);
                if (device >= setting::devices()) {
                    break;
                }
                devices.push_back((int) device);
                text = *end == ',' ? end + 1 : end;
            }
        }
    }
    return devices;
}

int visibleDevices() {
    return (int) visible().size();
}

int physical(int device) {
    return visible()[device];
}

bool peersPossible(int device, int other) {
    return device != other && !setting::refusePeers(physical(device), physical(other));
}

static Result check(int device) {
    return !initialized ? NOT_INITIALIZED : device < 0 || device >= visibleDevices() ? INVALID_DEVICE : SUCCESS;
}

DRIVER cuInit(unsigned flags) {
    if (flags != 0) {
        return INVALID_VALUE;
    }
    if (visibleDevices() == 0) {
        return NO_DEVICE;
    }
    initialized = true;
    return SUCCESS;
}

DRIVER cuDriverGetVersion(int* version) {
    *version = 13000;
    return SUCCESS;
}

DRIVER cuDeviceGetCount(int* count) {
    if (!initialized) {
        return NOT_INITIALIZED;
    }
    *count = visibleDevices();
    return SUCCESS;
}

DRIVER cuDeviceGet(int* device, int ordinal) {
    *device = ordinal;
    return check(ordinal);
}

DRIVER cuDeviceGetName(char* name, int length, int device) {
    if (length > 0) {
        snprintf(name, (size_t) length, "Software CUDA device");
    }
    return check(device);
}

DRIVER cuDeviceGetUuid(unsigned char* uuid, int device) {
    Result result = check(device);
    if (result == SUCCESS) {
        memset(uuid, 0x5c, 16);
        uuid[15] = (unsigned char) physical(device);
    }
    return result;
}

DRIVER cuDeviceTotalMem_v2(size_t* bytes, int device) {
    *bytes = setting::memory();
    return check(device);
}

DRIVER cuDeviceComputeCapability(int* major, int* minor, int device) {
    *major = 9;
    *minor = 0;
    return check(device);
}

DRIVER cuDeviceGetPCIBusId(char* text, int length, int device) {
    Result result = check(device);
    if (result == SUCCESS && snprintf(text, (size_t) length, "0000:%02X:00.0", 0x10 + physical(device)) >= length) {
        return INVALID_VALUE;
    }
    return result;
}

DRIVER cuDeviceGetByPCIBusId(int* device, const char* text) {
    unsigned domain = 0, bus = 0;
    if (!initialized) {
        return NOT_INITIALIZED;
    }
    if (sscanf(text, "%x:%x:", &domain, &bus) == 2) {
        for (int i = 0; i < visibleDevices(); i++) {
            if (domain == 0 && (int) bus == 0x10 + physical(i)) {
                *device = i;
                return SUCCESS;
            }
        }
    }
    return INVALID_DEVICE;
}

DRIVER cuDeviceGetAttribute(int* value, int attribute, int device) {
    Result result = check(device);
    if (result != SUCCESS) {
        return result;
    }
    switch (attribute) {
        case 1: case 2: case 3: *value = 1024; break;            // threads of a block, and its x and y
        case 4: *value = 64; break;
        case 5: *value = 2147483647; break;                      // grid
        case 6: case 7: *value = 65535; break;
        case 8: *value = 49152; break;                           // shared memory of a block
        case 9: *value = 65536; break;
        case 10: *value = 32; break;                             // warp
        case 12: case 82: *value = 65536; break;                 // registers
        case 13: *value = 1980000; break;                        // kHz
        case 16: *value = setting::multiprocessors(); break;
        case 33: *value = 0x10 + physical(device); break;        // PCI bus
        case 36: *value = 3201000; break;
        case 37: *value = 6144; break;
        case 38: *value = 60 << 20; break;                       // second-level cache
        case 39: *value = 2048; break;                           // threads of a multiprocessor
        case 40: *value = 3; break;                              // copy engines
        case 75: *value = 9; break;                              // compute capability
        case 81: *value = 233472; break;
        case 97: *value = 232448; break;                         // shared memory that a kernel may opt into
        case 106: *value = 32; break;
        case 15: case 19: case 31: case 32: case 41: case 78: case 79: case 80: case 83: case 89: case 90: case 91: case 92: case 93: case 94: case 95: case 98:
        case 99: case 115: *value = 1; break;
        default: *value = attribute < 1 || attribute > 200 ? -1 : 0; // PCI device and domain, virtual memory management, multicast, ...
    }
    return *value < 0 ? INVALID_VALUE : SUCCESS;
}

DRIVER cuDeviceCanAccessPeer(int* can, int device, int other) {
    Result result = check(device) != SUCCESS ? check(device) : check(other);
    if (result == SUCCESS) {
        *can = peersPossible(device, other);
    }
    return result;
}

DRIVER cuDeviceGetP2PAttribute(int* value, int attribute, int device, int other) {
    Result result = check(device) != SUCCESS ? check(device) : check(other);
    if (result != SUCCESS) {
        return result;
    }
    if (device == other) {
        return INVALID_DEVICE;
    }
    if (attribute < 1 || attribute > 4) {
        return INVALID_VALUE;
    }
    *value = attribute == 1 ? 0 : peersPossible(device, other);
    return SUCCESS;
}
