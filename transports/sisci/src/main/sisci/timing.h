// Mode timed: how long operations take. Times are ns of the monotonic clock, which all processes share.
#ifndef BRIGADE_SISCI_TIMING_H
#define BRIGADE_SISCI_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {COST_FLUSH, COST_CHECK, COST_INTERRUPT, COST_DATA_INTERRUPT} Cost;

bool timing_read(void);     // BRIGADE_SISCI_TIMING; false, and a complaint, if malformed
uint64_t time_now(void);

// The deadline of a timeout in milliseconds, which may be SCI_INFINITE_TIMEOUT.
uint64_t time_deadline(unsigned milliseconds);

// Waits until then: sleeps for most of it, as the kernel's timer is some 60 us late, then spins.
void time_reach(uint64_t then);

// Without mode timed, the following cost nothing: they return at once, or now.
// Until so long after a call began.
void timing_spend(Cost cost, uint64_t begin);

// When a DMA of these bytes between two nodes completes that starts now. It takes its part of both links.
uint64_t timing_dma(unsigned from, unsigned to, size_t bytes, bool read);

// When a copy by the CPU completes that begins now; receivers: nodes that it goes to.
uint64_t timing_copy(unsigned from, unsigned to, size_t bytes, bool read, unsigned receivers);

#endif
