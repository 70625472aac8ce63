package org.brigade.transport.cuda.driver;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Path;
import org.brigade.nativ.PrivateFolder;

/**
 * JCuda's native libraries, unpacked before JCuda looks for them. JCuda takes {@code java.io.tmpdir} and a fixed name,
 * and loads whatever file is there, whoever made it; and it unpacks while others may be loading the half-written file:
 * several JVMs that start at once die of SIGBUS. So the names are taken by files of this user's, which nobody can
 * exchange in a folder like /tmp. Where that cannot be, as another user has been quicker, they go into a private
 * folder, and that is java.io.tmpdir from then on: JCuda asks for nothing else.
 *
 * <p>
 * In Init where their jar is on the class path: all ranks come out of Init at once, and a program may make its first
 * CUDA call right there.
 */
public final class JCudaNatives {
    private static final String JAR = "jcuda-natives-";
    private static final String[] LIBRARIES = {"JCudaDriver", "JCudaRuntime"};
    private static final String TEMPORARY = "java.io.tmpdir";

    private JCudaNatives() {
    }

    /**
     * Never fails: warns where JCuda cannot be kept from a library of somebody else's. What else is missing is said
     * when device memory is first used. Costs a search in the class path where JCuda is not there, and a look at two
     * files where it is.
     */
    public static void unpack() {
        Path temporary = Path.of(System.getProperty(TEMPORARY));
        try {
            follow(temporary, unpack(System.getProperty("java.class.path", ""), temporary));
        } catch (IOException e) {
            // Brigade itself refuses device memory then; what the program calls by JCuda would not.
            System.err.println(
                "brigade: JCuda may load a library of another user's: ".concat(String.valueOf(e.getMessage())));
        }
    }

    /** Where JCuda is to look, as in {@link #place}, for all libraries of the jar on a class path. */
    static Path unpack(String classPath, Path temporary) throws IOException {
        int jar = classPath.indexOf(JAR);
        int end = jar < 0 ? -1 : classPath.indexOf(".jar", jar);
        Path folder = temporary;
        for (int i = 0; i < LIBRARIES.length && end > 0; i++) {
            String name = "lib".concat(LIBRARIES[i]).concat("-").concat(classPath.substring(jar + JAR.length(), end))
                .concat(".so"); // 12.6.0-linux-x86_64
            String resource = "/lib/".concat(name);
            // A file of this user's is taken as it is: to compare it with the jar's would cost every start 20 ms.
            if (PrivateFolder.complaint(folder.resolve(name)) != null
                && JCudaNatives.class.getResource(resource) != null) {
                Path place = place(JCudaNatives.class, resource, folder);
                if (!place.equals(folder)) {
                    folder = place;
                    i = -1; // all of them into one folder
                }
            }
        }
        return folder;
    }

    /**
     * Sees to it that JCuda loads this resource and nothing else under its name.
     *
     * @throws IOException if there is no folder for it that is this user's alone, with the cure
     */
    static void secure(Class<?> owner, String resource) throws IOException {
        Path temporary = Path.of(System.getProperty(TEMPORARY));
        follow(temporary, place(owner, resource, temporary));
    }

    private static void follow(Path temporary, Path place) {
        if (!place.equals(temporary)) {
            System.setProperty(TEMPORARY, place.toString());
        }
    }

    /**
     * Puts a resource where JCuda finds it, and says where JCuda has to look: {@code temporary}, or the private folder.
     */
    static Path place(Class<?> owner, String resource, Path temporary) throws IOException {
        String name = resource.substring(resource.lastIndexOf('/') + 1);
        byte[] content = content(owner, resource);
        try {
            if (content != null) {
                PrivateFolder.put(temporary, name, content);
                return temporary;
            }
        } catch (IOException taken) {
            // By somebody else, or there is no room.
        }
        Path folder = PrivateFolder.ofThisUser();
        if (content != null) {
            PrivateFolder.put(folder, name, content);
        } else {
            new File(folder.toFile(), name).delete(); // JCuda is to look for it in the system's folders only, and to
                                                      // say what is missing
        }
        return folder;
    }

    /** Null if there is no such resource. */
    private static byte[] content(Class<?> owner, String resource) throws IOException {
        URL url = owner.getResource(resource);
        if (url == null) {
            return null;
        }
        URLConnection connection = url.openConnection();
        connection.setUseCaches(false); // else closing the stream closes the jar that the class loader reads from
        try (InputStream in = connection.getInputStream()) {
            return in.readAllBytes();
        }
    }
}
