// Kernels for the tests of the software driver itself.

__device__ int check_counter;

extern "C" __global__ void check_fill(int *target, int value, int number) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < number; i += gridDim.x * blockDim.x) {
        target[i] = value + i;
    }
}

// Reverses every block's stretch through shared memory; wrong without the barrier.
extern "C" __global__ void check_reverse(int *data) {
    __shared__ int held[1024];
    held[threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    data[blockIdx.x * blockDim.x + threadIdx.x] = held[blockDim.x - 1 - threadIdx.x];
}

// The same with dynamic shared memory.
extern "C" __global__ void check_reverse_dynamic(int *data) {
    extern __shared__ unsigned char dynamic_shared[];
    int *held = (int *)dynamic_shared;
    held[threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    data[blockIdx.x * blockDim.x + threadIdx.x] = held[blockDim.x - 1 - threadIdx.x];
}

// All blocks wait for one another: ends only if they run at the same time. Every thread counts.
extern "C" __global__ void check_meet(unsigned *arrived, unsigned *counted) {
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1u);
        while (atomicAdd(arrived, 0u) < gridDim.x) {
            __nanosleep(100);
        }
    }
    __syncthreads();
    atomicAdd(counted, 1u);
}

// Waits for a word of the host.
extern "C" __global__ void check_wait(volatile unsigned *word, unsigned value, unsigned *after) {
    if (threadIdx.x == 0) {
        while (*word != value) {
            __nanosleep(100);
        }
        *after = value;
    }
}

extern "C" __global__ void check_trap() {
    __trap();
}

// One of the names whose blocks are made small: says how many threads it has.
extern "C" __global__ void brigade_check_threads(unsigned *target) {
    if (threadIdx.x == 0) {
        target[blockIdx.x] = blockDim.x;
    }
}

// The kernel of DriverTimes.
extern "C" __global__ void times_word(volatile unsigned long long *to, unsigned long long value) {
    if (threadIdx.x == 0) {
        *to = value;
    }
}
