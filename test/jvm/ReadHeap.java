// SPDX-License-Identifier: Apache-2.0
// What NetBeans' profiler library reads in a dump of Kept.java: objects by class, empty lists, what static fields retain.
//   ReadHeap DUMP

import java.io.File;
import java.util.List;
import org.netbeans.lib.profiler.heap.Heap;
import org.netbeans.lib.profiler.heap.HeapFactory;
import org.netbeans.lib.profiler.heap.Instance;
import org.netbeans.lib.profiler.heap.JavaClass;

public class ReadHeap {
    @SuppressWarnings("unchecked")
    public static void main(String[] args) throws Exception {
        Heap heap = HeapFactory.createHeap(new File(args[0]));
        for (JavaClass c : (List<JavaClass>) heap.getAllClasses())
            System.out.println("class\t" + c.getName() + "\t" + c.getInstancesCount());
        int empty = 0;
        for (Instance i : (List<Instance>) heap.getJavaClassByName("java.util.ArrayList").getInstances())
            empty += (Integer) i.getValueOfField("size") == 0 ? 1 : 0;
        System.out.println("empty\tjava.util.ArrayList\t" + empty);
        for (String f : new String[] {"cache", "list", "zeroes"}) {
            Instance i = (Instance) heap.getJavaClassByName("Kept").getValueOfStaticField(f);
            System.out.println("field\tKept." + f + "\t" + i.getRetainedSize());
        }
    }
}
