/** How commands explain themselves: help folded at the terminal's width, and man pages of the same texts. */
package org.brigade.cli.help;
