package org.brigade.transport.cuda.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import mpi.spi.Reduction.Operator;
import org.brigade.algorithm.DeviceKernel;
import org.brigade.algorithm.kernel.LinesKernel;
import org.brigade.algorithm.kernel.PairwiseKernel;
import org.brigade.transport.cuda.group.ResidentKernel;
import org.junit.jupiter.api.Test;

/** What Java writes is what the kernels read: {@link CallArguments} against the text of call.cuh, and its like. */
class CallStructTest {
    private static final Pattern CONSTANT = Pattern.compile("(\\w+) = ([^,;]+)");

    private static String text() throws IOException {
        return text("call.cuh");
    }

    private static String text(String file) throws IOException {
        return Files.readString(Path.of("src/main/cuda", file)).replaceAll("//.*", "");
    }

    /** C's layout rule: each member at the next multiple of its size. */
    private static Map<String, Integer> offsets(String text, String name, int ranks) {
        Matcher struct = Pattern.compile("struct " + name + " \\{(.*?)\\};", Pattern.DOTALL).matcher(text);
        assertEquals(true, struct.find(), "no struct " + name + " in call.cuh");
        Map<String, Integer> offsets = new LinkedHashMap<>();
        int at = 0;
        for (String declaration : struct.group(1).split(";")) {
            String line = declaration.trim();
            if (line.isEmpty()) {
                continue;
            }
            if (line.equals("Call call")) {
                at += CallArguments.SIZE;
                continue;
            }
            if (line.startsWith("Edge ")) {
                at = (at + 7) / 8 * 8;
                offsets.put(line.replaceFirst("^Edge (\\w+)\\[MOST_EDGES\\]$", "$1"), at);
                at += PairwiseKernel.MOST_EDGES * EdgeArguments.EDGE_SIZE;
                continue;
            }
            int size = line.matches("(int|u32) .*") ? 4 : 8;
            for (String member : line.replaceFirst("^(volatile |const )?\\w+ ", "").split(",")) {
                Matcher array = Pattern.compile("\\*?(\\w+)(\\[MAX_RANKS\\])?").matcher(member.trim());
                assertEquals(true, array.matches(), "call.cuh has a member that this test cannot read: " + line);
                at = (at + size - 1) / size * size;
                offsets.put(array.group(1), at);
                at += array.group(2) != null ? size * ranks : size;
            }
        }
        offsets.put("SIZE", (at + 7) / 8 * 8);
        return offsets;
    }

    private static void assertMembers(Map<String, Integer> kernels, Class<?> mirror)
        throws ReflectiveOperationException {
        Map<String, Integer> java = new LinkedHashMap<>();
        for (String member : kernels.keySet()) {
            String constant =
                member.endsWith("SIZE") ? member.toUpperCase() : member.replaceAll("([A-Z])", "_$1").toUpperCase();
            Field offset = mirror.getDeclaredField(constant);
            offset.setAccessible(true); // they stand in packages of their own
            java.put(member, offset.getInt(null));
        }
        assertEquals(kernels, java);
    }

    @Test
    void everyMemberIsWhereTheKernelsLookForIt() throws Exception {
        assertMembers(offsets(text(), "Call", CallArguments.MAX_RANKS), CallArguments.class);
        assertMembers(offsets(text(), "Resident", CallArguments.MAX_RANKS), ResidentKernel.class);
        assertMembers(offsets(text("pack.cu"), "Packing", 0),
            Class.forName("org.brigade.transport.cuda.pack.PackArguments"));
        assertMembers(offsets(text("pairwise.cu"), "Edges", CallArguments.MAX_RANKS), EdgeArguments.class);
        Map<String, Integer> edge = new LinkedHashMap<>();
        offsets(text("pairwise.cu"), "Edge", 0).forEach((member, at) -> edge.put("edge_" + member, at));
        assertMembers(edge, EdgeArguments.class);
        assertMembers(offsets(text("carry.cu"), "Carry", 0),
            Class.forName("org.brigade.transport.cuda.copy.CarryArguments"));
    }

    @Test
    void operationsHaveTheNumbersThatResidentKernelsKnow() throws IOException {
        Matcher list = Pattern.compile("enum Operation \\{(.*?)\\};", Pattern.DOTALL).matcher(text());
        assertEquals(true, list.find(), "no enum Operation in call.cuh");
        Map<String, Integer> kernels = new LinkedHashMap<>();
        int next = 0;
        for (String each : list.group(1).split(",")) {
            String[] parts = each.trim().split(" = ");
            next = parts.length > 1 ? Integer.parseInt(parts[1]) : next;
            kernels.put(parts[0], next++);
        }
        Map<String, Integer> java = new LinkedHashMap<>();
        for (Operator operator : Operator.values()) {
            if (KernelType.code(operator) >= 0) {
                java.put("OP_" + KernelType.of(operator), KernelType.code(operator));
            }
        }
        java.put("OPERATIONS", java.size());
        java.put("OP_PLACE", ResidentKernel.PLACE);
        java.put("OP_LEAVE", ResidentKernel.LEAVE);
        assertEquals(kernels, java);
    }

    @Test
    void theConstantsOfBothSidesAreEqual() throws Exception {
        Map<String, Long> values = new LinkedHashMap<>();
        for (String line : text().lines().filter(line -> line.startsWith("constexpr")).toList()) {
            Matcher each = CONSTANT.matcher(line);
            while (each.find()) {
                String[] shift = each.group(2).replace("ll", "").split("<<");
                if (each.group(2).matches("[\\dl< ]+")) {
                    values.put(each.group(1),
                        Long.parseLong(shift[0].trim()) << (shift.length > 1 ? Integer.parseInt(shift[1].trim()) : 0));
                }
            }
        }
        assertEquals((long) CallArguments.MAX_RANKS, values.get("MAX_RANKS"));
        assertEquals((long) DeviceKernel.RANKS, values.get("MAX_RANKS"));
        assertEquals((long) Doorbell.BYTES, values.get("DOORBELL_BYTES"));
        assertEquals((long) ResidentKernel.SEND_SIDE_BY_SIDE, values.get("SEND_SIDE_BY_SIDE"));
        assertEquals((long) ResidentKernel.RECV_SIDE_BY_SIDE, values.get("RECV_SIDE_BY_SIDE"));
        assertEquals((long) CallArguments.MAX_BLOCKS, values.get("MAX_BLOCKS"));
        assertEquals(CallArguments.SCRATCH_BYTES, values.get("SCRATCH_BYTES"));
        assertEquals((long) CallArguments.SCRATCH_STATUS, values.get("STATUS_AT"));
        assertEquals((long) CallArguments.SCRATCH_EPOCH, values.get("EPOCH_AT"));
        assertEquals((long) CallArguments.SCRATCH_ACKNOWLEDGED, values.get("ACKNOWLEDGED_AT"));
        assertEquals((long) CallArguments.IN_PLACE, values.get("IN_PLACE"));
        assertEquals((long) CallArguments.OVERLAPS, values.get("OVERLAPS"));
        assertEquals((long) CallArguments.MET, values.get("MET"));
        assertEquals((long) DeviceKernel.REDUCE_SCATTER, values.get("REDUCE_SCATTER"));
        assertEquals(CallArguments.PACKETS_AT, values.get("PACKETS_AT"));
        assertEquals(CallArguments.PACKET_SLOT_BYTES, values.get("PACKET_SLOT_BYTES"));
        assertEquals(CallArguments.LINES_BYTES, values.get("LINES_BYTES"));
        assertEquals(2 * LinesKernel.CALL_BYTES, values.get("LINES_BYTES"));
        assertTrue(text("device.cuh").contains("constexpr int LINE_BYTES = " + LinesKernel.LINE_BYTES
            + ", LINE_DATA = " + LinesKernel.LINE_DATA + ";"));
        assertEquals((long) CallArguments.WHOLE_LINES, values.get("WHOLE_LINES"));
        assertEquals((long) DeviceKernel.RELAYED, values.get("RELAYED"));
        assertEquals((long) DeviceKernel.GATHERED, values.get("GATHERED"));
        assertTrue(text("pairwise.cu").contains("constexpr int MOST_EDGES = " + PairwiseKernel.MOST_EDGES + ";"));
        assertTrue(text("pairwise.cu").contains("constexpr int UNIT = " + PairwiseKernel.UNIT + ";"));
    }
}
