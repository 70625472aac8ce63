/**
 * The command {@code brigade shell}. The console has one JShell: it compiles a line once, sends the classes to all
 * ranks and lets the picked ranks run them.
 */
package org.brigade.cli.shell;
