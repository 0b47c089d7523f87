package io.albis.benchmarks.chart;

import java.util.Locale;

import static com.google.common.xml.XmlEscapers.xmlAttributeEscaper;
import static com.google.common.xml.XmlEscapers.xmlContentEscaper;

/**
 * An SVG image. The same sequence of calls always produces the same text.
 */
class Drawing
{
    private final StringBuilder svg = new StringBuilder();

    public Drawing(int width, int height, String title)
    {
        element(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" role="img" \
                font-family="Helvetica, Arial, sans-serif" font-size="13" fill="%s">""",
                width,
                height,
                width,
                height,
                Palette.TEXT.color());
        element("<title>%s</title>", xmlContentEscaper().escape(title));
    }

    public void text(double x, double y, Anchor anchor, String text)
    {
        element("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor.value(), xmlContentEscaper().escape(text));
    }

    public void boldText(double x, double y, int size, String text)
    {
        element("<text x=\"%.1f\" y=\"%.1f\" font-size=\"%s\" font-weight=\"bold\">%s</text>", x, y, size, xmlContentEscaper().escape(text));
    }

    /**
     * Adds text that reads from bottom to top.
     */
    public void verticalText(double x, double y, String text)
    {
        element("<text transform=\"translate(%.1f %.1f) rotate(-90)\" text-anchor=\"middle\">%s</text>", x, y, xmlContentEscaper().escape(text));
    }

    public void line(double x1, double y1, double x2, double y2, Palette color, double width)
    {
        element("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>", x1, y1, x2, y2, color.color(), width);
    }

    public void bar(double x, double y, double width, double height, Palette color)
    {
        element("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>", x, y, width, height, color.color());
    }

    /**
     * Draws a point.
     *
     * @param tooltip text that a browser shows at the point
     */
    public void point(double x, double y, double radius, Palette color, String tooltip)
    {
        element("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"><title>%s</title></circle>", x, y, radius, color.color(), xmlAttributeEscaper().escape(tooltip));
    }

    public String render()
    {
        return svg + "</svg>\n";
    }

    private void element(String format, Object... arguments)
    {
        svg.append(String.format(Locale.ROOT, format, arguments)).append("\n");
    }

    enum Anchor
    {
        START, MIDDLE, END;

        private String value()
        {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
