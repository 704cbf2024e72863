import svc from 'svc'

const client = svc({ endpoint: 'svc-eu', appKey: process.env.APP_KEY, appSecret: process.env.APP_SECRET })
const VPS = '/vps'

/** Snapshots of every server: client.requestPromised('DELETE', '/vps/web-1') is text here. */
export async function snapshotAll(description: string): Promise<void> {
  for (const name of await client.requestPromised('GET', VPS)) {
    const server = await client.requestPromised('GET', `${VPS}/${encodeURIComponent(name)}`)
    if (server.state !== 'running') continue
    await client.requestPromised('POST', `${VPS}/${encodeURIComponent(name)}/createSnapshot`, { description })
  }
}
