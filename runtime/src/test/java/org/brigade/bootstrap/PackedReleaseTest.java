package org.brigade.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import mpi.MPI;
import mpi.spi.release.Release;
import org.brigade.transport.nodes.NodesOpening;
import org.junit.jupiter.api.Test;

/** Brigade in an application's jar, whose manifest has the application's version. */
class PackedReleaseTest {
    /** Defines Brigade's classes anew, in packages of another version. */
    private static final class ApplicationJar extends ClassLoader {
        ApplicationJar() {
            super(PackedReleaseTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("mpi.") && !name.startsWith("org.brigade.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            String home = name.substring(0, name.lastIndexOf('.'));
            if (getDefinedPackage(home) == null) {
                definePackage(home, null, null, null, "Application", "99.1", "its vendor", null);
            }
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] content = in.readAllBytes();
                return defineClass(name, content, 0, content.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private static String call(ClassLoader loader, Class<?> where, String method) throws Exception {
        Method found = Class.forName(where.getName(), true, loader).getDeclaredMethod(method);
        found.setAccessible(true);
        return (String) found.invoke(null);
    }

    @Test
    void theApplicationsVersionIsNotTakenForBrigades() throws Exception {
        ClassLoader application = new ApplicationJar();
        Class<?> packed = Class.forName(MPI.class.getName(), false, application);
        assertEquals("99.1", packed.getPackage().getImplementationVersion());
        assertTrue(Release.number().matches("\\d+\\.\\d+\\.\\d+.*"), Release::number);
        assertEquals("Brigade " + Release.number(), call(application, MPI.class, "getLibVersion"));
        for (Class<?> each : new Class<?>[] {Class.forName("org.brigade.tuned.TunedFile"), NodesOpening.class}) {
            String method = each != NodesOpening.class ? "maker" : "release";
            String its = call(application, each, method);
            assertEquals(call(each.getClassLoader(), each, method), its);
            assertTrue(its.contains(Release.number()), its);
        }
    }
}
