package mpi.concurrent;

import java.io.Serializable;

/** Work without a result that another rank can do: a lambda that is passed as one is sent with what it captures. */
@FunctionalInterface
public interface Action extends Runnable, Serializable {
}
