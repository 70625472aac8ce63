// Faults on demand: BRIGADE_SISCI_FAULT, described at the head of sisci.h.
#ifndef BRIGADE_SISCI_FAULTS_H
#define BRIGADE_SISCI_FAULTS_H

#include "sisci.h"

#include <stdbool.h>

bool faults_read(void);     // the environment; false, and a complaint, if malformed
void faults_apply(void);    // those whose time has come
void faults_operation(void);// counts one operation of this node, and applies those whose number has come

// What the next check of a sequence says by fault: SCI_SEQ_OK if none is due.
sci_sequence_status_t faults_sequence(void);
// What it will say, if nobody else asks before.
sci_sequence_status_t faults_next_sequence(void);

#endif
