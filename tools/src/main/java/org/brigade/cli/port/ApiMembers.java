package org.brigade.cli.port;

import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Set;

/**
 * The members of Brigade's package mpi as the JVM finds them when it links a program: by name and descriptor, in the
 * class and what it inherits from. Names of classes are internal ones, such as {@code mpi/Comm}.
 */
final class ApiMembers {
    /** The layers below MPJ Express's package mpi, which some of its programs import. */
    private static final Set<String> INNER_LAYERS = Set.of("mpjbuf", "mpjdev", "xdev");

    private ApiMembers() {
    }

    /** Whether a class is of package mpi, but not of a package below it. */
    static boolean isOfPackageMpi(String internalName) {
        return packageOf(internalName).equals("mpi");
    }

    /** Whether programs may expect a class from an MPI library: package mpi, or what MPJ Express has below it. */
    static boolean isOfTheApi(String internalName) {
        String all = packageOf(internalName);
        int slash = all.indexOf('/');
        return all.equals("mpi") || INNER_LAYERS.contains(slash < 0 ? all : all.substring(0, slash));
    }

    private static String packageOf(String internalName) {
        return internalName.substring(0, Math.max(internalName.lastIndexOf('/'), 0));
    }

    /** Null if there is no such public class. */
    static Class<?> find(String internalName) {
        try {
            Class<?> found =
                Class.forName(internalName.replace('/', '.'), false, ApiMembers.class.getClassLoader());
            return Modifier.isPublic(found.getModifiers()) ? found : null;
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    static boolean hasField(Class<?> owner, String name, String descriptor, boolean isStatic) {
        for (Class<?> each = owner; each != null; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (field.getName().equals(name) && field.getType().descriptorString().equals(descriptor)) {
                    return isReachable(field.getModifiers()) && Modifier.isStatic(field.getModifiers()) == isStatic;
                }
            }
            for (Class<?> constants : each.getInterfaces()) {
                if (hasField(constants, name, descriptor, isStatic)) {
                    return true;
                }
            }
        }
        return false;
    }

    static boolean hasMethod(Class<?> owner, String name, String descriptor, boolean isStatic) {
        if (name.equals("<init>")) {
            for (Constructor<?> constructor : owner.getDeclaredConstructors()) {
                if (descriptorOf(void.class, constructor.getParameterTypes()).equals(descriptor)) {
                    return isReachable(constructor.getModifiers());
                }
            }
            return false;
        }
        Method found = method(owner, name, descriptor);
        return found != null && isReachable(found.getModifiers())
            && Modifier.isStatic(found.getModifiers()) == isStatic;
    }

    /** Whether a class of the program's cannot have this method because a superclass's is final. */
    static boolean isFinal(Class<?> superclass, String name, String descriptor) {
        Method inherited = name.startsWith("<") ? null : method(superclass, name, descriptor);
        return inherited != null && Modifier.isFinal(inherited.getModifiers())
            && isReachable(inherited.getModifiers()) && inherited.getDeclaringClass() != Object.class;
    }

    private static Method method(Class<?> owner, String name, String descriptor) {
        for (Class<?> each = owner; each != null; each = each.getSuperclass()) {
            for (Method method : each.getDeclaredMethods()) {
                if (method.getName().equals(name)
                    && descriptorOf(method.getReturnType(), method.getParameterTypes()).equals(descriptor)) {
                    return method;
                }
            }
        }
        for (Method method : owner.getMethods()) { // of interfaces
            if (method.getName().equals(name)
                && descriptorOf(method.getReturnType(), method.getParameterTypes()).equals(descriptor)) {
                return method;
            }
        }
        return null;
    }

    private static String descriptorOf(Class<?> result, Class<?>[] parameters) {
        return MethodType.methodType(result, parameters).toMethodDescriptorString();
    }

    private static boolean isReachable(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }
}
