package org.brigade.cli.doctor.software;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;

/** Options for every JVM in the environment: they reach each rank, and few people remember that they are set. */
public record JavaOptionsCheck(Map<String, String> environment) implements Check {
    private static final List<String> VARIABLES = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");
    private static final Pattern SLOW = Pattern.compile("-Xint|-XX:TieredStopAtLevel=[0-3]|-Xcheck:jni|-Xdebug");
    /** As bin/common.sh tells. */
    private static final Pattern ARCHIVE =
        Pattern.compile("-Xshare|-XX:(SharedArchiveFile|ArchiveClassesAtExit|AOT)");

    @Override
    public Diagnosis diagnosis() {
        List<String> set = new ArrayList<>();
        VARIABLES.forEach(name -> {
            if (!environment.getOrDefault(name, "").isBlank()) {
                set.add(name + "=" + environment.get(name));
            }
        });
        String all = String.join(" ", set);
        if (SLOW.matcher(all).find()) {
            return Diagnosis.costs("java options", all,
                "these options keep the JVM from compiling or make it check each native call; every call is slower",
                "unset the variable for measurements and long runs");
        }
        if (ARCHIVE.matcher(all).find()) {
            return Diagnosis.costs("java options", all,
                "ranks start without Brigade's archive of classes, so each loads and verifies its classes one by one",
                "give that option to the one program that needs it, after mpjrun");
        }
        return Diagnosis.good("java options", set.isEmpty() ? "none in the environment" : all);
    }
}
