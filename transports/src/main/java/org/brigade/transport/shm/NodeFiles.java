package org.brigade.transport.shm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.brigade.interrupt.FileStep;
import org.brigade.nativ.Libc;
import org.brigade.nativ.Mapping;
import org.brigade.transport.NodeMemory;

/**
 * Memory of windows, in files of /dev/shm that lose their names as soon as all ranks have mapped them. A name tells its
 * maker, so that a later job removes a file whose maker was killed before that.
 */
final class NodeFiles implements NodeMemory {
    static final NodeMemory OF_THIS_NODE = new NodeFiles(Path.of(ShmTransport.DIRECTORY));

    private static final int ZEROS = 256 << 10;
    /** Less is left to the garbage collector, which unmaps what nobody refers to: a call would load JNA. */
    private static final int WORTH_A_CALL = 1 << 20;
    private static final int PAGE = 4096;

    private final Path directory;

    NodeFiles(Path directory) {
        this.directory = directory;
    }

    @Override
    public String make() throws IOException {
        String name = AreaFiles.newName();
        Set<OpenOption> options =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        Set<PosixFilePermission> ours = EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        FileChannel.open(directory.resolve(name), options, PosixFilePermissions.asFileAttribute(ours)).close();
        return name;
    }

    @Override
    public void fill(String name, long from, int bytes) throws IOException {
        new FileStep<Void>() {
            @Override
            protected Void attempt() throws IOException {
                try (FileChannel file = open(name)) {
                    fill(file, from, bytes);
                }
                return null;
            }
        }.run();
    }

    private FileChannel open(String name) throws IOException {
        return FileChannel.open(directory.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
    }

    private static void fill(FileChannel file, long from, int bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(ZEROS, bytes));
        for (int done = 0; done < bytes;) {
            zeros.clear().limit(Math.min(zeros.capacity(), bytes - done));
            done += file.write(zeros, from + done);
        }
    }

    @Override
    public ByteBuffer map(String name, long from, int bytes, boolean fill) throws IOException {
        if (bytes == 0) {
            return ByteBuffer.allocateDirect(0).order(ByteOrder.nativeOrder());
        }
        return new FileStep<ByteBuffer>() {
            @Override
            protected ByteBuffer attempt() throws IOException {
                try (FileChannel file = open(name)) {
                    if (fill) {
                        fill(file, from, bytes);
                    }
                    return Mapping.map(file, from, bytes).order(ByteOrder.nativeOrder());
                }
            }
        }.run();
    }

    @Override
    public void removeName(String name) {
        try {
            Files.deleteIfExists(directory.resolve(name));
        } catch (IOException kept) {
            // The name tells its maker: a later job removes the file.
        }
    }

    @Override
    public void release(ByteBuffer stretch) {
        if (stretch.capacity() >= WORTH_A_CALL) {
            Libc.removePages(stretch, stretch.capacity() & -PAGE);
        }
    }

    @Override
    public long free() {
        return directory.toFile().getUsableSpace();
    }

    @Override
    public String place() {
        return directory.toString();
    }
}
