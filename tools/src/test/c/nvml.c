/* A libnvidia-ml.so.1 of two GPUs with four NVLinks: two to each other, two to a switch that is not shown.
 * The second GPU's field values fail, as with older drivers. */
#include <stdio.h>
#include <string.h>

enum { SUCCESS = 0, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3 };

struct pci_info { char legacy[16]; unsigned domain, bus, device, id, subsystem; char busId[32]; };
struct field { unsigned id, scope; long long stamp, latency; int type, result; unsigned long long value; };

static int opened;
static char gpus[2];

static int gpu(const void *device) { return device == &gpus[1]; }

int nvmlInit_v2(void) { opened++; return SUCCESS; }
int nvmlShutdown(void) { opened--; return SUCCESS; }
int nvmlDeviceGetCount_v2(unsigned *count) { *count = opened == 1 ? 2 : 0; return SUCCESS; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
    if (index > 1) return INVALID_ARGUMENT;
    *device = &gpus[index];
    return SUCCESS;
}
static void address(struct pci_info *info, const char *text) {
    strcpy(info->busId, text); strcpy(info->legacy, text + 4);
}
int nvmlDeviceGetPciInfo_v3(void *device, struct pci_info *info) {
    address(info, gpu(device) ? "00010000:1B:00.0" : "00000000:1A:00.0"); return SUCCESS;
}
int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor) {
    (void) device; *major = 9; *minor = 0; return SUCCESS;
}
int nvmlDeviceGetName(void *device, char *name, unsigned length) {
    snprintf(name, length, "Software GPU %d", gpu(device)); return SUCCESS;
}
int nvmlDeviceGetMemoryInfo(void *device, unsigned long long *info) {
    (void) device; info[0] = 150754820096ULL; return SUCCESS;
}
int nvmlDeviceGetMaxPcieLinkGeneration(void *device, unsigned *value) { (void) device; *value = 5; return SUCCESS; }
int nvmlDeviceGetMaxPcieLinkWidth(void *device, unsigned *value) { (void) device; *value = 16; return SUCCESS; }
/* nvmlDeviceGetCurrPcieLinkWidth is missing: a driver that does not know it. */
int nvmlDeviceGetNvLinkCapability(void *device, unsigned link, int capability, unsigned *value) {
    (void) device;
    if (link > 4 || capability != 0) return INVALID_ARGUMENT;
    *value = 1;
    return SUCCESS;
}
int nvmlDeviceGetNvLinkState(void *device, unsigned link, int *active) {
    *active = gpu(device) && link < 4; return SUCCESS;
}
int nvmlDeviceGetNvLinkRemotePciInfo_v2(void *device, unsigned link, struct pci_info *info) {
    address(info, link >= 2 ? "FFFFFFFF:FFFF:FF.F" : gpu(device) ? "00000000:1A:00.0" : "00010000:1B:00.0");
    return SUCCESS;
}
/* The first GPU has two, the second none. */
struct process { unsigned pid; unsigned long long memory; unsigned instance, compute; };
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, struct process *infos) {
    if (*count < 2) return INVALID_ARGUMENT;
    *count = gpu(device) ? 0 : 2;
    if (*count == 0) return SUCCESS;
    infos[0].pid = 1;
    infos[1].pid = 2147483000;
    return SUCCESS;
}
int nvmlDeviceGetFieldValues(void *device, int count, struct field *field) {
    if (gpu(device) || count != 1) return NOT_SUPPORTED;
    field->result = SUCCESS;
    switch (field->id) {
    case 165: field->value = field->scope < 4; break; /* the fifth is down */
    case 170: field->value = 10; break;
    case 171: field->value = field->scope != 3; break;
    case 172: field->value = 44712; break;
    default: field->result = NOT_SUPPORTED;
    }
    return SUCCESS;
}
