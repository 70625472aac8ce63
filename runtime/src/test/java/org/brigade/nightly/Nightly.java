package org.brigade.nightly;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * Further rows of a parameterized test, as {@code CsvSource} has them, for {@code bin/test --nightly}: what
 * {@code test.nightly} is not "true" for does not run. For rows that try by other ways what the first rows try.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(NightlyRows.class)
public @interface Nightly {
    /** A row each. Values may be in single quotes; one that is empty and in none is null. */
    String[] value();

    char delimiter() default ',';
}
