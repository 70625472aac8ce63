package mpi.surface;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Lists of members as {@code class KIND name+descriptor modifiers}, and whether our classes have them. */
final class Surface {
    private Surface() {
    }

    static List<String> lines(String resource) {
        List<String> lines = new ArrayList<>();
        try (BufferedReader in = new BufferedReader(
            new InputStreamReader(Surface.class.getResourceAsStream("/surface/" + resource), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    lines.add(line);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
    }

    /** Whether a program compiled against this member links against ours. */
    static boolean has(String line) {
        String[] words = line.split(" ");
        Class<?> owner;
        try {
            owner = Class.forName(words[0], false, Surface.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            return false;
        }
        boolean isStatic = List.of(words).contains("static");
        switch (words[1]) {
            case "FIELD" :
                return hasField(owner, words[2], isStatic);
            case "CTOR" :
                for (Constructor<?> c : owner.getConstructors()) {
                    if (words[2].equals("<init>"
                        + MethodType.methodType(void.class, c.getParameterTypes()).toMethodDescriptorString())) {
                        return true;
                    }
                }
                return false;
            default :
                for (Method m : owner.getMethods()) {
                    String descriptor =
                        MethodType.methodType(m.getReturnType(), m.getParameterTypes()).toMethodDescriptorString();
                    if (words[2].equals(m.getName() + descriptor) && Modifier.isStatic(m.getModifiers()) == isStatic) {
                        return true;
                    }
                }
                return false;
        }
    }

    private static boolean hasField(Class<?> owner, String nameAndType, boolean isStatic) {
        // As the JVM does: the class, then its superclasses, by name and type.
        for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
            for (Field f : c.getDeclaredFields()) {
                if (nameAndType.equals(f.getName() + ":" + f.getType().descriptorString())
                    && Modifier.isPublic(f.getModifiers())
                    && Modifier.isStatic(f.getModifiers()) == isStatic) {
                    return true;
                }
            }
        }
        return false;
    }
}
