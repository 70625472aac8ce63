package mpi;

import mpi.spi.Call;

/** A user-defined reduction, as in mpiJava. */
public abstract class User_function {
    /**
     * Combines {@code count} items: {@code inoutvec[i] = invec[i] op inoutvec[i]}.
     *
     * @param invec array of the left operands
     * @param inoffset index of the first element of the first item in it
     * @param inoutvec array of the right operands, to be replaced by the results
     * @param inoutoffset index of the first element of the first item in it
     * @param count number of items
     * @param datatype their type
     */
    public abstract void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset, int count,
        Datatype datatype) throws MPIException;
}
