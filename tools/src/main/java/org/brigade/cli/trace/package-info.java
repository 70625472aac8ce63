/** The command {@code brigade trace}. */
package org.brigade.cli.trace;
