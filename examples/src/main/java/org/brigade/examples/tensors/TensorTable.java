package org.brigade.examples.tensors;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * A number for each name, and the type and length that each rank has announced for it. All ranks have the same table,
 * because every rank enters the same announcements in the same order: by rank, and as that rank has made them.
 */
final class TensorTable {
    private final Intracomm comm;
    private final int rank;
    private final int ranks;
    private final List<String> names = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    /** By number and rank, such as float[10]; null before the rank has announced the tensor. */
    private final List<String[]> shapes = new ArrayList<>();

    TensorTable(Intracomm comm) throws MPIException {
        this.comm = comm;
        rank = comm.getRank();
        ranks = comm.getSize();
    }

    int size() {
        return names.size();
    }

    String name(int number) {
        return names.get(number);
    }

    int number(String name) {
        return numbers.get(name);
    }

    /** Whether all ranks know that this rank has this tensor, with this type and length. */
    boolean knows(NamedTensor tensor) {
        Integer number = numbers.get(tensor.name());
        return number != null && shape(tensor).equals(shapes.get(number)[rank]);
    }

    private static String shape(NamedTensor tensor) {
        return tensor.type() + "[" + tensor.length() + "]";
    }

    /** Enters what the ranks announce. Called on all ranks together, by some of them with nothing. */
    void announce(Collection<? extends NamedTensor> tensors) throws MPIException {
        try {
            byte[] own = encode(tensors);
            int[] lengths = new int[ranks];
            lengths[rank] = own.length;
            comm.allGather(lengths, 1, MPI.INT);
            int[] starts = new int[ranks];
            for (int each = 1; each < ranks; each++) {
                starts[each] = starts[each - 1] + lengths[each - 1];
            }
            byte[] all = new byte[starts[ranks - 1] + lengths[ranks - 1]];
            comm.allGatherv(own, own.length, MPI.BYTE, all, lengths, starts, MPI.BYTE);
            for (int each = 0; each < ranks; each++) {
                enter(each, new DataInputStream(new ByteArrayInputStream(all, starts[each], lengths[each])));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] encode(Collection<? extends NamedTensor> tensors) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (NamedTensor tensor : tensors) {
            out.writeUTF(tensor.name());
            out.writeUTF(shape(tensor));
        }
        return bytes.toByteArray();
    }

    private void enter(int announcer, DataInputStream announcements) throws IOException {
        while (announcements.available() > 0) {
            String name = announcements.readUTF();
            Integer number = numbers.putIfAbsent(name, names.size());
            if (number == null) {
                number = names.size();
                names.add(name);
                shapes.add(new String[ranks]);
            }
            shapes.get(number)[announcer] = announcements.readUTF();
        }
    }

    /** What is wrong with a tensor that all ranks have announced; null if they agree. */
    String mismatch(int number) {
        Map<String, List<Integer>> ranksByShape = new TreeMap<>();
        for (int each = 0; each < ranks; each++) {
            ranksByShape.computeIfAbsent(shapes.get(number)[each], shape -> new ArrayList<>()).add(each);
        }
        if (ranksByShape.size() == 1) {
            return null;
        }
        List<String> differences = new ArrayList<>();
        ranksByShape.forEach((shape, those) -> differences.add(shape + " on " + ranks(those)));
        return "allreduce of tensor " + names.get(number) + ": it is " + String.join(" and ", differences)
            + "; give it the same type and length on all ranks";
    }

    /** For people: rank 2; ranks 0, 1. */
    static String ranks(List<Integer> ranks) {
        String listed = ranks.toString();
        return (ranks.size() == 1 ? "rank " : "ranks ") + listed.substring(1, listed.length() - 1);
    }
}
