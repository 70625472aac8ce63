package org.brigade.transport.sisci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.TreeMap;
import java.util.stream.Stream;
import org.brigade.nightly.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the software libsisci does, in every mode: the claims of src/test/sisci are its specification. */
@Tag("once") // the same on every JDK: bin/test runs it on the first
@Timeout(900)
class SisciClaimsTest {
    /** Here, as it may take longer than a test; without a compiler, all is skipped. */
    @BeforeAll
    static void build() throws Exception {
        SisciClaims.folder("plain");
    }

    private static final String ALARM = "ended with signal 14";

    static Stream<SisciClaims.Claim> claims() throws Exception {
        return SisciClaims.claims(SisciClaims.folder("plain")).stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("claims")
    void so(SisciClaims.Claim claim) throws Exception {
        assertEquals("", SisciClaims.failure(claim));
    }

    /** Without a fault in memory, an undefined step or a data race; with fewer rounds. */
    @ParameterizedTest
    @CsvSource({"memory, '-fsanitize=address,undefined', -fno-sanitize-recover=undefined"})
    @Nightly("threads, -fsanitize=thread, -g")
    void cleanly(String name, String flag, String other) throws Exception {
        assumeTrue(SisciClaims.usable(flag), "programs compiled with " + flag + " do not run here");
        TreeMap<String, String> failures = new TreeMap<>();
        for (SisciClaims.Claim claim : SisciClaims.claims(SisciClaims.folder(name, flag, other))) {
            // Claims leave objects behind on purpose, as programs do.
            String failure = failure(claim, 15);
            if (failure.contains(ALARM)) {
                // A sanitizer's own locks do not survive every fork. A claim that really waits for ever does so again.
                failure = failure(claim, 120);
            }
            if (!failure.isEmpty()) {
                failures.put(claim.toString(), failure);
            }
        }
        assertEquals(new TreeMap<>(), failures);
    }

    private static String failure(SisciClaims.Claim claim, int seconds) throws Exception {
        return SisciClaims.failure(claim, "CLAIMS_QUICK", "1", "CLAIMS_LIMIT", "" + seconds, "ASAN_OPTIONS",
            "detect_leaks=0");
    }
}
