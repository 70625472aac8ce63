package mpi.concurrent;

import java.io.Serializable;

/** A function that other ranks apply: a lambda that is passed as one is sent with what it captures. */
@FunctionalInterface
public interface MapFunction<T, R> extends Serializable {
    R apply(T input) throws Exception;
}
