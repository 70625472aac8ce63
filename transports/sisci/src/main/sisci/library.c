// Beginning and end of the library in a process; descriptors; the watch, which looks after peers and late stores;
// listeners.
#define _GNU_SOURCE
#include "library.h"

#include "faults.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

pthread_mutex_t objects = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t life = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int initialised; // how often
static _Atomic pid_t process;   // that initialised it; a child of fork begins anew
static _Atomic int living;      // resources of all descriptors
static pthread_t watcher;
static _Atomic bool ending;

bool report(sci_error_t *error, sci_error_t value) {
    if (error != NULL) {
        *error = value;
    }
    return value == SCI_ERR_OK;
}

static bool here(void) {
    return initialised > 0 && process == getpid();
}

bool valid(const void *object, Kind_ kind, sci_error_t *error) {
    if (!here()) {
        return report(error, SCI_ERR_NOT_INITIALIZED);
    }
    return report(error, object == NULL || *(const uint32_t *)object != (uint32_t)kind ? SCI_ERR_ILLEGAL_PARAMETER
        : SCI_ERR_OK);
}

bool flags_known(unsigned flags, unsigned known, sci_error_t *error) {
    return report(error, (flags & ~known) != 0 ? SCI_ERR_ILLEGAL_FLAG : SCI_ERR_OK);
}

// One adapter, number 0.
bool adapter_known(unsigned adapter, sci_error_t *error) {
    return report(error, adapter == 0 ? SCI_ERR_OK : SCI_ERR_NO_SUCH_ADAPTERNO);
}

bool thread_start(pthread_t *thread, void *(*body)(void *), void *argument) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(thread, NULL, body, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

// Peers are looked after every 2 ms, in large fabrics more seldom, as each looks at each; late stores every 20 to 300
// us.
static void *watch(void *unused) {
    uint64_t peers = 0;
    while (!ending) {
        uint64_t now = time_now(), pause = 2000000;
        if (now >= peers) {
            unsigned processes = 0;
            faults_apply();
            fabric_lock();
            fabric_reap();
            for (unsigned i = 0; i < PROCESSES; i++) {
                processes += fabric->processes[i].used != 0;
            }
            fabric_unlock();
            pthread_mutex_lock(&objects);
            maps_watch(); // first: who hears that a peer works again finds it in his maps
            connections_watch();
            pthread_mutex_unlock(&objects);
            peers = time_now() + (processes < 2 ? 2 : processes) * 1000000u;
        }
        if (shadows > 0) {
            weak_later();
            pause = settings.weak ? 20000 + weak_random() % 280000 : 200000;
        }
        struct timespec span = {.tv_nsec = (long)pause};
        nanosleep(&span, NULL);
    }
    return unused;
}

void SCIInitialize(unsigned flags, sci_error_t *error) {
    if (!flags_known(flags, 0, error)) {
        return;
    }
    pthread_mutex_lock(&life);
    if (initialised > 0 && process != getpid()) {
        initialised = living = 0; // after a fork, the parent's objects are not ours
        remotes = NULL;
        maps = NULL;
        fabric = NULL;
    }
    if (initialised == 0) {
        if (!settings_read()) {
            report(error, SCI_ERR_SYSTEM);
        } else if (report(error, fabric_join())) {
            faults_apply();
            ending = false;
            process = getpid();
            initialised = 1;
            if (!thread_start(&watcher, watch, NULL)) {
                fabric_leave(true);
                initialised = 0;
                report(error, SCI_ERR_SYSTEM);
            }
        }
    } else {
        initialised++;
        report(error, SCI_ERR_OK);
    }
    pthread_mutex_unlock(&life);
}
SISCI_NAMES(SCIInitialize)

void SCITerminate(void) {
    pthread_mutex_lock(&life);
    if (here() && --initialised == 0) {
        ending = true;
        pthread_join(watcher, NULL);
        fabric_leave(living == 0);
    }
    pthread_mutex_unlock(&life);
}
SISCI_NAMES(SCITerminate)

// A process that ends without SCITerminate: others see it leave now, and the last one removes the tables. The program's
// threads may still be in the library, so memory stays.
__attribute__((destructor)) static void leave(void) {
    if (here()) {
        ending = true;
        pthread_join(watcher, NULL);
        initialised = 0;
        fabric_leave(false);
    }
}

void resource_made(sci_desc_t sd) {
    sd->resources++;
    living++;
}

void resource_gone(sci_desc_t sd) {
    sd->resources--;
    living--;
}

void SCIOpen(sci_desc_t *sd, unsigned flags, sci_error_t *error) {
    if (!here()) {
        report(error, SCI_ERR_NOT_INITIALIZED);
    } else if (flags_known(flags, FLAG(THREAD_SAFE), error)) {
        sci_desc_t made = calloc(1, sizeof *made);
        if (report(error, made == NULL ? SCI_ERR_NOSPC : SCI_ERR_OK)) {
            made->kind = DESCRIPTOR;
            *sd = made;
        }
    }
}
SISCI_NAMES(SCIOpen)

void SCIClose(sci_desc_t sd, unsigned flags, sci_error_t *error) {
    if (valid(sd, DESCRIPTOR, error) && flags_known(flags, 0, error)
        && report(error, sd->resources > 0 ? SCI_ERR_BUSY : SCI_ERR_OK)) {
        sd->kind = 0;
        free(sd);
    }
}
SISCI_NAMES(SCIClose)

static _Thread_local const Listener *current;

bool listener_is_current(const Listener *listener) {
    return listener == current;
}

static void *listen(void *argument) {
    Listener *listener = argument;
    current = listener;
    while (!listener->stop && listener->step(listener->object)) {
    }
    return NULL;
}

bool listener_start(Listener *listener, bool (*step)(void *), void *object) {
    listener->step = step;
    listener->object = object;
    listener->stop = false;
    listener->running = true;
    listener->running = thread_start(&listener->thread, listen, listener);
    return listener->running;
}

bool listener_stop(Listener *listener, _Atomic uint32_t *word) {
    if (!listener->running) {
        return true;
    }
    if (listener_is_current(listener)) {
        return false;
    }
    listener->stop = true;
    word_wake(word);
    pthread_join(listener->thread, NULL);
    listener->running = false;
    return true;
}
