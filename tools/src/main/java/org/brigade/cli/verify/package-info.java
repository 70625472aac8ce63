/** Command verify: ranks call everything and compare with what MPI defines. */
package org.brigade.cli.verify;
