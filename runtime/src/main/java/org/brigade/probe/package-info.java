/** What processes of Brigade and its commands look up about memory and copies on this machine, and the cures. */
package org.brigade.probe;
