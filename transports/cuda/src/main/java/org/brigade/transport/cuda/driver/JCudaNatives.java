package org.brigade.transport.cuda.driver;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.brigade.nativ.PrivateFolder;

/**
 * Unpacks JCuda's native libraries before JCuda looks for them. JCuda uses {@code java.io.tmpdir} and a fixed name, and
 * loads any file there, whoever made it. It also unpacks while other processes may be loading the half-written file: of
 * several JVMs that start at once some die of SIGBUS. So files of this user's take these names; no other user can
 * replace them in a folder like /tmp. If another user already has a name, the libraries go into a private folder, which
 * then becomes java.io.tmpdir: JCuda uses that property for nothing else.
 *
 * <p>
 * Runs in Init if JCuda's jar is on the class path: all ranks leave Init at once, and a program may make its first CUDA
 * call right there.
 */
public final class JCudaNatives implements Runnable {
    private static final String JAR = "jcuda-natives-";
    private static final String[] LIBRARIES = {"JCudaDriver", "JCudaRuntime"};
    private static final String TEMPORARY = "java.io.tmpdir";

    /** For whom finds this class by its name; see {@link #run}. */
    public JCudaNatives() {
    }

    /** As {@link #unpack}. */
    @Override
    public void run() {
        unpack();
    }

    /**
     * Never fails: warns if JCuda cannot be protected from another user's library. Other errors are reported when
     * device memory is first used. Costs a search in the class path without JCuda, and a look at two files with it.
     */
    public static void unpack() {
        Path temporary = Path.of(System.getProperty(TEMPORARY));
        try {
            follow(temporary, unpack(System.getProperty("java.class.path", ""), temporary));
        } catch (IOException e) {
            // Brigade itself then refuses device memory, but the program's own calls to JCuda would not.
            System.err.println(
                "brigade: JCuda may load another user's library: ".concat(String.valueOf(e.getMessage())));
        }
    }

    /** The folder where JCuda must look, as in {@link #place}, for all libraries of the jar on a class path. */
    static Path unpack(String classPath, Path temporary) throws IOException {
        int jar = classPath.indexOf(JAR);
        int end = jar < 0 ? -1 : classPath.indexOf(".jar", jar);
        Path folder = temporary;
        for (int i = 0; i < LIBRARIES.length && end > 0; i++) {
            String name = "lib".concat(LIBRARIES[i]).concat("-").concat(classPath.substring(jar + JAR.length(), end))
                .concat(".so"); // 12.6.0-linux-x86_64
            String resource = "/lib/".concat(name);
            if (!isUnpacked(folder.resolve(name), classPath, jar, resource)
                && JCudaNatives.class.getResource(resource) != null) {
                Path place = place(JCudaNatives.class, resource, folder);
                if (!place.equals(folder)) {
                    folder = place;
                    i = -1; // put all of them into one folder
                }
            }
        }
        return folder;
    }

    /**
     * Whether a trusted file has the content of the jar's entry, by the sum in the jar's directory: unpacking the entry
     * to compare it would cost every start 20 ms.
     */
    private static boolean isUnpacked(Path file, String classPath, int jar, String resource) {
        String path = classPath.substring(classPath.lastIndexOf(File.pathSeparatorChar, jar) + 1,
            classPath.indexOf(".jar", jar) + ".jar".length());
        if (PrivateFolder.complaint(file) != null) {
            return false;
        }
        try (ZipFile zip = new ZipFile(path)) {
            ZipEntry entry = zip.getEntry(resource.substring(1));
            return entry != null && PrivateFolder.holds(file, entry.getSize(), entry.getCrc());
        } catch (IOException unreadable) {
            return false;
        }
    }

    /**
     * Makes sure that JCuda loads this resource and nothing else under its name.
     *
     * @throws IOException with the cure if there is no folder that only this user can write to
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

    /** Puts a resource where JCuda finds it, and returns that folder: {@code temporary}, or the private folder. */
    static Path place(Class<?> owner, String resource, Path temporary) throws IOException {
        String name = resource.substring(resource.lastIndexOf('/') + 1);
        byte[] content = content(owner, resource);
        try {
            if (content != null) {
                PrivateFolder.put(temporary, name, content);
                return temporary;
            }
        } catch (IOException taken) {
            // Another user has made it, or there is no room.
        }
        Path folder = PrivateFolder.ofThisUser();
        if (content != null) {
            PrivateFolder.put(folder, name, content);
        } else {
            new File(folder.toFile(), name).delete(); // makes JCuda look in the system's folders and say what is
                                                      // missing
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
        connection.setUseCaches(false); // else closing the stream closes the class loader's jar
        try (InputStream in = connection.getInputStream()) {
            return in.readAllBytes();
        }
    }
}
