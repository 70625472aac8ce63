package org.brigade.transport.cuda;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.spi.DeviceBuffer;
import mpi.spi.TypeMap;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.pack.KernelCopy;

/**
 * Items with gaps of random shapes in device memory, packed and unpacked by kernels, beside a copy of each byte. One
 * process; says which draw went wrong.
 */
public final class PackTrial {
    private static final int DRAWS = 300;
    private static final int LARGEST = 40_000;
    private static final int LONG = (5 << 20) / 2;
    private static final byte FILLER = 99;

    private static final CudaDevices DEVICES = new CudaDevices();
    private static SplittableRandom random;

    private PackTrial() {
    }

    public static void main(String[] arguments) {
        Driver.enter(0);
        JCudaDriver.setExceptionsEnabled(Boolean.getBoolean("jcuda.exceptions"));
        int devices = CudaDriver.devices();
        for (int draw = 0; draw < DRAWS; draw++) {
            random = new SplittableRandom(draw);
            try {
                draw(draw % 2 == 0 ? 0 : random.nextInt(devices));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("draw " + draw, e);
            }
        }
        longStretches();
        copies();
        System.out.println("all is well");
    }

    /** Bytes side by side, by a kernel: between addresses of every alignment, and nothing beside them. */
    private static void copies() {
        Gpu gpu = new Gpu(0);
        gpu.enter();
        KernelCopy copy = new KernelCopy(gpu);
        CUstream stream = gpu.newStream();
        random = new SplittableRandom(1);
        for (int bytes : new int[] {1, 16, 4096, 4099, 1 << 20, (1 << 20) + 8}) {
            int from = random.nextInt(17);
            int to = random.nextInt(17);
            byte[] source = content(from + bytes + 16);
            byte[] expected = content(to + bytes + 16);
            CUdeviceptr sourceAt = memory(0, source);
            CUdeviceptr targetAt = memory(0, expected);
            copy.begin(Addresses.of(targetAt) + to, Addresses.of(sourceAt) + from, bytes, stream);
            Driver.ok(JCudaDriver.cuStreamSynchronize(stream));
            System.arraycopy(source, from, expected, to, bytes);
            if (!Arrays.equals(expected, bytes(targetAt, expected.length))) {
                throw new AssertionError("a copy of " + bytes + " bytes from " + from + " to " + to);
            }
        }
        gpu.leave();
    }

    // ---- shapes ----

    /** Elements of a few bytes, so that accesses of every width come. */
    private static TypeMap item(int depth) {
        int element = 1 << random.nextInt(5);
        TypeMap map = TypeMap.contiguous(1 + random.nextInt(4), element);
        for (int i = 0; i < depth; i++) {
            int count = 1 + random.nextInt(4);
            if (random.nextBoolean()) {
                map = TypeMap.repeated(map, count, map.highest - map.lowest + (long) element * random.nextInt(4));
            } else {
                TypeMap[] parts = new TypeMap[count];
                long[] places = new long[count];
                long at = 0;
                for (int part = 0; part < count; part++) {
                    parts[part] = random.nextInt(3) == 0 ? TypeMap.contiguous(1 + random.nextInt(3), element) : map;
                    at += (long) element * random.nextInt(3) - parts[part].lowest;
                    places[part] = at;
                    at += parts[part].highest;
                }
                map = TypeMap.sequence(parts, places);
            }
        }
        return map;
    }

    // ---- memory ----

    private static byte[] content(int bytes) {
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) random.nextInt(90);
        }
        return content;
    }

    private static CUdeviceptr memory(int gpu, byte[] content) {
        Driver.enter(gpu);
        CUdeviceptr at = Driver.allocate(content.length);
        Driver.ok(JCudaDriver.cuMemcpyHtoD(at, Pointer.to(content), content.length));
        return at;
    }

    private static byte[] bytes(CUdeviceptr at, int bytes) {
        byte[] all = new byte[bytes];
        Driver.ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(all), at, bytes));
        return all;
    }

    private static byte[] packed(byte[] memory, TypeMap items, long place, long from, int length) {
        byte[] bytes = new byte[length];
        int[] next = {0};
        items.visit(place, from, from + length, (at, stride, block, count) -> {
            for (long i = 0; i < count; i++, next[0] += (int) block) {
                System.arraycopy(memory, (int) (at + i * stride), bytes, next[0], (int) block);
            }
        });
        return bytes;
    }

    private static void unpack(byte[] memory, TypeMap items, long place, long to, byte[] bytes) {
        int[] next = {0};
        items.visit(place, to, to + bytes.length, (at, stride, block, count) -> {
            for (long i = 0; i < count; i++, next[0] += (int) block) {
                System.arraycopy(bytes, next[0], memory, (int) (at + i * stride), (int) block);
            }
        });
    }

    private static void same(String what, byte[] expected, byte[] found) {
        int at = Arrays.mismatch(expected, found);
        if (at >= 0) {
            throw new AssertionError(what + ": byte " + at + " of " + found.length + " is " + found[at] + ", not "
                + expected[at]);
        }
    }

    // ---- what is tried ----

    /** Items in a buffer; stretches of their packed bytes begin and end anywhere, also before item 0. */
    private static void draw(int gpu) {
        TypeMap item = item(random.nextInt(4));
        long extent = item.highest - item.lowest + random.nextInt(3) * 8L;
        int count = 2 + random.nextInt((int) Math.max(1, LARGEST / extent));
        TypeMap items = TypeMap.repeated(item, 1L << 31, extent);
        int before = random.nextInt(count);
        int bytes = (int) (extent * count) + 64;
        long place = extent * before - item.lowest + random.nextInt(9);
        byte[] source = content(bytes);
        CUdeviceptr memory = memory(gpu, source);
        DeviceBuffer packed = ((DeviceBuffer) DEVICES.underlying(memory)).packed(place, items);
        if (packed == null) {
            throw new AssertionError("no kernel packs " + items);
        }
        long first = -(long) before * item.size;
        int all = (int) (count * item.size);
        int from = random.nextInt(all);
        int length = 1 + random.nextInt(all - from);
        byte[] expected = packed(source, items, place, first + from, length);

        ByteBuffer host = ByteBuffer.allocateDirect(length + 7);
        packed.read(first + from, host, 7, length);
        byte[] found = new byte[length];
        host.get(7, found);
        same("read", expected, found);

        byte[] fresh = content(length);
        host.put(7, fresh);
        packed.write(first + from, host, 7, length);
        unpack(source, items, place, first + from, fresh);
        same("write", source, bytes(memory, bytes));

        int other = random.nextInt(CudaDriver.devices());
        byte[] flat = new byte[length + 16];
        Arrays.fill(flat, FILLER);
        CUdeviceptr sideBySide = memory(other, flat);
        DeviceBuffer plain = (DeviceBuffer) DEVICES.underlying(sideBySide);
        int skip = random.nextInt(9);
        packed.copy(first + from, plain, skip, length);
        System.arraycopy(fresh, 0, flat, skip, length);
        same("copy out", flat, bytes(sideBySide, flat.length));

        byte[] twice = content(flat.length);
        Driver.ok(JCudaDriver.cuMemcpyHtoD(sideBySide, Pointer.to(twice), twice.length));
        plain.copy(skip, packed, first + from, length);
        unpack(source, items, place, first + from, Arrays.copyOfRange(twice, skip, skip + length));
        same("copy in", source, bytes(memory, bytes));

        CUdeviceptr second = memory(other, new byte[bytes]);
        packed.copy(first + from, ((DeviceBuffer) DEVICES.underlying(second)).packed(place, items), first + from,
            length);
        byte[] alike = new byte[bytes];
        unpack(alike, items, place, first + from, packed(source, items, place, first + from, length));
        same("items to items", alike, bytes(second, bytes));
        for (CUdeviceptr each : new CUdeviceptr[] {memory, sideBySide, second}) {
            Driver.ok(JCudaDriver.cuMemFree(each));
        }
    }

    /** Longer than the buffers between device and host. */
    private static void longStretches() {
        random = new SplittableRandom(7);
        TypeMap column = TypeMap.repeated(TypeMap.contiguous(1, 8), 1L << 31, 16);
        byte[] source = content(2 * LONG);
        CUdeviceptr memory = memory(0, source);
        DeviceBuffer packed = ((DeviceBuffer) DEVICES.underlying(memory)).packed(0, column);
        ByteBuffer host = ByteBuffer.allocateDirect(LONG);
        packed.read(0, host, 0, LONG);
        byte[] found = new byte[LONG];
        host.get(0, found);
        same("a long read", packed(source, column, 0, 0, LONG), found);
        CUdeviceptr target = memory(0, new byte[2 * LONG]);
        DeviceBuffer there = ((DeviceBuffer) DEVICES.underlying(target)).packed(0, column);
        there.write(0, host, 0, LONG);
        byte[] expected = new byte[2 * LONG];
        unpack(expected, column, 0, 0, found);
        same("a long write", expected, bytes(target, expected.length));
        Driver.ok(JCudaDriver.cuMemcpyHtoD(target, Pointer.to(new byte[2 * LONG]), 2 * LONG));
        packed.copy(0, there, 0, LONG);
        same("a long copy", expected, bytes(target, expected.length));
    }
}
