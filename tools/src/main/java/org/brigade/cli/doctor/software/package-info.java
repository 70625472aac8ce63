/** Checks of the JDK, drivers, libraries and settings. */
package org.brigade.cli.doctor.software;
