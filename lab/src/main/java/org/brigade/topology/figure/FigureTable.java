package org.brigade.topology.figure;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The figures of a machine file: every number is declared once, with unit and source, and used by name. */
public final class FigureTable {
    private static final int MOST = 1000;

    private final Map<String, Figure> figures = new LinkedHashMap<>();
    private final Map<String, Double> changes;
    private final Set<String> used = new HashSet<>();

    /** @param changes values in SI that replace the file's, by name */
    public FigureTable(Map<String, Double> changes) {
        this.changes = changes;
    }

    /** {@code figure NAME VALUE UNIT [estimate] "SOURCE"}. */
    public void declare(Statement statement) {
        String name = statement.name("the figure's name");
        if (figures.containsKey(name)) {
            throw statement.wrong("figure " + name + " is already on line " + figures.get(name).line(),
                "give this one another name");
        }
        if (figures.size() == MOST) {
            throw statement.wrong("more than " + MOST + " figures",
                "refer to one figure wherever you use the same number");
        }
        String digits = statement.word("the figure's value");
        String unit = statement.word("the figure's unit");
        Dimension dimension = Dimension.of(unit);
        if (dimension == null) {
            throw statement.wrong(Statement.shown(unit) + " is no unit", "write " + units());
        }
        double value = number(statement, digits) * dimension.scale(unit);
        boolean estimate = statement.take("estimate");
        if (statement.atEnd()) {
            throw statement.wrong("figure " + name + " has no source", "say in quotation marks where " + digits + " "
                + unit + " comes from, with \"estimate\" before it if nobody measured or specified it");
        }
        String source = statement.text("source");
        statement.end();
        String written = digits + " " + unit;
        Double change = changes.get(name);
        if (change != null) {
            value = change;
            written = change + " in SI units";
            estimate = true;
            source = "changed by the caller; the file has " + digits + " " + unit;
        }
        if (!(value >= dimension.least() && value <= dimension.most())) {
            throw statement.wrong(
                "figure " + name + " is " + Statement.shown(written) + ", which is not between " + dimension.least()
                    + " and " + dimension.most() + " in SI units",
                "check the number and its unit");
        }
        if (dimension == Dimension.COUNT && value != Math.rint(value)) {
            throw statement.wrong("figure " + name + " counts " + written, "write a whole number");
        }
        figures.put(name, new Figure(name, value, dimension, written, estimate, source, statement.line()));
    }

    private static double number(Statement statement, String digits) {
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            if (c != '.' && (c < '0' || c > '9') || digits.length() > 20) {
                throw statement.wrong(Statement.shown(digits) + " is no number",
                    "write digits, with a point for decimals and a blank before the unit");
            }
        }
        try {
            return Double.parseDouble(digits);
        } catch (NumberFormatException e) {
            throw statement.wrong(Statement.shown(digits) + " is no number",
                "write digits, with a point for decimals and a blank before the unit");
        }
    }

    private static String units() {
        StringBuilder units = new StringBuilder();
        for (Dimension dimension : Dimension.values()) {
            units.append(units.length() == 0 ? "" : ", ").append(dimension.words());
        }
        return units.append(" (\"count\" and \"ratio\" are written as units)").toString();
    }

    /** The value of the figure that the next word names. */
    public double use(Statement statement, Dimension dimension) {
        String name = statement.word("the name of a figure, " + dimension.words() + ",");
        Figure figure = figures.get(name);
        if (figure == null) {
            boolean number = name.charAt(0) >= '0' && name.charAt(0) <= '9';
            throw statement.wrong(
                number ? Statement.shown(name) + " is a number without a source"
                    : "there is no figure " + Statement.shown(name) + " above",
                "declare it before: figure NAME " + (number ? name : "VALUE") + " UNIT \"SOURCE\""
                    + (number ? ", and write NAME here" : ""));
        }
        if (figure.dimension() != dimension) {
            throw statement.wrong("figure " + name + " is " + figure.dimension().words() + ", and " + dimension.words()
                + " should stand here", "name another figure");
        }
        used.add(name);
        return figure.value();
    }

    public int count(Statement statement) {
        return (int) use(statement, Dimension.COUNT);
    }

    /** After the last line: every figure must be used, and every change must name a figure. */
    public Map<String, Figure> finish(String file, int lastLine) {
        for (Figure figure : figures.values()) {
            if (!used.contains(figure.name())) {
                throw new MachineFormatException(file, figure.line(), "nothing refers to figure " + figure.name(),
                    "use it, or remove it (a remark begins with #)");
            }
        }
        for (String name : changes.keySet()) {
            if (!figures.containsKey(name)) {
                throw new MachineFormatException(file, lastLine,
                    "there is no figure " + Statement.shown(name) + " to change", "name one of " + figures.keySet());
            }
        }
        return Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }
}
