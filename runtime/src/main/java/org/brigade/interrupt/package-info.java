/**
 * What comes to a rank's threads from outside: interrupts, which change no result and stay set, and the end of the
 * process.
 */
package org.brigade.interrupt;
