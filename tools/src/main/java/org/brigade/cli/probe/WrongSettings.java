package org.brigade.cli.probe;

import org.brigade.select.Settings;
import org.brigade.select.TuningException;

/**
 * What is wrong with the settings of this environment.
 *
 * @param wrong why Init would fail; null if it would not
 * @param unknown variables that no setting has, in words; null if there are none
 */
public record WrongSettings(String wrong, String unknown) {
    public static WrongSettings of(Settings settings) {
        String unknown = settings.unknownVariables();
        try {
            settings.validate();
            return new WrongSettings(null, unknown);
        } catch (TuningException e) {
            return new WrongSettings(e.getMessage(), unknown);
        }
    }

    /** Both in words; null if nothing is wrong. */
    public String words() {
        return wrong == null ? unknown : wrong + (unknown == null ? "" : "; " + unknown);
    }
}
