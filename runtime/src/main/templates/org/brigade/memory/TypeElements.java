// Made from src/main/templates: edit TypeElements.java there. See expand.xml.
package org.brigade.memory;

import java.nio.$Type$Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Bulk moves between a region and an array of $type$s. Each is one copy. Where one copy cannot do it, both methods do
 * nothing and return false: the bytes are in an array of another kind, an order is foreign, or a position is not
 * aligned. The caller then goes through native memory with {@link Region#read} and {@link Region#write}.
 */
public final class $Type$Elements {
    private static final ByteOrder NATIVE = ByteOrder.nativeOrder();

    private $Type$Elements() {
    }

    /** {@code to[index + i] = region[at + i]}; false if not possible in one copy. */
    public static boolean get(Region region, long at, $type$[] to, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case Region.$TYPE$S -> System.arraycopy(region.base(), (int) (position >> $shift$), to, index, count);
            case Region.$TYPE$_BUFFER -> {
                if (region.isForeign()) {
                    return false;
                }
                (($Type$Buffer) region.base()).get((int) (position >> $shift$), to, index, count);
            }
            case Region.BYTE_BUFFER -> {
                if (count <= Region.FEW) {
                    ByteBuffer buffer = (ByteBuffer) region.base();
                    for (int i = 0; i < count; i++) {
                        to[index + i] = buffer.order() == NATIVE ? buffer.get$Type$((int) position + (i << $shift$))
                            : $ofBits$($BitsClass$.reverseBytes(buffer.get$Bits$((int) position + (i << $shift$))));
                    }
                } else if ((position & (1 << $shift$) - 1) == 0 && region.isNative()) {
                    region.views().$type$s().get((int) (position >> $shift$), to, index, count);
                } else {
                    return false;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** {@code region[at + i] = from[index + i]}; false if not possible in one copy. */
    public static boolean put(Region region, long at, $type$[] from, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case Region.$TYPE$S -> System.arraycopy(from, index, region.base(), (int) (position >> $shift$), count);
            case Region.$TYPE$_BUFFER -> {
                if (region.isForeign()) {
                    return false;
                }
                (($Type$Buffer) region.base()).put((int) (position >> $shift$), from, index, count);
            }
            case Region.BYTE_BUFFER -> {
                if (count <= Region.FEW) {
                    ByteBuffer buffer = (ByteBuffer) region.base();
                    for (int i = 0; i < count; i++) {
                        if (buffer.order() == NATIVE) {
                            buffer.put$Type$((int) position + (i << $shift$), from[index + i]);
                        } else {
                            buffer.put$Bits$((int) position + (i << $shift$),
                                $BitsClass$.reverseBytes($toBits$(from[index + i])));
                        }
                    }
                } else if ((position & (1 << $shift$) - 1) == 0 && region.isNative()) {
                    region.views().$type$s().put((int) (position >> $shift$), from, index, count);
                } else {
                    return false;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }
}
