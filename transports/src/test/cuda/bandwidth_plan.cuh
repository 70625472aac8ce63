// What bandwidth_check checks and times.
#pragma once

static void checkAll(i64 max) {
  u32 seed = 1;
  for (i64 bytes : {4ll, 1004ll, 100000ll, 1ll << 20, (5ll << 20) + 12, (48ll << 20) + 4, (200ll << 20) + 20}) {
    if (bytes > max) continue;
    for (i64 chunk : {16ll << 10, 64ll << 10}) for (int flags : {0, BULK}) for (int a = 0; a < ALGORITHMS; a++) for (int inPlace = 0; inPlace < 2; inPlace++) {
      if (a == CE_BCAST && n != 2) continue;
      if (inPlace && (a == TWO_PHASE_SCATTER || a == RING_SCATTER || a == BCAST || a == CHAIN || a == CE_BCAST || a == CE_GATHER)) continue;
      if ((a == CE_GATHER || a == TWO_PHASE_CE || a == RING_CE) && bytes < 100000) continue;
      Setup s{(Algorithm)a, bytes, a <= RING_SCATTER ? 64 : 48, 512, chunk, flags};
      if (a >= BCAST && a <= CE_BCAST && bytes >= 100000 && chunk > 20000) s.stripe = 0.1, s.stripeChunk = 256 << 10;
      verify(s, inPlace, seed++);
    }
  }
  if (rank == 0) printf("n=%d: %d checks, %d failures\n", n, checks, failures), fflush(stdout);
}

static void timeAll(i64 max, bool wide) {
  std::vector<Setup> setups;
  for (i64 bytes : {1ll << 20, 4ll << 20, 16ll << 20, 64ll << 20, 1ll << 30}) {
    if (bytes > max) continue;
    for (int a = 0; a < ALGORITHMS; a++) {
      if (a == CE_BCAST || a == CE_GATHER) {
        if (a == CE_BCAST && n != 2) continue;
        setups.push_back({(Algorithm)a, bytes, 1, 1, 0, 0});
        if (bytes > 32 << 20 && a == CE_BCAST)
          for (double share : {0.06, 0.08, 0.10, 0.12}) for (i64 stripeChunk : {2 << 20, 4 << 20, 8 << 20}) setups.push_back({(Algorithm)a, bytes, 1, 1, 0, 0, share, stripeChunk});
        continue;
      }
      if ((a == TWO_PHASE_CE || a == RING_CE) && bytes < 64 << 20) continue;
      if (bytes < 4 << 20 && (a == RING || a == RING_SCATTER)) continue;
      for (int grid : {32, 64, 128}) for (i64 chunk : {16 << 10, 32 << 10, 64 << 10, 128 << 10}) for (int flags : {0, BULK}) {
        if (grid == 32 && bytes > 16 << 20 && !flags) continue;
        if (bytes <= 4 << 20 && chunk > 32 << 10) continue;
        if (bytes >= 1 << 30 && chunk < 32 << 10) continue;
        setups.push_back({(Algorithm)a, bytes, grid, 512, chunk, flags});
        if (bytes >= 1 << 30 && (a == BCAST || a == CHAIN) && chunk == 64 << 10 && grid == 64)
          for (double share : {0.06, 0.08, 0.10, 0.12}) for (i64 stripeChunk : {4 << 20, 8 << 20}) setups.push_back({(Algorithm)a, bytes, grid, 512, chunk, flags, share, stripeChunk});
      }
    }
  }
  sweep(setups, wide ? 4 : 1);
}
