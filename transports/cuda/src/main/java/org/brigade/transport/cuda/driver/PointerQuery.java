package org.brigade.transport.cuda.driver;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jcuda.CudaException;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** Asks the driver about an address. One object a thread; allocates nothing. */
final class PointerQuery {
    private static final ThreadLocal<PointerQuery> OF_THREAD = new ThreadLocal<>();

    private final ByteBuffer answer = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
    private final Pointer answerPointer = Pointer.to(answer);
    private int result;

    private PointerQuery() {
    }

    static PointerQuery ofThread() {
        PointerQuery query = OF_THREAD.get();
        if (query == null) {
            query = new PointerQuery();
            OF_THREAD.set(query);
        }
        return query;
    }

    /** The value of one attribute of an address; 0 if the driver does not answer, which {@link #answered} tells. */
    long ask(int attribute, CUdeviceptr address) {
        answer.putLong(0, 0);
        try {
            result = JCudaDriver.cuPointerGetAttribute(answerPointer, attribute, address);
        } catch (CudaException e) {
            result = CudaResult.of(e);
        }
        return result == CUresult.CUDA_SUCCESS ? answer.getLong(0) : 0;
    }

    /** Whether the last question was answered. */
    boolean answered() {
        return result == CUresult.CUDA_SUCCESS;
    }

    int result() {
        return result;
    }
}
