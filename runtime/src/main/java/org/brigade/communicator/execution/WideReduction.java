package org.brigade.communicator.execution;

import mpi.NarrowFloat;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.Reduction.Operator;
import mpi.spi.TypeLayout;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiners;

/**
 * A reduction that is no chain of combinations of two values: averages, premultiplied sums, and sums and products of
 * 8-bit numbers, whose partial results such a number could not hold. It runs as a sum or product of floats, or of
 * doubles, in arrays of its own: the input is widened into them, and the result is rounded once, when all ranks' values
 * are in it. Ranks whose wide results are equal bit for bit get equal results.
 *
 * <p>
 * Memory: an array for the input; another for the result of a reduce-scatter.
 */
public final class WideReduction {
    private static final TypeLayout FLOAT = TypeLayout.of("MPI.FLOAT", ElementKind.FLOAT, 1);
    private static final TypeLayout DOUBLE = TypeLayout.of("MPI.DOUBLE", ElementKind.DOUBLE, 1);
    // The same objects in all calls, as combiners are found by identity.
    private static final Reduction SUM = Reduction.predefined(Operator.SUM);
    private static final Reduction PROD = Reduction.predefined(Operator.PROD);
    /** A copy from or to a device takes some 10 us however short, so pieces are long; a multiple of all item sizes. */
    private static final int PIECE_BYTES = 512 << 10;

    private final Call user;
    /** The call to run, whose buffers {@link #prepare} sets. */
    private final Call wide;
    private final TypeLayout layout;
    /** Null for types of floats or doubles. */
    private final NarrowFloat format;
    /** Bytes of a number in the user's buffers. */
    private final int bytes;
    private final boolean scatters;
    private final boolean hasResult;
    private int inputs;
    private int results;
    // A piece, before it is widened and after it has been narrowed.
    private NativeMemory staging;
    private short[] shorts;
    private byte[] octets;

    /** @param user a call that {@link #isNeeded} is true for, filled in */
    public WideReduction(Call user) {
        this.user = user;
        TypeLayout type = user.type;
        layout = type.kind == ElementKind.DOUBLE ? DOUBLE : FLOAT;
        format = type.numbers.isNarrow() ? Combiners.format(type) : null;
        bytes = type.kind.bytes;
        scatters = user.collective == Collective.REDUCE_SCATTER;
        hasResult = user.collective != Collective.REDUCE || user.isRoot();
        wide = new Call(user.rank, user.ranks).begin(user.collective, user.blocking).root(user.root)
            .reduction(layout, user.op.operator == Operator.PROD ? PROD : SUM);
        int ratio = layout.extent / bytes;
        inputs = (int) (user.send.blocks.total() / bytes);
        if (scatters) {
            long[] places = new long[user.ranks];
            long[] lengths = new long[user.ranks];
            for (int rank = 0; rank < user.ranks; rank++) {
                places[rank] = user.send.blocks.offset(rank) * ratio;
                lengths[rank] = user.send.blocks.length(rank) * ratio;
            }
            wide.send.placed(null, places, lengths);
            wide.recv.own(null, 0, lengths[user.rank]);
            results = (int) (lengths[user.rank] / layout.extent);
        } else if (hasResult) {
            wide.recv.vector(null, 0, inputs, layout.extent);
            wide.inPlace();
            results = inputs;
        } else {
            wide.send.vector(null, 0, inputs, layout.extent);
        }
    }

    /** Whether a call has to run in this way on the host. The same on all ranks of a call. */
    public static boolean isNeeded(Call call) {
        Reduction op = call.op;
        if (op == null) {
            return false;
        }
        return !op.operator.isBinary()
            || call.type.numbers.isFloat8() && (op.operator == Operator.SUM || op.operator == Operator.PROD);
    }

    /** The call to run in place of the user's. */
    public Call call() {
        return wide;
    }

    /** Widens the input: before the call runs. */
    public void prepare() {
        Object data = array(inputs);
        wide.send.buffer = data;
        if (hasResult) {
            wide.recv.buffer = scatters ? array(results) : data;
        }
        Region from = new Region();
        int most = PIECE_BYTES / bytes;
        for (int at = 0; at < inputs; at += most) {
            int count = Math.min(most, inputs - at);
            if (at == 0) {
                from.wrap(user.send.buffer, user.send.offset);
                reserve(count);
            }
            from.read((long) at * bytes, staging, 0, count * bytes);
            if (layout == DOUBLE) {
                double[] doubles = (double[]) data;
                staging.doubles.get(0, doubles, at, count);
                multiply(doubles, at, count, user.op.factor);
            } else {
                float[] widened = (float[]) data;
                widen(widened, at, count);
                multiply(widened, at, count, (float) user.op.factor);
            }
        }
        from.clear();
    }

    /** Rounds the result into the user's buffer: after the call has run. */
    public void deliver() {
        if (hasResult && !(user.collective == Collective.EXSCAN && user.rank == 0)) {
            Object data = wide.recv.buffer;
            Region to = new Region();
            int most = PIECE_BYTES / bytes;
            for (int at = 0; at < results; at += most) {
                int count = Math.min(most, results - at);
                if (at == 0) {
                    to.wrap(user.recv.buffer, user.recv.offset);
                    reserve(count);
                }
                if (layout == DOUBLE) {
                    double[] doubles = (double[]) data;
                    divide(doubles, at, count);
                    staging.doubles.put(0, doubles, at, count);
                } else {
                    divide((float[]) data, at, count);
                    narrow((float[]) data, at, count);
                }
                to.write((long) at * bytes, staging, 0, count * bytes);
            }
            to.clear();
        }
        wide.clear();
    }

    private Object array(int count) {
        return layout == DOUBLE ? new double[count] : (Object) new float[count];
    }

    private void reserve(int count) {
        if (staging == null || staging.capacity() < count * bytes) {
            staging = NativeMemory.allocate(count * bytes);
            shorts = bytes == 2 ? new short[count] : null;
            octets = bytes == 1 ? new byte[count] : null;
        }
    }

    private void widen(float[] to, int at, int count) {
        if (bytes == 2) {
            staging.shorts.get(0, shorts, 0, count);
            format.toFloats(shorts, 0, to, at, count);
        } else if (bytes == 1) {
            staging.bytes.get(0, octets, 0, count);
            format.toFloats(octets, 0, to, at, count);
        } else {
            staging.floats.get(0, to, at, count);
        }
    }

    private void narrow(float[] from, int at, int count) {
        if (bytes == 2) {
            format.fromFloats(from, at, shorts, 0, count);
            staging.shorts.put(0, shorts, 0, count);
        } else if (bytes == 1) {
            format.fromFloats(from, at, octets, 0, count);
            staging.bytes.put(0, octets, 0, count);
        } else {
            staging.floats.put(0, from, at, count);
        }
    }

    private void multiply(float[] values, int at, int count, float factor) {
        for (int i = at; factor != 1 && i < at + count; i++) {
            values[i] *= factor;
        }
    }

    private void multiply(double[] values, int at, int count, double factor) {
        for (int i = at; factor != 1 && i < at + count; i++) {
            values[i] *= factor;
        }
    }

    private void divide(float[] values, int at, int count) {
        for (int i = at; user.op.operator == Operator.AVG && i < at + count; i++) {
            values[i] /= user.ranks;
        }
    }

    private void divide(double[] values, int at, int count) {
        for (int i = at; user.op.operator == Operator.AVG && i < at + count; i++) {
            values[i] /= user.ranks;
        }
    }
}
