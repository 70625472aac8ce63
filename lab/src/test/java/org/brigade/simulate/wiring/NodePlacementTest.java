package org.brigade.simulate.wiring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.brigade.topology.machine.Machines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodePlacementTest {
    private final MachineWiring amd = MachineWiring.of(Machines.find("amd-v100"));
    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("places"), text);
    }

    @Test
    void ranksAreDealtOutToTheNodesInTurn() {
        assertArrayEquals(new int[] {0, 1, 2, 3, 4}, NodePlacement.blocks(amd, 5));
        assertArrayEquals(new int[] {0, 4, 8, 12, 1, 5}, NodePlacement.cyclic(amd, 6));
    }

    @Test
    void aFileHasTheNodeOfEachRank() throws IOException {
        assertArrayEquals(new int[] {12, 0, 13, 1}, NodePlacement.read(file("3 0 # two nodes\n3,0\n"), amd, 4));
        assertTrue(complaint("0 0 0 0 0", 5).contains("rank 4 on node 0: machine amd-v100 has 4 nodes"));
        assertTrue(complaint("0 4", 2).contains("rank 1 on node 4"));
        assertTrue(complaint("0 1", 3).contains("--ranks 2"));
        assertTrue(complaint("0 one", 2).contains("write the number of each rank's node"));
        assertTrue(assertThrows(IllegalArgumentException.class,
            () -> NodePlacement.read(folder.resolve("missing"), amd, 2)).getMessage().contains("NoSuchFile"));
    }

    private String complaint(String text, int ranks) throws IOException {
        Path file = file(text);
        return assertThrows(IllegalArgumentException.class, () -> NodePlacement.read(file, amd, ranks)).getMessage();
    }

    /** Rings and chains follow the nodes, so they are the same wires as with blocks. */
    @Test
    void whereverRanksAreRingsAndChainsGoNodeAfterNode() {
        PlacedWiring placed = new PlacedWiring(amd, NodePlacement.cyclic(amd, 16));
        int[] order = placed.wires(16, 1 << 20).order(16).toArray();
        int[] chain = placed.wires(16, 1 << 20).chain(2, 16).toArray();
        for (int position = 0; position < 16; position++) {
            assertEquals(position / 4, order[position] % 4, "a node's four ranks, then the next node's");
            assertEquals((position / 4 + 2) % 4, chain[position] % 4, "from rank 2's node on");
        }
        assertEquals(4, placed.nodes());
    }
}
