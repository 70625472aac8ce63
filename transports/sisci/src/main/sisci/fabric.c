// Joining and leaving a fabric, its lock, its nodes, and the end of processes.
#define _GNU_SOURCE
#include "fabric.h"

#include "settings.h"
#include "timing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FOLDER "/dev/shm"
#define PREFIX "brigade-sisci-"
static const uint64_t LAYOUT = 0x5349534349000000u + sizeof(Fabric);

Fabric *fabric;
unsigned self_slot;
static _Atomic int file = -1;

// Byte 0 of the file is locked by who joins or leaves, byte 1 + i by process i for as long as it lives. The kernel also
// drops a process' record locks when it closes any descriptor of the file: nobody else in the process should open it.
static bool lock_byte(int fd, off_t byte, short type, bool wait) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    int result;
    do {
        result = fcntl(fd, wait ? F_SETLKW : F_SETLK, &lock);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

static bool locked_by_others(int fd, off_t from, off_t bytes) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = from, .l_len = bytes};
    return fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

bool fabric_alive(unsigned process) {
    return process == self_slot || file < 0 || locked_by_others(file, 1 + process, 1);
}

// Opens the file and locks its byte 0. Between the two, the last process may have removed it: then again. -1, and
// errno, if that cannot be.
static int open_locked(const char *path, int flags) {
    for (;;) {
        struct stat there;
        int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
        if (fd < 0) {
            return -1;
        }
        if (fstat(fd, &there) != 0 || there.st_uid != geteuid() || !lock_byte(fd, 0, F_WRLCK, true)) {
            close(fd);
            errno = EACCES;
            return -1;
        }
        if (fstat(fd, &there) == 0 && there.st_nlink > 0) {
            return fd;
        }
        close(fd);
    }
}

// Removes the tables of fabrics whose processes were all killed.
static void sweep(const char *own) {
    DIR *folder = opendir(FOLDER);
    struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char path[sizeof FOLDER + NAME_MAX + 2];
        snprintf(path, sizeof path, FOLDER "/%s", entry->d_name);
        if (strncmp(entry->d_name, PREFIX, sizeof PREFIX - 1) != 0 || strcmp(path, own) == 0) {
            continue;
        }
        int fd = open_locked(path, 0);
        if (fd >= 0) {
            if (!locked_by_others(fd, 1, PROCESSES)) {
                unlink(path);
            }
            close(fd);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

static void path_of_tables(char *path, size_t room) {
    snprintf(path, room, FOLDER "/" PREFIX "%s", settings.fabric);
}

static void clear_tables(void) {
    memset((void *)fabric, 0, sizeof *fabric);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&fabric->lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    if (getrandom(&fabric->token, sizeof fabric->token, 0) != sizeof fabric->token) {
        fabric->token = time_now() ^ (uint64_t)getpid() << 32;
    }
    fabric->layout = LAYOUT;
}

uint64_t brigade_sisci_place(void) {
    struct stat pids;
    uint64_t numbering = stat("/proc/self/ns/pid", &pids) == 0 ? (uint64_t)pids.st_ino : 0;
    return fabric == NULL ? 0 : fabric->token ^ numbering * 0x9e3779b97f4a7c15u;
}

static sci_error_t take_slot(void) {
    fabric_lock();
    fabric_reap();
    for (unsigned i = 0; i < PROCESSES; i++) {
        Process *process = &fabric->processes[i];
        if (!process->used && lock_byte(file, 1 + i, F_WRLCK, false)) {
            uint64_t none = 0;
            process->node = settings.node;
            process->pid = getpid();
            process->used = 1;
            self_slot = i;
            atomic_compare_exchange_strong(&fabric_node(settings.node)->joined, &none, time_now());
            fabric_unlock();
            return SCI_ERR_OK;
        }
    }
    fabric_unlock();
    return SCI_ERR_NOSPC;
}

sci_error_t fabric_join(void) {
    char path[128];
    path_of_tables(path, sizeof path);
    sweep(path);
    self_slot = UINT_MAX;
    file = open_locked(path, O_CREAT);
    if (file < 0) {
        return errno == EACCES ? SCI_ERR_ACCESS : SCI_ERR_SYSTEM;
    }
    sci_error_t error = SCI_ERR_NOSPC;
    void *tables = MAP_FAILED;
    if (posix_fallocate(file, 0, sizeof *fabric) == 0) {
        tables = mmap(NULL, sizeof *fabric, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (tables != MAP_FAILED) {
        fabric = tables;
        if (!locked_by_others(file, 1, PROCESSES)) {
            clear_tables();
        }
        error = fabric->layout == LAYOUT ? take_slot() : SCI_ERR_INCONSISTENT_VERSIONS;
    }
    if (error != SCI_ERR_OK) {
        if (!locked_by_others(file, 1, PROCESSES)) {
            unlink(path);
        }
        if (tables != MAP_FAILED) {
            munmap(tables, sizeof *fabric);
        }
        fabric = NULL;
        close(file);
        file = -1;
        return error;
    }
    lock_byte(file, 0, F_UNLCK, false);
    return SCI_ERR_OK;
}

void fabric_leave(bool unmap) {
    char path[128];
    path_of_tables(path, sizeof path);
    lock_byte(file, 0, F_WRLCK, true);
    unsigned slot = self_slot;
    fabric_lock();
    lock_byte(file, 1 + slot, F_UNLCK, false);
    fabric->processes[slot].used = 2; // no longer alive, though its lock byte is our own and would not show
    fabric_reap();
    fabric_unlock();
    if (!locked_by_others(file, 1, PROCESSES)) {
        unlink(path);
    }
    if (unmap) {
        munmap(fabric, sizeof *fabric);
        fabric = NULL;
    }
    int closed = file;
    file = -1;
    close(closed);
}

void fabric_lock(void) {
    if (pthread_mutex_lock(&fabric->lock) == EOWNERDEAD) {
        pthread_mutex_consistent(&fabric->lock);
    }
}

void fabric_unlock(void) {
    pthread_mutex_unlock(&fabric->lock);
}

static void reap(unsigned dead) {
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        Connection *connection = &fabric->connections[i];
        if (connection->used && connection->process == dead) {
            SegmentEntry *segment = &fabric->segments[connection->segment];
            if (segment->used && segment->generation == connection->generation) {
                fabric_event(segment, SCI_CB_DISCONNECT, fabric->processes[dead].node);
            }
            connection->used = 0;
        }
    }
    for (unsigned i = 0; i < SEGMENTS; i++) {
        SegmentEntry *segment = &fabric->segments[i];
        if (segment->used && segment->process == dead) {
            segment->generation++;
            segment->used = 0;
            fabric->changes++;
        }
    }
    for (unsigned i = 0; i < INTERRUPTS; i++) {
        InterruptEntry *interrupt = &fabric->interrupts[i];
        if (interrupt->used && interrupt->process == dead) {
            interrupt->generation++;
            interrupt->used = 0;
        }
    }
    fabric->processes[dead].used = 0;
}

void fabric_reap(void) {
    for (unsigned i = 0; i < PROCESSES; i++) {
        if (fabric->processes[i].used == 2 || (fabric->processes[i].used && !fabric_alive(i))) {
            reap(i);
        }
    }
}

int brigade_sisci_held(unsigned node) {
    int held = 0;
    fabric_lock();
    for (unsigned i = 0; i < SEGMENTS; i++) {
        held += fabric->segments[i].used && fabric->segments[i].node == node;
    }
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        held += fabric->connections[i].used && fabric->processes[fabric->connections[i].process].node == node;
    }
    for (unsigned i = 0; i < INTERRUPTS; i++) {
        held += fabric->interrupts[i].used && fabric->interrupts[i].node == node;
    }
    fabric_unlock();
    return held;
}

Node *fabric_node(unsigned id) {
    static Node before; // so that ids can be judged before there is a fabric
    return id % 4 != 0 || id == 0 || id / 4 > NODES ? NULL : fabric == NULL ? &before : &fabric->nodes[id / 4];
}

PeerState fabric_peer(unsigned id) {
    Node *node = fabric_node(id), *own = fabric_node(settings.node);
    return node == own ? PEER_UP : node->lost || own->lost ? PEER_LOST : node->down || own->down ? PEER_DOWN : PEER_UP;
}

PeerState fabric_segment(unsigned index, unsigned generation, unsigned node) {
    const SegmentEntry *segment = &fabric->segments[index];
    return segment->used && segment->generation == generation ? fabric_peer(node) : PEER_LOST;
}

void fabric_event(SegmentEntry *segment, unsigned reason, unsigned node) {
    if (segment->posted - segment->taken == EVENTS) {
        segment->taken++;
    }
    segment->events[segment->posted % EVENTS].reason = reason;
    segment->events[segment->posted % EVENTS].node = node;
    segment->posted++;
    word_wake(&segment->posted);
}

void word_wait(_Atomic uint32_t *word, uint32_t value, uint64_t deadline) {
    struct timespec until = {.tv_sec = (time_t)(deadline / 1000000000u), .tv_nsec = (long)(deadline % 1000000000u)};
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET, value, &until, NULL, FUTEX_BITSET_MATCH_ANY);
}

void word_wake(_Atomic uint32_t *word) {
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
