package org.brigade.setting;

/** Numbers as people write them: {@code 8}, {@code 64K}, {@code 1M}, {@code 2G}; K is 1024. */
public final class Quantity {
    private Quantity() {
    }

    /** The number of a text; -1 if it is none, or exceeds Long.MAX_VALUE. */
    public static long parse(String text) {
        int length = text.length();
        int shift = 0;
        if (length > 0) {
            switch (text.charAt(length - 1)) {
                case 'K', 'k' -> shift = 10;
                case 'M', 'm' -> shift = 20;
                case 'G', 'g' -> shift = 30;
                default -> {}
            }
        }
        int digits = shift == 0 ? length : length - 1;
        if (digits == 0 || digits > 19) {
            return -1;
        }
        long number = 0;
        for (int i = 0; i < digits; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || number > (Long.MAX_VALUE - digit) / 10) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number > Long.MAX_VALUE >> shift ? -1 : number << shift;
    }
}
