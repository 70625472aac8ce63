package org.brigade.transport.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What pointers lead to, and copies from and to there; on the software driver, each claim of {@link PointerTrial} in a
 * process of its own.
 */
@Timeout(300)
class PointersTest {
    /** Here, as it may take longer than a test. */
    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    static Stream<String> claims() {
        return Arrays.stream(PointerTrial.class.getMethods())
            .filter(method -> method.getDeclaringClass() == PointerTrial.class && method.getParameterCount() == 0)
            .map(Method::getName).sorted();
    }

    @ParameterizedTest
    @MethodSource("claims")
    void holds(String claim) throws Exception {
        assertEquals(List.of("true"), new DeviceJob(PointerTrial.class, claim).alone().lines());
    }
}
