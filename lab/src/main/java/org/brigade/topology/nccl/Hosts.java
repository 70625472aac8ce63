package org.brigade.topology.nccl;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Numbers hosts by their {@code host_hash}, in order of appearance. A file without hashes has one host. */
final class Hosts {
    private final List<String> hashes = new ArrayList<>();

    int number(String hash) {
        String value = normal(hash);
        int known = hashes.indexOf(value);
        if (known < 0) {
            known = hashes.size();
            hashes.add(value);
        }
        return known;
    }

    /** NCCL reads it as a hexadecimal number: 0x0a and A are the same. */
    private static String normal(String hash) {
        String text = hash == null ? "0" : hash.trim();
        String digits = text.startsWith("0x") || text.startsWith("0X") ? text.substring(2) : text;
        try {
            return new BigInteger(digits, 16).toString(16);
        } catch (NumberFormatException e) {
            return text;
        }
    }
}
