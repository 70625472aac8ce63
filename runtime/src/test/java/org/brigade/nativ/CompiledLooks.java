package org.brigade.nativ;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Switches the looks of waits: as compiled code, or in Java. For tests that run alone. */
public final class CompiledLooks {
    private CompiledLooks() {
    }

    /** @param compiled skips the test if there is no library here */
    public static void use(boolean compiled) {
        assumeTrue(!compiled || BrigadeLibrary.LOADED);
        AwaitedWord.compiled = compiled;
    }

    /** As the library would have it. */
    public static void asLoaded() {
        AwaitedWord.compiled = BrigadeLibrary.LOADED;
    }
}
