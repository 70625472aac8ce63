/** Commands info and explain: what was found, the settings, and why an algorithm is chosen. */
package org.brigade.cli.info;
