package org.brigade.transport.cuda.calls;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Prequest;
import mpi.Request;
import org.brigade.transport.cuda.Driver;

/** One call with buffers in one kind of memory, and all that these buffers hold afterwards. */
final class Trial {
    /** Where buffers lie; MIXED: at even ranks on a device, at odd ones on the host. */
    enum Space {
        HOST, DEVICE, MIXED
    }

    /** In front of the data of the capital dialect, and behind all data, in elements. */
    static final int OFFSET = 3;
    private static final int GUARD = 5;
    private static final int HEAP_FILLER = 77;

    final Intracomm world;
    final int rank;
    final int size;
    final Shape shape;
    final Datatype type;
    /** Items of a block. */
    final int n;
    private final boolean device;
    private final List<Object> buffers = new ArrayList<>();
    private final List<Integer> lengths = new ArrayList<>();
    private int made;

    Trial(Intracomm world, Shape shape, int n, Space space) {
        this.world = world;
        this.shape = shape;
        this.n = n;
        type = shape.type;
        rank = world.getRank();
        size = world.getSize();
        device = space == Space.DEVICE || space == Space.MIXED && rank % 2 == 0;
    }

    /** A buffer of the camel dialect with so many items of data. */
    Object in(int items) {
        return buffer(elements(items, 0), true, false);
    }

    /** One for so many items that come. */
    Object out(int items) {
        return buffer(elements(items, 0), false, false);
    }

    /** As {@link #in}, for the capital dialect: behind {@link #OFFSET}. */
    Object inArray(int items) {
        return buffer(elements(items, OFFSET), true, true);
    }

    Object outArray(int items) {
        return buffer(elements(items, OFFSET), false, true);
    }

    /** So many elements side by side. */
    Object inElements(int elements) {
        return buffer(elements + GUARD, true, false);
    }

    Object outElements(int elements) {
        return buffer(elements + GUARD, false, false);
    }

    private int elements(int items, int before) {
        return before + Math.max(0, (items - 1) * shape.extent + shape.span) + GUARD;
    }

    private Object buffer(int elements, boolean filled, boolean array) {
        int bytes = shape.bytes(elements);
        byte[] content = new byte[bytes];
        made++;
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) (filled ? (i * 31 + rank * 17 + made * 7 >> (i & 1)) & 0x3f : HEAP_FILLER);
        }
        Object buffer;
        if (device) {
            CUdeviceptr memory = Driver.allocate(bytes);
            Driver.ok(JCudaDriver.cuMemcpyHtoD(memory, Pointer.to(content), bytes));
            buffer = memory;
        } else if (!array) {
            buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder()).put(0, content);
        } else if (shape.element == MPI.BYTE) {
            buffer = content;
        } else {
            int[] ints = new int[elements];
            ByteBuffer.wrap(content).order(ByteOrder.nativeOrder()).asIntBuffer().get(ints);
            buffer = ints;
        }
        buffers.add(buffer);
        lengths.add(bytes);
        return buffer;
    }

    /** What all buffers hold, in the order in which they were made; device memory is freed. */
    List<byte[]> outcome() {
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < buffers.size(); i++) {
            byte[] bytes = new byte[lengths.get(i)];
            Object buffer = buffers.get(i);
            if (buffer instanceof CUdeviceptr memory) {
                Driver.ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(bytes), memory, bytes.length));
                Driver.ok(JCudaDriver.cuMemFree(memory));
            } else if (buffer instanceof ByteBuffer direct) {
                direct.get(0, bytes);
            } else if (buffer instanceof int[] ints) {
                ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asIntBuffer().put(ints);
            } else {
                bytes = (byte[]) buffer;
            }
            all.add(bytes);
        }
        return all;
    }

    /** Completes a request: a persistent one runs twice. */
    static void complete(Request request) {
        if (request instanceof Prequest persistent) {
            for (int i = 0; i < 2; i++) {
                persistent.start();
                persistent.waitFor();
            }
            persistent.free();
        } else if (request != null) {
            request.waitFor();
        }
    }

    int right() {
        return (rank + 1) % size;
    }

    int left() {
        return (rank + size - 1) % size;
    }

    /** Counts of blocks that differ by rank. */
    int[] counts() {
        int[] counts = new int[size];
        for (int i = 0; i < size; i++) {
            counts[i] = n - (i & 1);
        }
        return counts;
    }

    /** Places of such blocks, the last first, with an item free behind some. */
    int[] places() {
        int[] places = new int[size];
        for (int i = 0; i < size; i++) {
            places[i] = (size - 1 - i) * n;
        }
        return places;
    }

    int[] all(int value) {
        int[] all = new int[size];
        java.util.Arrays.fill(all, value);
        return all;
    }

    /** Displacements of w-calls, in bytes. */
    int[] bytes(int[] items) {
        int[] bytes = new int[items.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = shape.bytes(items[i] * shape.extent);
        }
        return bytes;
    }

    Datatype[] types(int ranks) {
        Datatype[] types = new Datatype[ranks];
        java.util.Arrays.fill(types, type);
        return types;
    }
}
