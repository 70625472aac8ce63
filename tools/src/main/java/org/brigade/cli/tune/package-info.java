/** Command tune: ranks measure all algorithms and write a table. */
package org.brigade.cli.tune;
