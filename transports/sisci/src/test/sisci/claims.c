#define _GNU_SOURCE
#include "claims.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {CHILDREN = 64, MEETING = 500, LIMIT_S = 120};

_Thread_local sci_error_t error;
_Atomic uint64_t *board;
static struct Claim *claims;
static pid_t children[CHILDREN];
static unsigned count;
static pid_t mortal;
static const char *title;
static char path[128];

void claim_add(struct Claim *claim) {
    claim->next = claims;
    claims = claim;
}

static void where(const char *file, int line) {
    const char *name = strrchr(file, '/');
    fprintf(stderr, "%s, node %s: %s:%d: ", title, getenv("BRIGADE_SISCI_NODE"), name == NULL ? file : name + 1, line);
}

void failed(const char *file, int line, const char *what) {
    where(file, line);
    fprintf(stderr, "not so: %s\n", what);
    _exit(1);
}

void same(const char *file, int line, const char *what, uint64_t expected, uint64_t found) {
    if (expected != found) {
        where(file, line);
        fprintf(stderr, "%s is %#lx, not %#lx\n", what, (unsigned long)found, (unsigned long)expected);
        _exit(1);
    }
}

void passed(const char *file, int line, const char *what, sci_error_t expected, sci_error_t found) {
    if (expected != found) {
        where(file, line);
        fprintf(stderr, "%s says %s, not %s\n", what, SCIGetErrorString(found), SCIGetErrorString(expected));
        _exit(1);
    }
}

void set(const char *variable, const char *value) {
    setenv(variable, value, 1);
}

/* Seconds for which a node may run; CLAIMS_LIMIT is another number of them. */
static unsigned limit(void) {
    const char *wanted = getenv("CLAIMS_LIMIT");
    return wanted == NULL ? LIMIT_S : (unsigned)atoi(wanted);
}

static pid_t start(unsigned id, Body body, bool library) {
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        char text[16];
        snprintf(text, sizeof text, "%u", id);
        set("BRIGADE_SISCI_NODE", text);
        alarm(limit());
        if (library) {
            OK(SCIInitialize(0, &error));
        }
        body();
        if (library) {
            SCITerminate();
        }
        exit(0);
    }
    children[count++] = process;
    return process;
}

pid_t node(unsigned id, Body body) {
    return start(id, body, true);
}

pid_t bare_node(unsigned id, Body body) {
    return start(id, body, false);
}

static bool forget(pid_t process) {
    for (unsigned i = 0; i < count; i++) {
        if (children[i] == process) {
            children[i] = children[--count];
            return true;
        }
    }
    return false;
}

void kill_node(pid_t process) {
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
    forget(process);
}

void may_die(pid_t process) {
    mortal = process;
}

void await_node(pid_t process) {
    int status;
    waitpid(process, &status, 0);
    forget(process);
    CHECK(status == 0);
}

void meet(unsigned number) {
    uint64_t turn = board[MEETING + 1];
    if (++board[MEETING] == number) {
        board[MEETING] = 0;
        board[MEETING + 1]++;
    } else {
        wait_until(&board[MEETING + 1], turn + 1);
    }
}

void wait_until(_Atomic uint64_t *place, uint64_t value) {
    for (unsigned round = 0; *place != value; round++) {
        if (round < 2000) {
            sched_yield();
        } else {
            usleep(20); // somebody else needs the processor
        }
    }
}

void rest(unsigned milliseconds) {
    usleep(milliseconds * 1000);
}

uint64_t ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool soon(bool (*condition)(void)) {
    for (unsigned i = 0; i < 5000; i++) {
        if (condition()) {
            return true;
        }
        rest(1);
    }
    return false;
}

sci_desc_t opened(void) {
    sci_desc_t sd;
    OK(SCIOpen(&sd, 0, &error));
    return sd;
}

sci_local_segment_t made(unsigned id, size_t size, void **memory) {
    sci_local_segment_t segment;
    sci_map_t map;
    OK(SCICreateSegment(opened(), &segment, id, size, NULL, NULL, 0, &error));
    OK(*memory = SCIMapLocalSegment(segment, &map, 0, size, NULL, 0, &error));
    OK(SCIPrepareSegment(segment, 0, 0, &error));
    OK(SCISetSegmentAvailable(segment, 0, 0, &error));
    return segment;
}

sci_remote_segment_t connected(unsigned id, unsigned segmentId, sci_map_t *map, Word **memory) {
    sci_remote_segment_t segment;
    sci_desc_t sd = opened();
    do {
        SCIConnectSegment(sd, &segment, id, segmentId, 0, NULL, NULL, CONSTANT(SCI_INFINITE_TIMEOUT), 0, &error);
        rest(1);
    } while (error == SCI_ERR_NO_SUCH_SEGMENT || error == SCI_ERR_CONNECTION_REFUSED);
    passed(__FILE__, __LINE__, "SCIConnectSegment", SCI_ERR_OK, error);
    if (map != NULL) {
        OK(*memory = (Word *)SCIMapRemoteSegment(segment, map, 0, SCIGetRemoteSegmentSize(segment), NULL, 0, &error));
    }
    return segment;
}

void disconnected(sci_remote_segment_t segment, sci_map_t map) {
    if (map != NULL) {
        OK(SCIUnmapSegment(map, 0, &error));
    }
    OK(SCIDisconnectSegment(segment, 0, &error));
}

// All nodes end well, and soon; then nothing is left in shared memory.
static int finish(void) {
    int result = 0, status;
    while (count > 0) {
        pid_t process = waitpid(-1, &status, 0);
        if (forget(process) && status != 0 && process != mortal) {
            fprintf(stderr, "%s: a node ended with %s %d\n", title, WIFSIGNALED(status) ? "signal" : "status",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
            result = 1;
            for (unsigned other = 0; other < count; other++) {
                kill(children[other], SIGKILL); // they would wait for it
            }
        }
    }
    if (access(path, F_OK) == 0 && result == 0) {
        fprintf(stderr, "%s: %s is left\n", title, path);
        result = 1;
    }
    unlink(path);
    return result;
}

int main(int arguments, char **argument) {
    for (struct Claim *claim = claims; claim != NULL; claim = claim->next) {
        if (arguments == 1) {
            puts(claim->name);
        } else if (strcmp(claim->name, argument[1]) == 0) {
            char fabric[64];
            title = claim->name;
            snprintf(fabric, sizeof fabric, "claim-%d", (int)getpid());
            snprintf(path, sizeof path, "/dev/shm/brigade-sisci-%s", fabric);
            set("BRIGADE_SISCI_FABRIC", fabric);
            board = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
            claim->body();
            return finish();
        }
    }
    return arguments == 1 ? 0 : (fprintf(stderr, "no such claim: %s\n", argument[1]), 2);
}
