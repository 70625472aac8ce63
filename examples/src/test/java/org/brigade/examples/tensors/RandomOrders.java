package org.brigade.examples.tensors;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import mpi.Intracomm;
import mpi.MPI;

/**
 * Four threads of each rank submit tensors of all kinds in random orders, some alone and some together. Every sum must
 * have the bits that an allreduce of the tensor alone gives.
 */
public final class RandomOrders {
    private static final int TENSORS = 60;
    private static final int THREADS = 4;
    private static final int ROUNDS = 30;
    private static final int BUFFER = 2048;

    private RandomOrders() {
    }

    /** The longest ones do not fit into the buffer. */
    private static HostTensor tensor(int number) {
        int length = number % 7 == 0 ? 1000 + number : number % 11;
        String name = "tensor" + number;
        switch (number % 4) {
            case 0 :
                return HostTensor.of(name, new float[length]);
            case 1 :
                return HostTensor.of(name, new double[length]);
            case 2 :
                return new HostTensor(name, MPI.newFloatBuffer(length));
            default :
                return new HostTensor(name, MPI.newDoubleBuffer(length));
        }
    }

    private static void fill(HostTensor tensor, Random random) {
        for (int i = 0; i < tensor.length(); i++) {
            double value = random.nextGaussian() * Math.pow(10, random.nextInt(9));
            if (tensor.values() instanceof FloatBuffer floats) {
                floats.put(i, (float) value);
            } else {
                ((DoubleBuffer) tensor.values()).put(i, value);
            }
        }
    }

    private static ByteBuffer bits(HostTensor tensor) {
        ByteBuffer bits = ByteBuffer.allocate((int) tensor.bytes());
        Buffer values = tensor.values();
        for (int i = 0; i < tensor.length(); i++) {
            if (values instanceof FloatBuffer floats) {
                bits.putInt(Float.floatToRawIntBits(floats.get(i)));
            } else {
                bits.putLong(Double.doubleToRawLongBits(((DoubleBuffer) values).get(i)));
            }
        }
        return bits.flip();
    }

    private static void submit(TensorExchange<HostTensor> exchange, List<HostTensor> share, Random random,
        List<CompletableFuture<?>> sums) {
        for (int first = 0; first < share.size();) {
            int next = Math.min(share.size(), first + 1 + random.nextInt(3));
            CompletableFuture<?> sum = next == first + 1
                ? exchange.submit(share.get(first)) : exchange.submitAll(share.subList(first, next));
            synchronized (sums) {
                sums.add(sum);
            }
            first = next;
        }
    }

    public static void main(String[] args) throws Exception {
        // Adds in the order of ranks, wherever in the vector an element is.
        System.setProperty("brigade.allreduce.algorithm", "direct-exchange");
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        Random random = new Random(rank);
        List<HostTensor> tensors = new ArrayList<>();
        for (int number = 0; number < TENSORS; number++) {
            tensors.add(tensor(number));
        }
        Intracomm own = MPI.COMM_WORLD.dup();
        HostFusion fusion = new HostFusion(own, BUFFER);
        TensorExchange<HostTensor> exchange =
            new TensorExchange<>(own, fusion, Duration.ofMillis(2), Duration.ofMinutes(1));
        int wrong = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<ByteBuffer> expected = new ArrayList<>();
            for (int number = 0; number < TENSORS; number++) {
                HostTensor alone = tensor(number);
                long seed = random.nextLong();
                fill(tensors.get(number), new Random(seed));
                fill(alone, new Random(seed));
                MPI.COMM_WORLD.allReduce(alone.values(), alone.length(), alone.datatype(), MPI.SUM);
                expected.add(bits(alone));
            }
            List<HostTensor> shuffled = new ArrayList<>(tensors);
            Collections.shuffle(shuffled, random);
            List<CompletableFuture<?>> sums = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                List<HostTensor> share = shuffled.subList(t * TENSORS / THREADS, (t + 1) * TENSORS / THREADS);
                Random orders = new Random(random.nextLong());
                threads.add(new Thread(() -> submit(exchange, share, orders, sums)));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            await(sums);
            for (int number = 0; number < TENSORS; number++) {
                wrong += bits(tensors.get(number)).equals(expected.get(number)) ? 0 : 1;
            }
        }
        exchange.close();
        own.free();
        System.out.println("rank " + rank + ": " + wrong + " of " + ROUNDS * TENSORS + " sums wrong, "
            + fusion.allreduces() + " allreduces");
        MPI.Finalize();
    }

    private static void await(List<CompletableFuture<?>> sums)
        throws ExecutionException, InterruptedException, TimeoutException {
        CompletableFuture.allOf(sums.toArray(new CompletableFuture<?>[0])).get(100, TimeUnit.SECONDS);
    }
}
