// What the tests of the software libsisci are written with. A claim is a function whose name says what is true; it
// starts nodes, which are processes, and they check. A program without arguments prints its claims; with a claim's name
// it tries that one, and says where it fails.
#pragma once

#include "sisci.h"
#include "symbols.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

typedef void (*Body)(void);

struct Claim {
    const char *name;
    Body body;
    struct Claim *next;
};
void claim_add(struct Claim *claim);

#define CLAIM(title) \
    static void title(void); \
    __attribute__((constructor)) static void title##_added(void) {static struct Claim claim = {#title, title, NULL}; \
        claim_add(&claim);} \
    static void title(void)

void failed(const char *file, int line, const char *what);
void same(const char *file, int line, const char *what, uint64_t expected, uint64_t found);
void passed(const char *file, int line, const char *what, sci_error_t expected, sci_error_t found);

#define CHECK(condition) ((condition) ? (void)0 : failed(__FILE__, __LINE__, #condition))
#define SAME(expected, found) same(__FILE__, __LINE__, #found, (uint64_t)(expected), (uint64_t)(found))
// A call whose last argument is &error, and the error that it is to leave.
#define GIVES(code, call) do {error = (sci_error_t)77; call; \
    passed(__FILE__, __LINE__, #call, SCI_ERR_##code, error);} while (0)
#define OK(call) GIVES(OK, call)

extern _Thread_local sci_error_t error;

// In the claim itself: the environment of the nodes, and the nodes. They end with the claim, and it fails if one does.
void set(const char *variable, const char *value);
pid_t node(unsigned id, Body body);     // SCIInitialize, body, SCITerminate
pid_t bare_node(unsigned id, Body body);// body alone
void kill_node(pid_t process);          // returns when it is dead
void may_die(pid_t process);            // however it ends, it is well
void await_node(pid_t process);         // until it ends, well

// In a node: waits until all `count` have come to this call.
void meet(unsigned count);
// What nodes tell one another.
extern _Atomic uint64_t *board;
void wait_until(_Atomic uint64_t *place, uint64_t value);
void rest(unsigned milliseconds);
uint64_t ns(void);
bool soon(bool (*condition)(void));     // becomes true within 5 s

// Often needed.
typedef volatile _Atomic uint64_t Word;
sci_desc_t opened(void);
sci_local_segment_t made(unsigned id, size_t size, void **memory);              // created, mapped, prepared, available
// as soon as it is available; mapped where map is not NULL
sci_remote_segment_t connected(unsigned node, unsigned id, sci_map_t *map, Word **memory);
void disconnected(sci_remote_segment_t segment, sci_map_t map);
