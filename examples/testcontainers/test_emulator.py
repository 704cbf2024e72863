import time
import urllib.request

from testcontainers.core.container import DockerContainer


def wait_for(address: str, seconds: float = 30) -> None:
    """Wait until the emulator answers; fail after so many seconds."""
    end = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(address, timeout=1).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def test_calls():
    container = (
        DockerContainer("grantwise")
        .with_volume_mapping("/path/to/seed.yaml", "/work/seed.yaml", "ro")
        .with_env("GRANTWISE_CONTROL_TOKEN", "token-of-the-tests")
        .with_command(["serve", "--host", "0.0.0.0", "--allow-remote", "--seed", "seed.yaml"])
        .with_exposed_ports(8765)
    )
    with container:
        url = f"http://{container.get_container_host_ip()}:{container.get_exposed_port(8765)}"
        wait_for(f"{url}/health")
        # Give f"{url}/eu" to the program under test.
