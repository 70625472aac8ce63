// Runs launches. A block is a thread of the system, and the block's threads are fibers on it that take turns: at barriers, and wherever a kernel waits.
#include "driver.h"
#include "shim/software.h"

#include <cstdlib>
#include <sched.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

#define VISIBLE __attribute__((visibility("default")))

VISIBLE thread_local SoftwarePlace software_place;
VISIBLE alignas(128) thread_local unsigned char dynamic_shared[232448];

static const size_t STACK = 128 << 10;

enum State { READY, WAITING, ENDED };   // WAITING: at the barrier

struct Fiber {
    void* stackPointer;
    void* stack;
    State state;
    uint3 place;
};

// The block that a thread of the system runs.
struct Block {
    std::vector<Fiber> fibers;
    void* scheduler;            // stack pointer of the thread's own stack
    size_t running;
    bool trapped;
    bool moved;                 // a fiber did something other than wait in a loop
    const Launch* launch;
    std::vector<void*> arguments;
    int counted, waiting, answers[3];
};

static thread_local Block* mine = nullptr;

// Saves what a call must preserve, stores the stack pointer, and goes on with another stack.
extern "C" void software_switch(void** from, void* to);
asm(R"(
    .text
    .globl software_switch
    .hidden software_switch
    .type software_switch, @function
software_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size software_switch, .-software_switch
)");

static void leave() {
    software_switch(&mine->fibers[mine->running].stackPointer, mine->scheduler);
}

static void start() {
    mine->launch->kernel->run(mine->arguments.data());
    mine->fibers[mine->running].state = ENDED;
    mine->moved = true;
    leave();
    abort();
}

extern "C" VISIBLE void software_yield() {
    leave();
}

extern "C" VISIBLE int software_barrier(int value, int how) {
    mine->counted += value != 0;
    mine->waiting++;
    mine->fibers[mine->running].state = WAITING;
    mine->moved = true;
    leave();
    return mine->answers[how];
}

extern "C" VISIBLE void software_trap() {
    mine->trapped = true;
    leave();
    abort();
}

static void prepare(Fiber& fiber) {
    if (fiber.stack == nullptr) {
        fiber.stack = mmap(nullptr, STACK + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
        mprotect(fiber.stack, 4096, PROT_NONE);
    }
    void** top = (void**) ((char*) fiber.stack + 4096 + STACK);
    *--top = nullptr;           // where start would return to; also makes the stack as aligned as after a call
    *--top = (void*) start;
    for (int i = 0; i < 6; i++) {
        *--top = nullptr;
    }
    fiber.stackPointer = top;
    fiber.state = READY;
}

static void openBarrier(Block& block) {
    block.answers[0] = block.counted;
    block.answers[1] = block.counted == block.waiting;
    block.answers[2] = block.counted != 0;
    block.counted = block.waiting = 0;
    for (Fiber& fiber : block.fibers) {
        if (fiber.state == WAITING) {
            fiber.state = READY;
        }
    }
}

static Result runBlock(const Launch& launch, unsigned number) {
    if (mine == nullptr) {
        mine = new Block();
    }
    Block& block = *mine;
    size_t threads = (size_t) launch.block[0] * launch.block[1] * launch.block[2];
    for (size_t i = block.fibers.size(); i < threads; i++) {
        block.fibers.push_back(Fiber());
    }
    // A block with fewer threads than the last one leaves the others' fibers ended.
    for (size_t i = 0; i < block.fibers.size(); i++) {
        block.fibers[i].state = ENDED;
        if (i < threads) {
            prepare(block.fibers[i]);
            block.fibers[i].place = {(unsigned) i % launch.block[0], (unsigned) i / launch.block[0] % launch.block[1],
                (unsigned) i / launch.block[0] / launch.block[1]};
        }
    }
    block.launch = &launch;
    block.trapped = false;
    block.counted = block.waiting = 0;
    block.arguments.clear();
    for (size_t offset : launch.offsets) {
        block.arguments.push_back(launch.arguments->data() + offset);
    }
    software_place.block = {number % launch.grid[0], number / launch.grid[0] % launch.grid[1], number / launch.grid[0] / launch.grid[1]};
    software_place.blockSize = {launch.block[0], launch.block[1], launch.block[2]};
    software_place.gridSize = {launch.grid[0], launch.grid[1], launch.grid[2]};
    for (unsigned round = 0;; round++) {
        size_t alive = 0;
        block.moved = false;
        for (size_t i = 0; i < threads; i++) {
            Fiber& fiber = block.fibers[i];
            if (fiber.state == READY) {
                block.running = i;
                software_place.thread = fiber.place;
                software_switch(&block.scheduler, fiber.stackPointer);
                if (block.trapped) {
                    return LAUNCH_FAILED;
                }
            }
            alive += fiber.state != ENDED;
        }
        if (alive == 0) {
            return SUCCESS;
        }
        if ((size_t) block.waiting == alive) {
            openBarrier(block);
        }
        if (block.moved) {
            round = 0;
        } else {
            pause(round);
        }
    }
}

// ---- threads for blocks, kept ----

struct Team {
    std::mutex lock;
    std::condition_variable wake;
    std::deque<std::function<void()>> tasks;
    size_t idle = 0;
};

static Team& team = *new Team;

static void member() {
    std::unique_lock<std::mutex> lock(team.lock);
    while (true) {
        team.idle++;
        team.wake.wait(lock, [] { return !team.tasks.empty(); });
        team.idle--;
        std::function<void()> task = std::move(team.tasks.front());
        team.tasks.pop_front();
        lock.unlock();
        task();
        lock.lock();
    }
}

static void inAnotherThread(std::function<void()> task) {
    std::unique_lock<std::mutex> lock(team.lock);
    team.tasks.push_back(std::move(task));
    if (team.idle < team.tasks.size()) {
        std::thread(member).detach();
    }
    team.wake.notify_one();
}

// ---- room on the multiprocessors ----

struct Room {
    std::mutex lock;
    std::condition_variable freed;
    std::map<int, int> taken;   // device -> blocks that run there
};

static Room& room = *new Room;

static void enterMultiprocessor(int device) {
    if (setting::resident()) {
        std::unique_lock<std::mutex> lock(room.lock);
        room.freed.wait(lock, [=] { return room.taken[device] < setting::multiprocessors(); });
        room.taken[device]++;
    }
}

static void leaveMultiprocessor(int device) {
    if (setting::resident()) {
        std::unique_lock<std::mutex> lock(room.lock);
        room.taken[device]--;
        room.freed.notify_all();
    }
}

Result execute(const Launch& launch) {
    if (launch.faulty) {
        return ILLEGAL_ADDRESS;
    }
    struct Progress {
        std::mutex lock;
        std::condition_variable ended;
        unsigned next = 0, working = 0;
        Result result = SUCCESS;
    };
    auto progress = std::make_shared<Progress>();
    unsigned blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
    // Sixteen blocks of a multiprocessor run at a time, as on a device; those of a cooperating kernel are all among them.
    unsigned resident = (unsigned) setting::multiprocessors() * 16;
    unsigned workers = blocks < resident ? blocks : resident;
    progress->working = workers;
    for (unsigned i = 0; i < workers; i++) {
        inAnotherThread([progress, blocks, &launch] {
            std::unique_lock<std::mutex> lock(progress->lock);
            while (progress->next < blocks && progress->result == SUCCESS) {
                unsigned number = progress->next++;
                lock.unlock();
                enterMultiprocessor(launch.device);
                Result result = runBlock(launch, number);
                leaveMultiprocessor(launch.device);
                lock.lock();
                if (result != SUCCESS) {
                    progress->result = result;
                }
            }
            progress->working--;
            progress->ended.notify_all();
        });
    }
    std::unique_lock<std::mutex> lock(progress->lock);
    progress->ended.wait(lock, [&] { return progress->working == 0; });
    return progress->result;
}
