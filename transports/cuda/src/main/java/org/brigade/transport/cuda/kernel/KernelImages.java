package org.brigade.transport.cuda.kernel;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import mpi.ErrorClass;
import mpi.MPIException;

/**
 * The output of bin/kernels: each module as machine code for the most common GPUs, and as PTX, which the driver
 * compiles (and keeps) for all others.
 */
public final class KernelImages {
    private static KernelImages ofThisJar;

    /** First CUDA version whose drivers can read the machine code; older ones take the PTX. */
    final int major;
    /** SHA-256 of the sources, in hexadecimal. */
    final String sources;

    private KernelImages(String[] lines) {
        major = Integer.parseInt(lines[0]);
        sources = lines[1];
    }

    static synchronized KernelImages ofThisJar() {
        if (ofThisJar == null) {
            ofThisJar =
                new KernelImages(new String(read("kernels.sha256", false), StandardCharsets.US_ASCII).split("\n"));
        }
        return ofThisJar;
    }

    /** Whether the jar has a module: one made by an older bin/kernels lacks the newest. */
    static boolean has(String module) {
        return KernelImages.class.getResource(module + ".fatbin") != null;
    }

    /** @throws MPIException if it is not in the jar */
    public static byte[] machineCode(String module) {
        return read(module + ".fatbin", false);
    }

    /**
     * PTX, ended by a 0 as the driver requires.
     *
     * @throws MPIException if it is not in the jar
     */
    static byte[] portable(String module) {
        return read(module + ".ptx.gz", true);
    }

    private static byte[] read(String resource, boolean text) {
        try (InputStream in = KernelImages.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw ErrorClass.INTERN.in("device memory",
                    "brigade-cuda.jar lacks " + resource + "; put the complete jar on the class path");
            }
            if (!text) {
                return in.readAllBytes();
            }
            ByteArrayOutputStream all = new ByteArrayOutputStream(1 << 20);
            new GZIPInputStream(in).transferTo(all);
            all.write(0);
            return all.toByteArray();
        } catch (IOException e) {
            throw ErrorClass.OTHER.in("device memory",
                resource + " cannot be read from brigade-cuda.jar: " + e.getMessage());
        }
    }
}
