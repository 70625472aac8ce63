package org.brigade.transport.cuda;

import java.io.File;
import java.io.IOException;

/**
 * JCuda's native libraries, unpacked in Init where their jar is on the class path: all ranks come out of Init at once, a program may make its first CUDA call right there, and
 * JCuda's own way of unpacking kills processes that do it at the same time (see {@link UnpackedLibrary}).
 */
public final class JCudaNatives {
    private static final String JAR = "jcuda-natives-";
    private static final String[] LIBRARIES = {"JCudaDriver", "JCudaRuntime"};

    private JCudaNatives() {
    }

    /** Never fails: what is missing is said when device memory is first used. Costs a search in the class path where JCuda is not there, and a look at two files where it is. */
    public static void unpack() {
        unpack(System.getProperty("java.class.path", ""), new File(System.getProperty("java.io.tmpdir")));
    }

    static void unpack(String classPath, File folder) {
        int jar = classPath.indexOf(JAR);
        int end = jar < 0 ? -1 : classPath.indexOf(".jar", jar);
        if (end < 0) {
            return;
        }
        String system = classPath.substring(jar + JAR.length(), end); // 12.6.0-linux-x86_64
        for (String library : LIBRARIES) {
            String file = "lib" + library + "-" + system + ".so";
            // A file that is there is taken as it is: to compare it with the jar's would cost every start 20 ms.
            if (!new File(folder, file).exists()) {
                try {
                    UnpackedLibrary.unpack(JCudaNatives.class, "/lib/" + file, folder.toPath());
                } catch (IOException e) {
                    return;
                }
            }
        }
    }
}
