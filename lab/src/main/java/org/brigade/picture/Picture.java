package org.brigade.picture;

/** Something that can be drawn into a given space. */
public interface Picture {
    /** Draws into a rectangle of this size whose upper left corner is the origin. */
    void draw(Svg svg, double width, double height);
}
