package org.brigade.cli.doctor.software;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;

/**
 * The JDK. An image made by jlink, or a JRE, may lack modules.
 *
 * @param version in words
 * @param modules whether the JDK has a module
 */
public record JavaCheck(String version, Predicate<String> modules) implements Check {
    @Override
    public Diagnosis diagnosis() {
        List<String> absent = new ArrayList<>();
        List<String> lost = new ArrayList<>();
        look("jdk.jfr", "brigade trace and -XX:StartFlightRecording cannot record", absent, lost);
        look("jdk.jshell", "brigade shell cannot run", absent, lost);
        look("jdk.compiler", "there is no javac for your programs", absent, lost);
        return absent.isEmpty() ? Diagnosis.good("java", version + ", with jfr, jshell and javac")
            : Diagnosis.missing("java", version + ", without module " + String.join(", ", absent),
                String.join("; ", lost),
                "install a whole JDK (Debian, Ubuntu: apt-get install openjdk-17-jdk) and set JAVA_HOME to it");
    }

    private void look(String module, String loss, List<String> absent, List<String> lost) {
        if (!modules.test(module)) {
            absent.add(module);
            lost.add(loss);
        }
    }
}
