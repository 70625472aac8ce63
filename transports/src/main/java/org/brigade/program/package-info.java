/** Programs that the JVM of a rank runs in place of the user's main class. */
package org.brigade.program;
