// SPDX-License-Identifier: Apache-2.0

import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.util.Locale;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.batik.transcoder.TranscoderInput;
import org.apache.batik.transcoder.TranscoderOutput;
import org.apache.batik.transcoder.image.PNGTranscoder;

/**
 * Draws small charts as SVG documents and has Batik turn each into a PNG in memory, as a web page's
 * server does. Arguments: how many charts. Prints a checksum of the images.
 */
public final class Rasterize {
    private Rasterize() {
    }

    /** A chart of filled curves, gradients, markers and a grid. */
    private static String chart(Random random) {
        StringBuilder svg = new StringBuilder();
        svg.append("<svg xmlns='http://www.w3.org/2000/svg' width='96' height='64' "
            + "viewBox='0 0 480 320'>\n<defs>\n");
        for (int g = 0; g < 6; g++) {
            svg.append(String.format("<linearGradient id='g%d' x1='0' y1='0' x2='0' y2='1'>"
                + "<stop offset='0' style='stop-color:#%06x;stop-opacity:0.8'/>"
                + "<stop offset='1' style='stop-color:#%06x;stop-opacity:0.1'/></linearGradient>\n",
                g, random.nextInt(1 << 24), random.nextInt(1 << 24)));
        }
        svg.append("</defs>\n<g style='stroke:#cccccc;stroke-width:0.5'>\n");
        for (int k = 0; k <= 20; k++) {
            svg.append(String.format("<line x1='0' y1='%d' x2='480' y2='%d'/>"
                + "<line x1='%d' y1='0' x2='%d' y2='320'/>\n", k * 16, k * 16, k * 24, k * 24));
        }
        svg.append("</g>\n");
        for (int g = 0; g < 6; g++) {
            curve(svg, random, g);
        }
        return svg.append("</svg>\n").toString();
    }

    private static void curve(StringBuilder svg, Random random, int series) {
        StringBuilder markers = new StringBuilder();
        double y = 160;
        svg.append("<path style='fill:url(#g").append(series).append(");stroke:#333333' d='M0,320");
        for (int x = 0; x <= 480; x += 12) {
            y = Math.max(10, Math.min(310, y + random.nextGaussian() * 20));
            svg.append(String.format(Locale.ROOT, " L%d,%.1f", x, y));
            markers.append(String.format(Locale.ROOT,
                "<circle cx='%d' cy='%.1f' r='2.5' style='fill:#ffffff;stroke:#333333' "
                + "transform='rotate(%d 240 160)'/>\n", x, y, series));
        }
        svg.append(" L480,320 Z'/>\n").append(markers);
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("java.awt.headless", "true");
        int charts = Integer.parseInt(args[0]);
        CRC32 checksum = new CRC32();
        Random random = new Random(1);
        for (int k = 0; k < charts; k++) {
            ByteArrayOutputStream png = new ByteArrayOutputStream();
            new PNGTranscoder().transcode(new TranscoderInput(new StringReader(chart(random))),
                new TranscoderOutput(png));
            checksum.update(png.toByteArray());
        }
        System.out.printf("%d charts, checksum %08x%n", charts, checksum.getValue());
    }
}
