// Interrupts, plain and with data.
#include "claims.h"

#include <string.h>

enum {NUMBER};

static void tell(unsigned place, unsigned number) {
    board[place] = number + 1;
}

static unsigned told(unsigned place) {
    while (board[place] == 0) {
        rest(1);
    }
    return (unsigned)board[place] - 1;
}

static sci_local_data_interrupt_t waiting(unsigned place) {
    sci_local_data_interrupt_t interrupt;
    unsigned number;
    OK(SCICreateDataInterrupt(opened(), &interrupt, 0, &number, NULL, NULL, 0, &error));
    tell(place, number);
    return interrupt;
}

static sci_remote_data_interrupt_t reaching(unsigned id, unsigned place) {
    sci_remote_data_interrupt_t remote;
    OK(SCIConnectDataInterrupt(opened(), &remote, id, 0, told(place), CONSTANT(SCI_INFINITE_TIMEOUT), 0, &error));
    return remote;
}

static void receives_two(void) {
    sci_local_data_interrupt_t interrupt = waiting(NUMBER);
    char text[64];
    for (unsigned i = 0; i < 2; i++) {
        unsigned length = sizeof text;
        OK(SCIWaitForDataInterrupt(interrupt, text, &length, 5000, 0, &error));
        SAME(i == 0 ? 5 : 50, length);
        SAME(i == 0 ? 'h' : 'x', text[0]);
    }
    unsigned length = sizeof text;
    GIVES(TIMEOUT, SCIWaitForDataInterrupt(interrupt, text, &length, 10, 0, &error));
    meet(2);
    OK(SCIRemoveDataInterrupt(interrupt, 0, &error));
}

static void sends_two(void) {
    char text[50];
    sci_remote_data_interrupt_t remote = reaching(8, NUMBER);
    OK(SCITriggerDataInterrupt(remote, "hello", 5, 0, &error));
    memset(text, 'x', sizeof text);
    OK(SCITriggerDataInterrupt(remote, text, sizeof text, 0, &error));
    meet(2);
    OK(SCIDisconnectDataInterrupt(remote, 0, &error));
}

CLAIM(messages_of_data_interrupts_arrive_in_order_and_whole) {
    node(8, receives_two);
    node(4, sends_two);
}

static void flooded(void) {
    sci_local_data_interrupt_t interrupt = waiting(NUMBER);
    uint64_t text;
    meet(2);
    for (unsigned i = 0; i < board[1]; i++) {
        unsigned length = sizeof text;
        OK(SCIWaitForDataInterrupt(interrupt, &text, &length, 5000, 0, &error));
        SAME(i, text);
    }
    meet(2);
    unsigned length = sizeof text;
    OK(SCIWaitForDataInterrupt(interrupt, &text, &length, 5000, 0, &error));
    SAME(77, text);
}

static void floods(void) {
    sci_remote_data_interrupt_t remote = reaching(8, NUMBER);
    uint64_t i = 0;
    for (;; i++) {
        error = SCI_ERR_OK;
        SCITriggerDataInterrupt(remote, &i, sizeof i, 0, &error);
        if (error != SCI_ERR_OK) {
            break;
        }
        CHECK(i < 10000);
    }
    SAME(SCI_ERR_NOSPC, error);
    board[1] = i;
    meet(2);
    meet(2);
    i = 77;
    OK(SCITriggerDataInterrupt(remote, &i, sizeof i, 0, &error));
}

CLAIM(a_flood_of_data_interrupts_ends_in_NOSPC_and_loses_none) {
    node(8, flooded);
    node(4, floods);
}

static void small_room(void) {
    sci_local_data_interrupt_t interrupt = waiting(NUMBER);
    char text[8];
    unsigned length = 4;
    GIVES(OVERFLOW, SCIWaitForDataInterrupt(interrupt, text, &length, 5000, 0, &error));
    SAME(8, length);
    OK(SCIWaitForDataInterrupt(interrupt, text, &length, 5000, 0, &error));
    SAME('b', text[1]);
    meet(2);
}

static void sends_eight(void) {
    OK(SCITriggerDataInterrupt(reaching(8, NUMBER), "abcdefgh", 8, 0, &error));
    meet(2);
}

CLAIM(a_message_that_does_not_fit_stays) {
    node(8, small_room);
    node(4, sends_eight);
}

static void plain(unsigned flags, unsigned expected) {
    sci_local_interrupt_t interrupt;
    unsigned number;
    OK(SCICreateInterrupt(opened(), &interrupt, 0, &number, NULL, NULL, flags, &error));
    tell(NUMBER, number);
    meet(2);
    for (unsigned i = 0; i < expected; i++) {
        OK(SCIWaitForInterrupt(interrupt, 1000, 0, &error));
    }
    GIVES(TIMEOUT, SCIWaitForInterrupt(interrupt, 10, 0, &error));
    OK(SCIRemoveInterrupt(interrupt, 0, &error));
}

static void merging(void) {
    plain(0, 1);
}

static void counting(void) {
    plain(FLAG(COUNTING_INT), 3);
}

static void triggers_three(void) {
    sci_remote_interrupt_t remote;
    OK(SCIConnectInterrupt(opened(), &remote, 8, 0, told(NUMBER), 0, 0, &error));
    for (unsigned i = 0; i < 3; i++) {
        OK(SCITriggerInterrupt(remote, 0, &error));
    }
    meet(2);
    OK(SCIDisconnectInterrupt(remote, 0, &error));
}

CLAIM(plain_interrupts_merge) {
    node(8, merging);
    node(4, triggers_three);
}

CLAIM(counting_interrupts_do_not_merge) {
    node(8, counting);
    node(4, triggers_three);
}

static _Atomic uint64_t called, sum;

static sci_callback_action_t on_data(void *arg, sci_local_data_interrupt_t interrupt, void *data, unsigned length,
    sci_error_t failure) {
    CHECK(arg == &called && interrupt != NULL && failure == SCI_ERR_OK && length == 8);
    uint64_t value;
    memcpy(&value, data, 8);
    sum += value;
    return ++called == 3 ? SCI_CALLBACK_CANCEL : SCI_CALLBACK_CONTINUE;
}

static bool called_thrice(void) {
    return called == 3;
}

static void called_back(void) {
    sci_local_data_interrupt_t interrupt;
    unsigned number;
    GIVES(ILLEGAL_PARAMETER, SCICreateDataInterrupt(opened(), &interrupt, 0, &number, NULL, NULL, FLAG(USE_CALLBACK),
            &error));
    OK(SCICreateDataInterrupt(opened(), &interrupt, 0, &number, on_data, (void *)&called, FLAG(USE_CALLBACK), &error));
    tell(NUMBER, number);
    CHECK(soon(called_thrice));
    meet(2);
    meet(2);
    rest(50);
    SAME(3, called);
    SAME(0 + 1 + 2, sum);
    OK(SCIRemoveDataInterrupt(interrupt, 0, &error));
}

static void calls(void) {
    sci_remote_data_interrupt_t remote = reaching(8, NUMBER);
    for (uint64_t i = 0; i < 3; i++) {
        OK(SCITriggerDataInterrupt(remote, &i, 8, 0, &error));
    }
    meet(2);
    OK(SCITriggerDataInterrupt(remote, (uint64_t[]){100}, 8, 0, &error));
    meet(2);
}

CLAIM(a_data_interrupts_callback_gets_all_messages_until_it_cancels) {
    node(8, called_back);
    node(4, calls);
}

static sci_callback_action_t on_interrupt(void *arg, sci_local_interrupt_t interrupt, sci_error_t failure) {
    (void)arg;
    CHECK(failure == SCI_ERR_OK);
    GIVES(BUSY, SCIRemoveInterrupt(interrupt, 0, &error));
    called = 3;
    return SCI_CALLBACK_CONTINUE;
}

static void called_plainly(void) {
    sci_local_interrupt_t interrupt;
    unsigned number;
    OK(SCICreateInterrupt(opened(), &interrupt, 0, &number, on_interrupt, NULL, FLAG(USE_CALLBACK), &error));
    GIVES(ILLEGAL_OPERATION, SCIWaitForInterrupt(interrupt, 0, 0, &error));
    tell(NUMBER, number);
    CHECK(soon(called_thrice));
    meet(2); // the other has triggered for the last time
    OK(SCIRemoveInterrupt(interrupt, 0, &error));
}

CLAIM(a_callback_cannot_remove_its_own_interrupt) {
    node(8, called_plainly);
    node(4, triggers_three);
}

static void numbers(void) {
    sci_local_interrupt_t first, second;
    sci_remote_interrupt_t remote;
    unsigned number = 5, other = 5;
    OK(SCICreateInterrupt(opened(), &first, 0, &number, NULL, NULL, FLAG(FIXED_INTNO), &error));
    SAME(5, number);
    GIVES(NOSPC, SCICreateInterrupt(opened(), &second, 0, &other, NULL, NULL, FLAG(FIXED_INTNO), &error));
    OK(SCICreateInterrupt(opened(), &second, 0, &other, NULL, NULL, 0, &error));
    CHECK(other != 5);
    GIVES(NO_SUCH_SEGMENT, SCIConnectInterrupt(opened(), &remote, 8, 0, 99, 0, 0, &error));
    GIVES(NO_SUCH_SEGMENT, SCIConnectDataInterrupt(opened(), &remote, 4, 0, 5, 0, 0, &error));
    OK(SCIConnectInterrupt(opened(), &remote, 4, 0, 5, 0, 0, &error));
    OK(SCIRemoveInterrupt(first, 0, &error));
    GIVES(NOT_CONNECTED, SCITriggerInterrupt(remote, 0, &error));
    OK(SCIRemoveInterrupt(second, 0, &error));
}

CLAIM(interrupt_numbers_are_chosen_or_fixed_and_mean_nothing_when_removed) {
    node(4, numbers);
}

static void sends_many(void) {
    sci_remote_data_interrupt_t remote = reaching(12, NUMBER);
    for (uint64_t i = 1; i <= 500; i++) {
        do {
            SCITriggerDataInterrupt(remote, &i, 8, 0, &error);
        } while (error == SCI_ERR_NOSPC);
        SAME(SCI_ERR_OK, error);
    }
}

static void sums(void) {
    sci_local_data_interrupt_t interrupt = waiting(NUMBER);
    uint64_t value, total = 0;
    for (unsigned i = 0; i < 1000; i++) {
        unsigned length = 8;
        OK(SCIWaitForDataInterrupt(interrupt, &value, &length, 5000, 0, &error));
        total += value;
    }
    SAME(500 * 501, total);
}

CLAIM(several_nodes_may_send_to_one_data_interrupt) {
    node(12, sums);
    node(4, sends_many);
    node(8, sends_many);
}
