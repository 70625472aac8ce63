package org.brigade.transport.cuda;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import mpi.MPI;
import mpi.MPIException;

/**
 * A rank that passes a pointer of JCuda's where something is missing: prints the error, then uses MPI on the host.
 * Names no class of JCuda.
 */
public final class WithoutCuda {
    private WithoutCuda() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        ClassLoader loader = WithoutCuda.class.getClassLoader();
        if (arguments[0].equals("jcuda")) {
            String[] jars = arguments[1].split(File.pathSeparator);
            URL[] places = new URL[jars.length];
            for (int i = 0; i < jars.length; i++) {
                places[i] = new File(jars[i]).toURI().toURL();
            }
            loader = new URLClassLoader(places, null);
        }
        try {
            MPI.COMM_WORLD.bcast(pointer(loader), 1, MPI.INT, 0);
            throw new AssertionError("no error");
        } catch (MPIException expected) {
            System.out.println(expected.getMessage());
        }
        int[] one = {1};
        MPI.COMM_WORLD.allReduce(one, 1, MPI.INT, MPI.SUM);
        if (one[0] != MPI.COMM_WORLD.getSize()) {
            throw new AssertionError("got " + one[0]);
        }
        MPI.Finalize();
    }

    /**
     * Without running JCuda's initialisers, which want the driver: as a pointer that the program got somewhere else.
     */
    private static Object pointer(ClassLoader loader) throws ReflectiveOperationException {
        Class<?> type = Class.forName("jcuda.driver.CUdeviceptr", true, loader);
        return type.getMethod("withByteOffset", long.class).invoke(type.getDeclaredConstructor().newInstance(),
            0x7000_0000_0000L);
    }
}
