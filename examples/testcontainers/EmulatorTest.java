import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

class EmulatorTest {
    static final GenericContainer<?> EMULATOR = new GenericContainer<>(DockerImageName.parse("grantwise"))
            .withCopyFileToContainer(MountableFile.forClasspathResource("seed.yaml", 0644), "/work/seed.yaml")
            .withEnv("GRANTWISE_CONTROL_TOKEN", "token-of-the-tests")
            .withCommand("serve", "--host", "0.0.0.0", "--allow-remote", "--seed", "seed.yaml")
            .withExposedPorts(8765)
            .waitingFor(Wait.forHttp("/health").forPort(8765).forStatusCode(200));

    static String apiUrl() {
        return "http://" + EMULATOR.getHost() + ":" + EMULATOR.getMappedPort(8765) + "/eu";
    }
}
