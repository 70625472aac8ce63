package mpi.concurrent;

import java.io.Serializable;
import java.util.concurrent.Callable;

/** Work that another rank can do: a lambda that is passed as one is sent with what it captures. */
@FunctionalInterface
public interface Task<T> extends Callable<T>, Serializable {
}
