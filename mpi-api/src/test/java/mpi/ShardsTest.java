package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ShardsTest {
    @Test
    void shardsAreEqualAndHaveEveryElementOnce() {
        for (int elements = 0; elements < 70; elements++) {
            for (int ranks = 1; ranks < 10; ranks++) {
                for (int multiple : new int[] {1, 3, 4, 16}) {
                    Shards shards = new Shards(elements, ranks, multiple);
                    String what = elements + " among " + ranks + " in multiples of " + multiple;
                    int next = 0;
                    for (int rank = 0; rank < ranks; rank++) {
                        assertEquals(rank * shards.count(), shards.begin(rank), what);
                        assertTrue(shards.length(rank) == 0 || shards.begin(rank) == next, what);
                        next += shards.length(rank);
                    }
                    assertEquals(elements, next, what);
                    assertEquals(ranks * shards.count(), shards.padded(), what);
                    assertEquals(0, shards.count() % multiple, what);
                    assertTrue(shards.padded() - elements < ranks * multiple, what + ": no more padding than needed");
                }
            }
        }
    }

    @Test
    void whatCannotBeSharedIsAnError() {
        assertEquals(MPI.ERR_ARG, assertThrows(MPIException.class, () -> new Shards(-1, 2, 1)).getErrorClass());
        assertEquals(MPI.ERR_ARG, assertThrows(MPIException.class, () -> new Shards(1, 0, 1)).getErrorClass());
        assertEquals(MPI.ERR_ARG, assertThrows(MPIException.class, () -> new Shards(1, 1, 0)).getErrorClass());
        assertEquals(MPI.ERR_COUNT,
            assertThrows(MPIException.class, () -> new Shards(Integer.MAX_VALUE, 2, 1)).getErrorClass());
        assertEquals(Integer.MAX_VALUE, new Shards(Integer.MAX_VALUE, 1, 1).padded());
    }
}
