/** Programs that the JVM of a rank runs instead of the user's main class. */
package org.brigade.program;
