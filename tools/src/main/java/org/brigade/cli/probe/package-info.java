/** What commands look up about this machine, for {@code brigade info} and {@code brigade doctor}. */
package org.brigade.cli.probe;
