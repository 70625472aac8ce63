package org.brigade.cli.port;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What links here and yet behaves otherwise than under the launcher that a program was written for. */
final class Habits {
    private final Set<String> begin = new TreeSet<>();
    private final Set<String> readArguments = new TreeSet<>();
    private final Set<String> castLoaders = new TreeSet<>();
    private boolean finalize;
    /** Whether the program calls a method of the dialect of mpiJava and MPJ Express. */
    private boolean capital;

    void read(ClassReader classFile) {
        String name = classFile.getClassName().replace('/', '.');
        classFile.accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String descriptor, String signature,
                String[] exceptions) {
                boolean main = method.equals("main") && descriptor.equals("([Ljava/lang/String;)V")
                    && (access & Opcodes.ACC_STATIC) != 0;
                return new Body(name, main);
            }
        }, ClassReader.SKIP_FRAMES | ClassReader.SKIP_DEBUG);
    }

    /** Sentences without their subject, and the classes that are it. */
    Map<String, Set<String>> notes() {
        Map<String, Set<String>> notes = new TreeMap<>();
        if (!finalize && !begin.isEmpty()) {
            notes.put("calls MPI.Init, and no class calls MPI.Finalize: ranks that wait for a rank that has left get an"
                + " error; the others go on.", begin);
        }
        if (capital && !readArguments.isEmpty()) {
            notes.put("reads main's arguments before MPI.Init: MPJ Express puts three of its own first, and"
                + " bin/mpjrun does so with -dev multicore.", readArguments);
        }
        if (!castLoaders.isEmpty()) {
            notes.put("casts a class loader to URLClassLoader: MPJ Express's launcher gives main such a context class"
                + " loader, and bin/mpjrun does so with -dev multicore.", castLoaders);
        }
        return notes;
    }

    private final class Body extends MethodVisitor {
        private final String name;
        /** Whether this is main, and MPI.Init has not been called yet. */
        private boolean beforeInit;
        /** 1 after main's argument has been loaded, 2 after an index. */
        private int loaded;

        Body(String name, boolean main) {
            super(Opcodes.ASM9);
            this.name = name;
            beforeInit = main;
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            loaded = opcode == Opcodes.ALOAD && variable == 0 ? 1 : opcode == Opcodes.ILOAD && loaded == 1 ? 2 : 0;
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            loaded = loaded == 1 ? 2 : 0;
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.AALOAD && loaded == 2 && beforeInit) {
                readArguments.add(name);
            }
            loaded = loaded == 1 && opcode >= Opcodes.ICONST_0 && opcode <= Opcodes.ICONST_5 ? 2 : 0;
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            loaded = 0;
            if (type.equals("java/net/URLClassLoader") && opcode == Opcodes.CHECKCAST) {
                castLoaders.add(name);
            }
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String method, String descriptor, boolean ofInterface) {
            loaded = 0;
            if (!ApiMembers.isOfPackageMpi(owner)) {
                return;
            }
            if (owner.equals("mpi/MPI")) {
                if (method.startsWith("Init") && !method.equals("Initialized")) {
                    beforeInit = false;
                    begin.add(name);
                }
                finalize |= method.equals("Finalize");
            } else {
                capital |= Character.isUpperCase(method.charAt(0));
            }
        }
    }
}
