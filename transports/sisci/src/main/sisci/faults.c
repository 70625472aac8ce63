#define _GNU_SOURCE
#include "faults.h"

#include "fabric.h"
#include "settings.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {FAULTS = 16};

typedef enum {BROKEN_IOMMU, BROKEN_ADDRESSES, ATTACH_REFUSED, ATTACH_SILENT, LINK_DOWN, LINK_UP, PEER_GONE,
    SEQUENCE} Kind;

typedef struct {
    Kind kind;
    unsigned node;                  // 0: all
    uint64_t after;                 // ns after its node came
    uint64_t nth;                   // or at this operation, if not 0
    sci_sequence_status_t status;
} Fault;

static const struct {const char *text; Kind kind; sci_sequence_status_t status;} NAMES[] = {
    {"iommu=broken", BROKEN_IOMMU, 0}, {"address=broken", BROKEN_ADDRESSES, 0}, {"attach=refused", ATTACH_REFUSED, 0},
    {"attach=silent", ATTACH_SILENT, 0},
    {"link=down", LINK_DOWN, 0}, {"link=up", LINK_UP, 0}, {"peer=lost", PEER_GONE, 0},
    {"sequence=retriable", SEQUENCE, SCI_SEQ_RETRIABLE}, {"sequence=pending", SEQUENCE, SCI_SEQ_PENDING}
};
static const char CURE[] = 
    "a list of iommu=broken[@NODE], address=broken[@NODE], attach=refused[@NODE], attach=silent[@NODE], "
    "link=down@NODE[WHEN], link=up@NODE[WHEN], peer=lost@NODE[WHEN], "
    "sequence=retriable@N, sequence=pending@N; "
    "NODE is 4, 8, 12 ... 248, WHEN +SECONDS or #OPERATION";

static Fault faults[FAULTS];
static unsigned count;
static _Atomic uint64_t checks;

// A fault's text; false if it is not one.
static bool parse(const char *text, Fault *fault) {
    size_t name = strcspn(text, "@+#");
    for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (strlen(NAMES[i].text) != name || strncmp(NAMES[i].text, text, name) != 0) {
            continue;
        }
        *fault = (Fault){.kind = NAMES[i].kind, .status = NAMES[i].status};
        char *end = (char *)text + name;
        if (*end == '@') {
            unsigned long number = strtoul(end + 1, &end, 10);
            if (fault->kind == SEQUENCE) {
                fault->nth = number;
                return *end == 0 && number > 0;
            }
            if (fabric_node((unsigned)number) == NULL) {
                return false;
            }
            fault->node = (unsigned)number;
        }
        if (*end == '+') {
            fault->after = (uint64_t)(strtod(end + 1, &end) * 1e9);
        } else if (*end == '#') {
            fault->nth = strtoul(end + 1, &end, 10);
        }
        return *end == 0 && fault->kind != SEQUENCE;
    }
    return false;
}

bool faults_read(void) {
    const char *list = getenv("BRIGADE_SISCI_FAULT");
    char text[64];
    count = 0;
    checks = 0;
    while (list != NULL && settings_entry(&list, text, sizeof text)) {
        if (count == FAULTS || !parse(text, &faults[count])) {
            settings_complain("BRIGADE_SISCI_FAULT", text, count == FAULTS ? "16 faults at most" : CURE);
            return false;
        }
        count++;
    }
    return true;
}

static void happen(const Fault *fault, Node *node) {
    switch (fault->kind) {
        case BROKEN_IOMMU: node->brokenIommu = 1; break;
        case ATTACH_REFUSED: node->refusesAttached = 1; break;
        case ATTACH_SILENT: node->losesAttached = 1; break;
        case BROKEN_ADDRESSES: node->brokenAddresses = 1; break;
        case LINK_DOWN:
            if (!node->down) {
                node->episodes++;
                node->down = 1;
            }
            break;
        case LINK_UP: node->down = 0; break;
        case PEER_GONE: node->lost = 1; break;
        case SEQUENCE: break;
    }
}

// A node's faults happen by its own processes, once.
static void apply(uint64_t operations) {
    Node *node = fabric_node(settings.node);
    for (unsigned i = 0; i < count; i++) {
        const Fault *fault = &faults[i];
        if (fault->kind == SEQUENCE || (fault->node != 0 && fault->node != settings.node)
            || (node->happened & 1u << i) != 0) {
            continue;
        }
        bool due = fault->nth != 0 ? operations >= fault->nth : time_now() >= node->joined + fault->after;
        if (due && (atomic_fetch_or(&node->happened, 1u << i) & 1u << i) == 0) {
            happen(fault, node);
        }
    }
}

void faults_apply(void) {
    if (count > 0) {
        apply(fabric_node(settings.node)->operations);
    }
}

void faults_operation(void) {
    if (count > 0) {
        apply(++fabric_node(settings.node)->operations);
    }
}

static sci_sequence_status_t sequence_at(uint64_t number) {
    sci_sequence_status_t status = SCI_SEQ_OK;
    for (unsigned i = 0; i < count; i++) {
        if (faults[i].kind == SEQUENCE && number % faults[i].nth == 0) {
            status = faults[i].status;
        }
    }
    return status;
}

sci_sequence_status_t faults_sequence(void) {
    return count > 0 ? sequence_at(++checks) : SCI_SEQ_OK;
}

sci_sequence_status_t faults_next_sequence(void) {
    return count > 0 ? sequence_at(checks + 1) : SCI_SEQ_OK;
}

int brigade_sisci_fault(const char *text) {
    Fault fault;
    if (fabric == NULL || !parse(text, &fault) || fault.kind == SEQUENCE) {
        return -1;
    }
    happen(&fault, fabric_node(fault.node == 0 ? settings.node : fault.node));
    return 0;
}
