// SPDX-License-Identifier: Apache-2.0
// Reads a recording as JDK Mission Control does, with its own library, and prints what it sees: of each type
// of events their number; of the fields their kinds of content; the sum of sampled allocations; a stack.
import java.io.File;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmc.common.IMCFrame;
import org.openjdk.jmc.common.IMCStackTrace;
import org.openjdk.jmc.common.item.Aggregators;
import org.openjdk.jmc.common.item.IAttribute;
import org.openjdk.jmc.common.item.IItem;
import org.openjdk.jmc.common.item.IItemCollection;
import org.openjdk.jmc.common.item.IItemIterable;
import org.openjdk.jmc.common.item.IMemberAccessor;
import org.openjdk.jmc.common.item.IType;
import org.openjdk.jmc.common.unit.UnitLookup;
import org.openjdk.jmc.common.util.FormatToolkit;
import org.openjdk.jmc.common.util.TypeHandling;
import org.openjdk.jmc.flightrecorder.JfrAttributes;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;
import org.openjdk.jmc.flightrecorder.jdk.JdkAttributes;
import org.openjdk.jmc.flightrecorder.jdk.JdkFilters;

public class ReadJfr {
    static String stack(IMCStackTrace trace) {
        StringBuilder text = new StringBuilder();
        for (IMCFrame f : trace.getFrames())
            text.append(FormatToolkit.getHumanReadable(f.getMethod(), false, false, true, true, false, false))
                    .append(':').append(f.getFrameLineNumber()).append(';');
        return text.toString();
    }

    public static void main(String[] args) throws Exception {
        IItemCollection all = JfrLoaderToolkit.loadEvents(new File(args[0]));
        Map<String, Long> counts = new TreeMap<>();
        Map<String, String> fields = new TreeMap<>();
        Map<String, Integer> lanes = new TreeMap<>();
        long shown = 0;
        for (IItemIterable items : all) {
            IType<IItem> type = items.getType();
            counts.merge(type.getIdentifier(), items.getItemCount(), Long::sum);
            lanes.merge(type.getIdentifier(), 1, Integer::sum);
            for (IItem item : items)
                for (IAttribute<?> a : type.getAttributes()) {
                    IMemberAccessor<?, IItem> accessor = a.getAccessor(type);
                    Object value = accessor == null ? null : accessor.getMember(item);
                    shown += String.valueOf(TypeHandling.getVerboseString(value)).length();
                    fields.put(type.getIdentifier() + "." + a.getIdentifier(), a.getContentType().getIdentifier());
                }
        }
        counts.forEach((type, n) -> System.out.println(type + " " + n + " in " + lanes.get(type)));
        fields.forEach((field, content) -> System.out.println(field + " " + content));
        System.out.println("weight " + all.getAggregate(Aggregators.sum(JdkAttributes.SAMPLE_WEIGHT))
                .clampedLongValueIn(UnitLookup.BYTE));
        System.out.println("allocations " + all.apply(JdkFilters.OBJ_ALLOC).hasItems());
        for (IItemIterable items : all)
            for (IItem item : items)
                if (items.getType().getIdentifier().equals("ojx.Allocation")) {
                    IMCStackTrace trace = JfrAttributes.EVENT_STACKTRACE.getAccessor(items.getType()).getMember(item);
                    System.out.println("stack " + (trace == null ? "none" : stack(trace)));
                }
        System.out.println("shown " + (shown > 0));
    }
}
