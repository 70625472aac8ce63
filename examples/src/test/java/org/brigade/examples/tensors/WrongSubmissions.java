package org.brigade.examples.tensors;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import mpi.Intracomm;
import mpi.MPI;

/** All that three ranks can do wrong with named tensors, one after the other. Every rank prints what it is told. */
public final class WrongSubmissions {
    private static final Duration PATIENCE = Duration.ofMillis(300);

    private WrongSubmissions() {
    }

    private static void say(String what, Callable<?> call) throws Exception {
        String told;
        try {
            Object value = call.call();
            told = value instanceof HostTensor tensor ? "sum " + ((float[]) tensor.values().array())[0] : "" + value;
        } catch (ExecutionException e) {
            told = e.getCause().getMessage();
        } catch (IllegalStateException e) {
            told = e.getMessage();
        }
        System.out.println(MPI.COMM_WORLD.getRank() + " " + what + ": " + told);
    }

    private static <T> T of(CompletableFuture<T> sum) throws Exception {
        return sum.get(60, TimeUnit.SECONDS);
    }

    private static HostTensor ones(String name, int length) {
        float[] values = new float[length];
        Arrays.fill(values, 1);
        return HostTensor.of(name, values);
    }

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        Intracomm own = MPI.COMM_WORLD.dup();
        TensorExchange<HostTensor> exchange =
            new TensorExchange<>(own, new HostFusion(own, 1 << 10), Duration.ofMillis(1), PATIENCE);
        say("length", () -> of(exchange.submit(ones("bias", rank == 2 ? 12 : 10))));
        say("type", () -> of(exchange.submit(
            rank == 1 ? HostTensor.of("weight", new double[4]) : HostTensor.of("weight", new float[4]))));
        say("mended", () -> of(exchange.submit(ones("bias", 10))));
        say("other length", () -> of(exchange.submit(ones("bias", 11))));

        CompletableFuture<HostTensor> first = rank == 1 ? exchange.submit(ones("double", 3)) : null;
        say("twice", () -> rank == 1 ? exchange.submit(ones("double", 3)) : null);
        MPI.COMM_WORLD.barrier();
        say("once", () -> of(rank == 1 ? first : exchange.submit(ones("double", 3))));

        // Rank 0 is late with one tensor; the other, which all have, is not held up.
        CompletableFuture<HostTensor> late = rank == 0 ? null : exchange.submit(ones("late", 5));
        say("beside", () -> of(exchange.submit(ones("prompt", 5))));
        if (rank == 0) {
            Thread.sleep(2 * PATIENCE.toMillis() + 100);
        }
        say("late", () -> of(rank == 0 ? exchange.submit(ones("late", 5)) : late));

        CompletableFuture<HostTensor> lost = rank == 1 ? exchange.submit(ones("lost", 5)) : null;
        MPI.COMM_WORLD.barrier();
        if (rank == 2) {
            exchange.close();
        }
        say("lost", () -> rank == 1 ? of(lost) : null);
        MPI.COMM_WORLD.barrier();
        exchange.close(); // has ended already, and this rank has seen it when close returns
        say("closed", () -> exchange.submit(ones("behind", 5)));
        own.free();
        MPI.Finalize();
    }
}
