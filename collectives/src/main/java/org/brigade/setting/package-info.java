/** All settings, in one list. Depends on no other package of Brigade. */
package org.brigade.setting;
