/** What a rank does, for consoles of Java: a bean that reads what the flight recorder keeps anyway. */
package org.brigade.management;
