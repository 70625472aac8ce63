// What one launch is told: the waist between the Java side (transport.cuda.CallArguments mirrors this struct, byte by byte) and every kernel. Passed by value.
#pragma once

typedef unsigned char byte_t;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

constexpr int MAX_RANKS = 8;

struct Call {
    int rank, ranks, root;      // of the communicator; root -1 where there is none
    int flags;                  // IN_PLACE, ...
    char *send, *recv;          // this rank's buffers; send == recv + its block's offset where in place
    char *scratch[MAX_RANKS];   // every member's scratch as mapped here; [rank] its own (ScratchLayout)
    char *peerSend[MAX_RANKS];  // every member's send buffer as mapped here; null where it has none
    char *peerRecv[MAX_RANKS];
    i64 sendAt[MAX_RANKS], sendBytes[MAX_RANKS];  // the block for each peer, in send
    i64 recvAt[MAX_RANKS], recvBytes[MAX_RANKS];  // the block from each peer, in recv
    volatile u32 *abort;        // host memory: not zero as soon as a peer is lost; every wait looks at it
    volatile u64 *finished;     // host memory: the last block writes ticket here when this rank's part is complete; null: nobody waits
    u64 ticket;
    i64 bytes;                  // of the vector (bcast, allreduce, ...)
    i64 chunk;                  // bytes of a pipeline's window; 0 where there is none
};

constexpr int IN_PLACE = 1;

// A member's scratch memory, zeros at first. It belongs to one communicator, whose calls run one after another.
//      0  epoch: how many calls have ended here          this rank's last block
//     64  blocks of the running call that have ended      this rank
//    128  status: 0, or why the last call gave up         this rank
//   4 Ki  start words [block][peer], 16 bytes each        the peer
//  68 Ki  end words   [block][peer], 16 bytes each        the peer
// 132 Ki  acknowledged epoch [peer], 64 bytes each        the peer
// 256 Ki  packets [parity][from]                          that peer
//      .  pipelines, up to SCRATCH_BYTES
constexpr i64 SCRATCH_BYTES = 48ll << 20;
constexpr int MAX_BLOCKS = 512;
