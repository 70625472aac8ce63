// What one launch is told: the waist between the Java side (transport.cuda.CallArguments mirrors this struct, byte by byte) and every kernel. Passed by value.
#pragma once

typedef unsigned char byte_t;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

constexpr int MAX_RANKS = 8;

// Every collective is an exchange of blocks, so a kernel is not told which one it runs:
//   sendBytes[p]   what goes from this rank to p, 0 if nothing does; [rank] as the collective has it, no kernel reads it
//   recvBytes[p]   what comes from p: a block for recv + recvAt[p], or, in kernels that reduce, p's vector, all of one length, folded in rank order into recv;
//                  0 if p contributes nothing. [rank]: the own block, taken from send + sendAt[rank]
//   sendAt[rank]   in kernels that reduce: where this rank's vector lies in every member's send (reduce-scatter: its block; else 0)
// So: bcast: the root has sendBytes[others], the others recvBytes[root]. reduce: the others have sendBytes[root], the root recvBytes[all]. allreduce: all have all.
// scan: sendBytes[p > rank], recvBytes[p <= rank]; exscan: recvBytes[p < rank]. All arrays are 0 beyond ranks. Both ends of a pair know the same length.
struct Call {
    int rank, ranks, root;      // of the communicator; root -1 where there is none
    int flags;                  // IN_PLACE, ...
    char *send, *recv;          // this rank's buffers; send == recv + its block's offset where in place
    // An even exchange: everyone has for everyone, himself too, a block of this length, a multiple of 4; that for and from p lies at p * step, and a step is 0 or block. 0: another kind of call.
    // All of it can be read from the arrays, too, but these are the lines of parameters that a kernel reads first (even.cuh).
    i64 block, sendStep, recvStep;
    volatile u32 *abort;        // host memory: not zero as soon as a peer is lost; every wait looks at it; never null
    volatile u64 *finished;     // host memory: the last block writes ticket here when this rank's part is complete; null: nobody waits
    u64 ticket;
    char *scratch[MAX_RANKS];   // every member's scratch as mapped here; [rank] its own (ScratchLayout)
    char *peerSend[MAX_RANKS];  // every member's send buffer as mapped here, [rank] send itself; null where it has none
    char *peerRecv[MAX_RANKS];  // the same for recv
    i64 sendAt[MAX_RANKS], sendBytes[MAX_RANKS];  // the block for each peer, in send
    i64 recvAt[MAX_RANKS], recvBytes[MAX_RANKS];  // the block from each peer, in recv
    i64 bytes;                  // of the vector (bcast, allreduce, ...)
    i64 chunk;                  // bytes of a pipeline's window; 0 where there is none
    // Host memory that all members share, words [member][by], TOLD_BYTES each: at its end a kernel writes ticket into those of all members whom it has stored to or loaded from, and its own.
    // Only in calls that have MET; then no kernel waits for another, all of a call's launches are independent, and who has nothing to do launches none. peerRecv[p] is then
    // where in p's recv this rank's block goes, [rank] too: null where it lies there already. null: peers meet in scratch
    char *told;
};

constexpr int IN_PLACE = 1;
// In place, and recv takes in other parts of send than byte for byte the blocks that go out (reduce-scatter with blocks of unequal lengths): packets need a grid of one block then.
constexpr int OVERLAPS = 2;
// The host has seen every member in this very call, so that nobody uses his recv any longer: nobody has to wait for a start word. Stream-ordered calls do not know it.
constexpr int MET = 4;
// To push-two-phase and ring: a reduce-scatter, not an allreduce.
constexpr int REDUCE_SCATTER = 8;
// To push and put: all peers get the same block.
constexpr int ALIKE = 16;
// To lines: a bcast, whose root sends each other rank a piece of the vector, which that rank passes on.
constexpr int RELAYED = 32;
// To lines: an allreduce or reduce in two phases, whose ranks send the results of their slices to all, or to the root.
constexpr int GATHERED = 128;
// Between all members' GPUs, what a warp stores into one line of 128 bytes in one instruction is there all at once. So it is over NVLink.
constexpr int WHOLE_LINES = 64;
constexpr int TOLD_BYTES = 64;

// A member's scratch memory, zeros at first. It belongs to one communicator, whose calls run one after another; every call is one launch on every member, with the same grid.
//      0  parts of the running call that have ended; 2^32 of them are a call, so they carry into the epoch behind, if no host waits    this rank's blocks
//      4  epoch: how many calls have ended here          this rank's blocks
//     64  blocks of the running call that have ended, if a host waits    this rank
//    128  status: 0, or why the last call gave up         this rank
//    192  number of the resident kernel that leaves       this rank's block 0, for its others
//    256  the doorbell, passed on                         this rank's block 0, for its others
//   4 Ki  start words [block][peer], 16 bytes each        the peer: a packet, or the flag in its second word
//  68 Ki  end words   [block][peer], 16 bytes each        the peer
// 132 Ki  acknowledged epoch [peer], 64 bytes each        the peer: how many calls have ended there, told at a call's end or at the next one's beginning
// 256 Ki  packets [parity][from], 512 KiB each            that peer
//   8.25 Mi  lines [parity][phase][from], LINES_BYTES in all    that peer
//  24.25 Mi  pipelines, up to SCRATCH_BYTES
constexpr i64 SCRATCH_BYTES = 64ll << 20;
constexpr i64 PARTS_AT = 0, EPOCH_AT = 4, BLOCKS_AT = 64, STATUS_AT = 128, LEAVING_AT = 192, PASSED_ON_AT = 256;
constexpr i64 START_AT = 4 << 10, END_AT = 68 << 10, ACKNOWLEDGED_AT = 132 << 10, PACKETS_AT = 256 << 10;
constexpr i64 PACKET_SLOT_BYTES = 512 << 10;
constexpr i64 LINES_AT = PACKETS_AT + 2 * MAX_RANKS * PACKET_SLOT_BYTES;
constexpr i64 LINES_BYTES = 16 << 20;
constexpr i64 PIPELINES_AT = LINES_AT + LINES_BYTES;
constexpr i64 PIPELINES_BYTES = SCRATCH_BYTES - PIPELINES_AT;

constexpr int STATUS_PEER_LOST = 1;

constexpr int MAX_BLOCKS = 512;
constexpr int MAX_THREADS = 512;       // of a block of every kernel but push
constexpr int MAX_PUSH_THREADS = 1024;
constexpr i64 MAX_PACKET_BYTES = PACKET_SLOT_BYTES / 2;  // between two ranks in one call

// --- resident kernels (resident.cuh) ------------------------------------------------------------------------------------------------------------------------------------

// What one is launched with. In call: what is the same in all calls, that is ranks, scratch, abort and finished, and the ticket of the first one.
struct Resident {
    Call call;
    const char *doorbell;       // host memory, DOORBELL_BYTES at a multiple of 64; the host writes
    volatile u64 *left;         // host memory: this kernel's last word is number: it has taken no doorbell that it has not answered, and takes no more
    u64 number;                 // of this launch, from 1 on
    i64 idle, most;             // ns without a doorbell, and in all, after which it leaves
    u32 sequence;               // of the first call on the doorbell that it serves
    u32 passed;                 // calls of all blocks that earlier kernels have served
};

// A call on the doorbell: eight words of 64 bits, a word of the call in the lower half and its sequence number, the lower half of its ticket, in the upper one; the host writes both in one
// store. So whoever sees the number has the word, whatever is seen of others.
//    0  CODE: operation | flags << 8 | senders << 16 | receivers << 24      8  bytes
//   16  0: block 0 alone; else counts the calls of all blocks              24  0          passed on to other blocks: sequence, epoch
//   32  send, lower half                                                   40  upper half
//   48  recv, lower half                                                   56  upper half
// senders: a bit for each p with sendBytes[p] = bytes, others have none; receivers: the same for recvBytes. The operation may have SEND_SIDE_BY_SIDE, sendAt[p] = p * bytes, else
// all are 0, and RECV_SIDE_BY_SIDE, the same for recvAt.
constexpr int DOORBELL_BYTES = 64, DOORBELL_WORDS = 8;
constexpr int SEND_SIDE_BY_SIDE = 64, RECV_SIDE_BY_SIDE = 128;

enum Operation { OP_max, OP_min, OP_sum, OP_prod, OP_land, OP_band, OP_lor, OP_bor, OP_lxor, OP_bxor, OP_maxloc, OP_minloc, OPERATIONS, OP_PLACE = 32, OP_LEAVE = 33 };
