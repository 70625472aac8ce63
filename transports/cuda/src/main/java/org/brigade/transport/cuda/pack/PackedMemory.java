package org.brigade.transport.cuda.pack;

import java.nio.ByteBuffer;
import mpi.spi.DeviceBuffer;
import org.brigade.transport.cuda.driver.CudaBuffer;
import org.brigade.transport.cuda.driver.PackedBuffer;

/** The packed bytes of items with gaps, which kernels pack and unpack. */
public final class PackedMemory extends PackedBuffer {
    private static final int PIECE = 1 << 20;

    final Packer packer;
    final RunList list;
    /** Address of item 0. */
    final long base;

    PackedMemory(Packer packer, CudaBuffer memory, long place, RunList list) {
        super(memory);
        this.packer = packer;
        this.list = list;
        base = memory.address + place;
    }

    @Override
    public void read(long at, ByteBuffer target, int targetAt, int length) {
        packer.read(this, at, target, targetAt, length);
    }

    @Override
    public void write(long at, ByteBuffer source, int sourceAt, int length) {
        packer.write(this, at, source, sourceAt, length);
    }

    @Override
    public void copy(long at, DeviceBuffer target, long targetAt, long length) {
        if (CudaBuffer.of(target).allocation.gpu != packer.gpu || CudaBuffer.of(target).allocation.foreign != null) {
            throughHost(this, at, target, targetAt, length);
        } else if (target instanceof PackedMemory items) {
            packer.copy(this, at, items, targetAt, length);
        } else {
            packer.move(true, this, at, target.address + targetAt, length);
        }
    }

    @Override
    protected void fill(long at, CudaBuffer source, long sourceAt, long length) {
        if (source.allocation.gpu != packer.gpu || source.allocation.foreign != null) {
            throughHost(source, sourceAt, this, at, length);
        } else {
            packer.move(false, this, at, source.address + sourceAt, length);
        }
    }

    private static void throughHost(DeviceBuffer source, long from, DeviceBuffer target, long to, long length) {
        ByteBuffer between = ByteBuffer.allocateDirect((int) Math.min(PIECE, length));
        for (long done = 0; done < length;) {
            int piece = (int) Math.min(PIECE, length - done);
            source.read(from + done, between, 0, piece);
            target.write(to + done, between, 0, piece);
            done += piece;
        }
    }
}
