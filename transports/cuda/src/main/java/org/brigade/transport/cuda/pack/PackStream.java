package org.brigade.transport.cuda.pack;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaResult;

/**
 * Packs between items and other memory on one stream, one copy after another. What goes to or from the host passes a
 * bounce buffer on the device: a kernel packs into it, and a copy brings it over. All calls need the GPU's context
 * current.
 */
public final class PackStream {
    private static final int BOUNCE_BYTES = 1 << 20;

    final CUstream stream;
    private final Packer packer;
    /** Made when first needed. */
    private CUdeviceptr bounce;

    PackStream(Packer packer, CUstream stream) {
        this.packer = packer;
        this.stream = stream;
    }

    /** For copies of these items, and of others on their GPU, on a stream of that GPU. */
    public static PackStream on(CUstream stream, PackedMemory items) {
        return new PackStream(items.packer, stream);
    }

    /** Begins to pack into host memory. */
    public void read(PackedMemory items, long at, Pointer target, int length) {
        for (int done = 0; done < length;) {
            int piece = Math.min(BOUNCE_BYTES, length - done);
            packer.launch(true, items, at + done, bounce(), piece, stream);
            CudaResult.check(JCudaDriver.cuMemcpyDtoHAsync(target.withByteOffset(done), bounce, piece, stream),
                "cuMemcpyDtoHAsync of " + piece + " bytes from " + packer.gpu);
            done += piece;
        }
    }

    /** Begins to unpack from host memory. */
    public void write(PackedMemory items, long at, Pointer source, int length) {
        for (int done = 0; done < length;) {
            int piece = Math.min(BOUNCE_BYTES, length - done);
            bounce();
            CudaResult.check(JCudaDriver.cuMemcpyHtoDAsync(bounce, source.withByteOffset(done), piece, stream),
                "cuMemcpyHtoDAsync of " + piece + " bytes to " + packer.gpu);
            packer.launch(false, items, at + done, bounce(), piece, stream);
            done += piece;
        }
    }

    /** Begins to unpack from an address that the GPU can use, its own or a peer's. */
    public void pull(PackedMemory items, long at, long source, long length) {
        if (length > 0) {
            packer.launch(false, items, at, source, length, stream);
        }
    }

    /** Begins to copy from items to items. */
    void copy(PackedMemory source, long at, PackedMemory target, long targetAt, long length) {
        for (long done = 0; done < length;) {
            long piece = Math.min(BOUNCE_BYTES, length - done);
            packer.launch(true, source, at + done, bounce(), piece, stream);
            packer.launch(false, target, targetAt + done, bounce(), piece, stream);
            done += piece;
        }
    }

    private long bounce() {
        if (bounce == null) {
            CUdeviceptr made = new CUdeviceptr();
            CudaResult.check(JCudaDriver.cuMemAlloc(made, BOUNCE_BYTES),
                "cuMemAlloc of " + BOUNCE_BYTES + " bytes to pack in on " + packer.gpu);
            bounce = made;
        }
        return Addresses.of(bounce);
    }

    void await() {
        CudaResult.check(JCudaDriver.cuStreamSynchronize(stream), "packing on " + packer.gpu);
    }

    /** Frees the bounce buffer; nothing may run. */
    public void close() {
        if (bounce != null) {
            JCudaDriver.cuMemFree(bounce);
        }
    }
}
