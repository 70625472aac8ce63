/** Commands info and explain: what is there, which settings there are, why an algorithm is chosen. */
package org.brigade.cli.info;
