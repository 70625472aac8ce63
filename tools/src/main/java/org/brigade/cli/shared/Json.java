package org.brigade.cli.shared;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as plain Java objects: maps, lists, texts, numbers (read as Double), booleans and null. What {@link #write}
 * gives is read back by {@link #read}.
 */
public final class Json {
    private static final int DEEPEST = 64;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Indented; a list of plain values stands on one line. */
    public static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, "\n", out);
        return out.append('\n').toString();
    }

    private static void write(Object value, String indent, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            String inner = indent + "  ";
            String comma = "";
            out.append('{');
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(comma).append(inner).append(quoted(entry.getKey().toString())).append(": ");
                write(entry.getValue(), inner, out);
                comma = ",";
            }
            out.append(map.isEmpty() ? "" : indent).append('}');
        } else if (value instanceof List<?> list) {
            boolean plain = list.stream().noneMatch(each -> each instanceof Map || each instanceof List);
            String inner = plain ? "" : indent + "  ";
            String comma = "";
            out.append('[');
            for (Object each : list) {
                out.append(comma).append(inner);
                write(each, inner.isEmpty() ? indent : inner, out);
                comma = plain ? ", " : ",";
            }
            out.append(plain ? "" : indent).append(']');
        } else if (value instanceof Double number) {
            out.append(number.isNaN() || number.isInfinite() ? "null"
                : BigDecimal.valueOf(number).stripTrailingZeros().toPlainString());
        } else {
            out.append(value instanceof String words ? quoted(words) : String.valueOf(value));
        }
    }

    private static String quoted(String words) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : words.toCharArray()) {
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                default -> out.append(c < ' ' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
            }
        }
        return out.append('"').toString();
    }

    /** @throws IllegalArgumentException naming the place of what is no JSON */
    public static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value(0);
        json.space();
        if (json.at < text.length()) {
            throw json.wrong("the end");
        }
        return value;
    }

    private Object value(int depth) {
        space();
        if (depth > DEEPEST) {
            throw wrong("fewer brackets");
        }
        char first = at < text.length() ? text.charAt(at) : 0;
        switch (first) {
            case '{' :
                Map<String, Object> map = new LinkedHashMap<>();
                at++;
                while (!closes('}', map.isEmpty())) {
                    space();
                    String name = string();
                    space();
                    expect(':');
                    map.put(name, value(depth + 1));
                }
                return map;
            case '[' :
                List<Object> list = new ArrayList<>();
                at++;
                while (!closes(']', list.isEmpty())) {
                    list.add(value(depth + 1));
                }
                return list;
            case '"' :
                return string();
            default :
                return word();
        }
    }

    /** Whether a map or list ends here; else passes the comma. */
    private boolean closes(char end, boolean empty) {
        space();
        if (at < text.length() && text.charAt(at) == end) {
            at++;
            return true;
        }
        if (!empty) {
            expect(',');
        }
        return false;
    }

    private Object word() {
        int from = at;
        while (at < text.length() && "+-.eE".indexOf(text.charAt(at)) >= 0
            || at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
            at++;
        }
        String word = text.substring(from, at);
        switch (word) {
            case "true" :
                return true;
            case "false" :
                return false;
            case "null" :
                return null;
            default :
                if (!word.matches("-?\\d{1,400}(\\.\\d{1,400})?([eE][+-]?\\d{1,3})?")) {
                    at = from;
                    throw wrong("a value");
                }
                return Double.valueOf(word);
        }
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        for (; at < text.length() && text.charAt(at) != '"'; at++) {
            char c = text.charAt(at);
            if (c == '\\') {
                at++;
                char escaped = at < text.length() ? text.charAt(at) : 0;
                if (escaped == 'u' && at + 4 < text.length()
                    && text.substring(at + 1, at + 5).matches("[0-9a-fA-F]{4}")) {
                    out.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else {
                    int known = "\"\\/bfnrt".indexOf(escaped);
                    if (known < 0) {
                        throw wrong("an escape");
                    }
                    out.append("\"\\/\b\f\n\r\t".charAt(known));
                }
            } else {
                out.append(c);
            }
        }
        expect('"');
        return out.toString();
    }

    private void expect(char wanted) {
        if (at >= text.length() || text.charAt(at) != wanted) {
            throw wrong("'" + wanted + "'");
        }
        at++;
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException wrong(String wanted) {
        int line = 1 + (int) text.substring(0, Math.min(at, text.length())).chars().filter(c -> c == '\n').count();
        return new IllegalArgumentException("line " + line + ": " + wanted + " was expected");
    }
}
