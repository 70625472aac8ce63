/** Finds the parts of Brigade that live above this module at run time. */
package org.brigade.assembly;
