/** How the parts of Brigade that stand above this module are found at run time. */
package org.brigade.assembly;
