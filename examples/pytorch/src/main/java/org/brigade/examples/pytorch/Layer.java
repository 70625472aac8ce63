package org.brigade.examples.pytorch;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;

/**
 * A linear layer whose parameters lie side by side in one memory, and their gradients in another. The latter is the
 * bucket: one allreduce averages all gradients of the layer.
 *
 * <pre>
 *   weights    [ weight . . . . . . . | bias . ]    bcast once, from rank 0
 *   gradients  [ weight . . . . . . . | bias . ]    allreduce in every step
 * </pre>
 *
 * PyTorch adds to gradients that exist instead of making new ones, so they stay where they are. Use
 * {@link #clearGradients} and not the optimizer's zero_grad, which by default throws them away.
 */
final class Layer {
    final LinearImpl linear;
    final FlatMemory weights;
    final FlatMemory gradients;
    private final FlatMemory rank0s;
    private Request averaging;

    Layer(int inputs, int outputs, FlatMemory.Source source) {
        linear = new LinearImpl(inputs, outputs);
        int floats = (inputs + 1) * outputs;
        weights = source.allocate(floats);
        gradients = source.allocate(floats);
        rank0s = source.allocate(floats);
        TensorVector parameters = linear.parameters();
        long at = 0;
        for (long i = 0; i < parameters.size(); i++) {
            Tensor parameter = parameters.get(i);
            Tensor place = weights.tensor.narrow(0, at, parameter.numel()).view_as(parameter);
            place.copy_(parameter.detach());
            parameter.set_data(place);
            parameter.mutable_grad().put(gradients.tensor.narrow(0, at, parameter.numel()).view_as(parameter));
            at += parameter.numel();
        }
    }

    Tensor forward(Tensor input) {
        return linear.forward(input);
    }

    void clearGradients() {
        gradients.tensor.zero_();
    }

    /** Begins to average the gradients of all ranks, which must be complete here, and returns at once. */
    void startAveraging(Intracomm comm) throws MPIException {
        gradients.complete();
        averaging = comm.iAllReduce(gradients.buffer, gradients.floats, MPI.FLOAT, MPI.AVG);
    }

    /** Returns when the gradients are the averages. */
    void awaitAverages() throws MPIException {
        averaging.waitFor();
        averaging = null;
    }

    /** Gives all ranks the weights of rank 0. */
    void shareWeights(Intracomm comm) throws MPIException {
        weights.complete();
        comm.bcast(weights.buffer, weights.floats, MPI.FLOAT, 0);
    }

    /** Whether this rank's weights have the bits of rank 0's. All ranks must call it. */
    boolean hasWeightsOfRank0(Intracomm comm) throws MPIException {
        rank0s.tensor.copy_(weights.tensor);
        rank0s.complete();
        comm.bcast(rank0s.buffer, rank0s.floats, MPI.FLOAT, 0);
        return weights.tensor.equal(rank0s.tensor);
    }
}
