package org.brigade.cli.info;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import mpi.spi.Collective;
import org.brigade.select.MemorySpace;
import org.brigade.select.Settings;
import org.brigade.setting.Setting;
import org.junit.jupiter.api.Test;

class SettingsPageTest {
    @Test
    void thePageInDocsIsTheOneThatIsGenerated() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve("docs"))) {
            root = root.getParent();
        }
        assertEquals(Files.readString(root.resolve("docs/settings.md")), SettingsPage.markdown(),
            "make it anew: bin/brigade info --settings --markdown > docs/settings.md");
    }

    @Test
    void eachTitleIsOnThePageOnce() {
        List<String> titles = SettingsPage.markdown().lines().filter(each -> each.startsWith("## ")).toList();
        assertEquals(Set.copyOf(titles).size(), titles.size(), titles::toString);
    }

    @Test
    void eachIsOnThePage() {
        String page = SettingsPage.markdown();
        for (Setting each : Setting.all()) {
            assertTrue(page.contains("| `" + Settings.property(each.key) + "` | `" + Settings.variable(each.key)
                + "` |"), each.key);
            assertTrue(each.words.endsWith("."), each.key + ": " + each.words);
        }
        for (String[] each : Setting.variables()) {
            assertTrue(page.contains("| `BRIGADE_" + each[0] + "` |"), each[0]);
        }
        for (MemorySpace space : MemorySpace.values()) {
            for (String what : space.forced()) {
                assertTrue(page.contains("`brigade." + Collective.BCAST.key() + what + "`"), what);
            }
        }
    }
}
