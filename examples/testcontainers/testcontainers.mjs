import { GenericContainer, Wait } from 'testcontainers'

const container = await new GenericContainer('grantwise')
  .withCopyFilesToContainer([{ source: 'seed.yaml', target: '/work/seed.yaml', mode: 0o644 }])
  .withEnvironment({ GRANTWISE_CONTROL_TOKEN: 'token-of-the-tests' })
  .withCommand(["serve", "--host", "0.0.0.0", "--allow-remote", "--seed", "seed.yaml"])
  .withExposedPorts(8765)
  .withWaitStrategy(Wait.forHttp('/health', 8765))
  .start()
const url = `http://${container.getHost()}:${container.getMappedPort(8765)}`
process.env.API_URL = `${url}/eu`

await fetch(`${url}/_emulator/reset`, { method: 'POST', headers: { authorization: 'Bearer token-of-the-tests' } })
await container.stop()
