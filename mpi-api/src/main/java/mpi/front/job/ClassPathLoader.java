package mpi.front.job;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;

/**
 * The context class loader of programs for MPJ Express, which its launcher gives them. They cast it to a
 * {@link URLClassLoader} and ask for its URLs. It finds the classes that the JVM's own loader finds, as the same
 * classes.
 */
public final class ClassPathLoader {
    private ClassPathLoader() {
    }

    static void giveTo(Thread thread) {
        ClassLoader usual = thread.getContextClassLoader();
        if (usual instanceof URLClassLoader) {
            return;
        }
        String[] path = System.getProperty("java.class.path", "").split(File.pathSeparator);
        URL[] urls = new URL[path.length];
        for (int i = 0; i < path.length; i++) {
            try {
                urls[i] = new File(path[i]).toURI().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalStateException(e); // no file's URL is malformed
            }
        }
        thread.setContextClassLoader(new URLClassLoader("class path", urls, usual));
    }
}
