/**
 * One-sided communication: memory that other ranks read and write, by address where they share it, else by messages.
 * {@code docs/design/windows.md} explains it.
 */
package org.brigade.window;
