package org.brigade.cli.port;

import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Reads one class of a program and compares all that it takes from package mpi with Brigade's. */
final class ClassCheck extends ClassVisitor {
    /** What does not resolve, in words; to each the program's classes that need it. */
    private final Map<String, Set<String>> problems;
    private final Set<String> used;
    private String name;
    private Class<?> superclass;

    private ClassCheck(Map<String, Set<String>> problems, Set<String> used) {
        super(Opcodes.ASM9);
        this.problems = problems;
        this.used = used;
    }

    /**
     * Checks a class file.
     *
     * @param used collects the members and classes of package mpi that the class needs
     * @throws IllegalArgumentException if it is no class file, or of a Java version that ASM does not know
     */
    static void check(ClassReader classFile, Map<String, Set<String>> problems, Set<String> used) {
        classFile.accept(new ClassCheck(problems, used), ClassReader.SKIP_FRAMES);
    }

    private void problem(String what) {
        problems.computeIfAbsent(what, unused -> new TreeSet<>()).add(name.replace('/', '.'));
    }

    // ---- the class itself ----

    @Override
    public void visit(int version, int access, String className, String signature, String superName,
        String[] interfaces) {
        name = className;
        if (superName != null && ApiMembers.isOfTheApi(superName)) {
            superclass = type(superName);
            if (superclass != null && Modifier.isFinal(superclass.getModifiers())) {
                problem("final here: class " + dotted(superName) + "; no class can extend it");
            }
        }
        for (String each : interfaces) {
            Class<?> found = type(each);
            if (found != null && !found.isInterface()) {
                problem("no interface here: class " + dotted(each) + "; no class can implement it");
            }
        }
    }

    @Override
    public FieldVisitor visitField(int access, String fieldName, String descriptor, String signature, Object value) {
        types(Type.getType(descriptor));
        return null;
    }

    @Override
    public MethodVisitor visitMethod(int access, String methodName, String descriptor, String signature,
        String[] exceptions) {
        if (superclass != null && (access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0
            && ApiMembers.isFinal(superclass, methodName, descriptor)) {
            problem("final here: method " + shown(superclass.getName(), methodName, descriptor)
                + "; no class can override it");
        }
        types(Type.getMethodType(descriptor));
        for (String exception : exceptions == null ? new String[0] : exceptions) {
            type(exception);
        }
        return new Body();
    }

    // ---- what it refers to ----

    /** Notes the use of a class; null if it is none of the API, or is missing. */
    private Class<?> type(String internalName) {
        if (!ApiMembers.isOfTheApi(internalName)) {
            return null;
        }
        Class<?> found = ApiMembers.find(internalName);
        used.add(internalName);
        if (found == null) {
            problem(missing(internalName));
        }
        return found;
    }

    /** The problem that a class is not here. */
    static String missing(String internalName) {
        return "missing: class " + dotted(internalName)
            + (ApiMembers.isOfPackageMpi(internalName) ? "" : ", of MPJ Express's inner layers");
    }

    private void types(Type type) {
        switch (type.getSort()) {
            case Type.ARRAY -> types(type.getElementType());
            case Type.OBJECT -> type(type.getInternalName());
            case Type.METHOD -> {
                types(type.getReturnType());
                for (Type each : type.getArgumentTypes()) {
                    types(each);
                }
            }
            default -> {
                // primitives
            }
        }
    }

    private void method(String owner, String method, String descriptor, boolean isStatic) {
        types(Type.getMethodType(descriptor));
        Class<?> found = owner.startsWith("[") ? null : type(owner);
        if (found != null) {
            used.add(owner + "." + method + descriptor);
            if (!ApiMembers.hasMethod(found, method, descriptor, isStatic)) {
                problem(
                    "missing: " + (isStatic ? "static method " : method.equals("<init>") ? "constructor " : "method ")
                        + shown(dotted(owner), method, descriptor));
            }
        }
    }

    private static String shown(String owner, String method, String descriptor) {
        StringBuilder text = new StringBuilder(owner);
        if (!method.equals("<init>")) {
            text.append('.').append(method);
        }
        text.append('(');
        Type[] parameters = Type.getArgumentTypes(descriptor);
        for (int i = 0; i < parameters.length; i++) {
            text.append(i == 0 ? "" : ", ").append(parameters[i].getClassName().replaceFirst("^java\\.lang\\.", ""));
        }
        text.append(')');
        if (!method.equals("<init>")) {
            text.append(" of type ").append(Type.getReturnType(descriptor).getClassName());
        }
        return text.toString();
    }

    private static String dotted(String internalName) {
        return internalName.replace('/', '.');
    }

    /** What the instructions of a method refer to. */
    private final class Body extends MethodVisitor {
        Body() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String method, String descriptor, boolean ofInterface) {
            method(owner, method, descriptor, opcode == Opcodes.INVOKESTATIC);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String descriptor) {
            types(Type.getType(descriptor));
            Class<?> found = type(owner);
            if (found != null) {
                used.add(owner + "." + field);
                boolean isStatic = opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC;
                if (!ApiMembers.hasField(found, field, descriptor, isStatic)) {
                    problem("missing: " + (isStatic ? "static field " : "field ") + dotted(owner) + "." + field
                        + " of type "
                        + Type.getType(descriptor).getClassName());
                }
            }
        }

        @Override
        public void visitTypeInsn(int opcode, String internalName) {
            types(Type.getObjectType(internalName));
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            types(Type.getType(descriptor));
        }

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, String internalName) {
            if (internalName != null) {
                type(internalName);
            }
        }

        @Override
        public void visitLdcInsn(Object constant) {
            if (constant instanceof Type type) {
                types(type);
            }
        }

        @Override
        public void visitInvokeDynamicInsn(String method, String descriptor, Handle bootstrap, Object... constants) {
            types(Type.getMethodType(descriptor));
            for (Object constant : constants) {
                if (constant instanceof Handle handle && handle.getTag() >= Opcodes.H_INVOKEVIRTUAL) {
                    method(handle.getOwner(), handle.getName(), handle.getDesc(),
                        handle.getTag() == Opcodes.H_INVOKESTATIC);
                }
            }
        }
    }
}
