import io.trino.plugin.memory.MemoryPlugin;
import io.trino.server.testing.TestingTrinoServer;
import java.io.PrintStream;
import java.util.Map;

/** A server of Trino that keeps its tables in memory. Prints its address, and ends when its input does. */
public class Trino {
  public static void main(String[] arguments) throws Exception {
    // The server makes a log of what is printed later.
    PrintStream out = System.out;
    TestingTrinoServer server = TestingTrinoServer.builder().setProperties(Map.of()).build();
    server.installPlugin(new MemoryPlugin());
    server.createCatalog("memory", "memory", Map.of("memory.max-data-per-node", "1GB"));
    out.println("address " + server.getBaseUrl());
    while (System.in.read() >= 0) {}
    Runtime.getRuntime().halt(0);
  }
}
