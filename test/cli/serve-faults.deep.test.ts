import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { effort } from '../support/effort.ts'
import { endAll, serving } from '../support/serving.ts'

/**
 * Load with faults: clients write at once, some leave in the middle, send half a body or a slow one, and the emulator is killed
 * and ended under them again and again. `FAULT_ROUNDS` makes it longer.
 */
const rounds = Number(process.env.FAULT_ROUNDS ?? effort(4, 8))
const clients = 6
/** After so many answers of a round the emulator is killed or ended, while the clients go on. */
const answersOfRound = 25

const client = { id: 'EU.0123456789abcdef', secret: 'a secret of the tests' }
const identity = `urn:v1:eu:identity:credential:ab12-svc/oauth2-${client.id}`
const backup = '/v2/vmwareCloudDirector/backup/b1'
const everything = {
  name: 'everything',
  identities: [identity],
  resources: [{ urn: 'urn:v1:eu:resource:*' }],
  permissions: { allow: [{ action: '*' }] },
}
const seed = {
  account: 'ab12-svc',
  policies: [everything],
  standIn: {
    serviceAccounts: [{ identity, secret: client.secret }],
    resources: [{ urn: 'urn:v1:eu:resource:vmwareCloudDirectorBackup:b1', path: backup, currentState: { size: 0 } }],
  },
}

const folder = mkdtempSync(join(tmpdir(), 'grantwise-faults-'))
writeFileSync(join(folder, 'seed.json'), JSON.stringify(seed))
afterAll(() => {
  endAll()
  rmSync(folder, { recursive: true, force: true })
})

const serve = () => serving(folder, '--quiet', '--seed', 'seed.json', '--state', 'kept.db')

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
  readonly next: string | undefined
}

type Lost = 'broken' | 'refused'

const statusOf = (answer: Answer | Lost) => (typeof answer === 'string' ? answer : answer.status)

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A whole answer; `broken` where the connection broke before its end, so that what was asked for may be done or not; `refused` where
 * there was none. `slow`: the body goes in pieces.
 */
function send(port: number, { method, path, body = '', headers = {} }: Sent, slow = false): Promise<Answer | Lost> {
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((done) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, method, path: `/eu${path}`, agent: false, headers: { ...headers, ...length } },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (piece) => {
          text += piece
        })
        response.on('error', () => done('broken'))
        response.on('close', () => {
          const { 'content-type': type = '', 'x-pagination-cursor-next': next } = response.headers
          const isWhole = response.complete
          done(isWhole ? { status: response.statusCode ?? 0, type, text, next: next === undefined ? undefined : String(next) } : 'broken')
        })
      },
    )
    request.on('error', (error: NodeJS.ErrnoException) => done(error.code === 'ECONNREFUSED' ? 'refused' : 'broken'))
    if (!slow) {
      request.end(body)
      return
    }
    const half = Math.floor(body.length / 2)
    request.write(body.slice(0, half))
    setTimeout(() => request.end(body.slice(half)), 20)
  })
}

/** Send a request, or the beginning of one, and leave without waiting for an answer. */
function leave(port: number, { method, path, body = '', headers = {} }: Sent, part: number): Promise<void> {
  const lines = [`${method} /eu${path} HTTP/1.1`, 'host: 127.0.0.1', `content-length: ${Buffer.byteLength(body)}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  const text = `${lines.join('\r\n')}\r\n\r\n${body}`
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text.slice(0, Math.ceil(text.length * part)), () => socket.destroy()))
    socket.on('error', () => {})
    socket.on('close', () => done())
  })
}

const json = { 'content-type': 'application/json' }
const sane = new Set([200, 204, 400, 404, 409, 503])

interface Policy {
  readonly id: string
  readonly name: string
  readonly description: string
}

test('every answer is JSON, no acknowledged write is lost, and no half write is seen', async () => {
  /** Policies that were acknowledged, by name with their ids; and those that were asked for and may be there or not. */
  const acknowledged = new Map<string, string>()
  const deleted = new Set<string>()
  const asked = new Set<string>()
  const odd: string[] = []
  let sizeAcknowledged = 0
  let sizeAsked = 0
  let token = ''
  let count = 0
  let left = 0

  /** Long enough to be cut in the middle; it follows from the name, so that a part of it would be seen. */
  const descriptionOf = (name: string) => `${name} `.repeat(Math.floor(1500 / (name.length + 1)))
  const bodyOf = (name: string) =>
    JSON.stringify({
      name,
      description: descriptionOf(name),
      identities: [identity],
      resources: [{ urn: `urn:v1:eu:resource:vps:${name}` }],
      permissions: { allow: [{ action: 'vps:apisvc:get' }] },
    })
  const bearer = () => ({ authorization: `Bearer ${token}` })
  const look = (answer: Answer | Lost, about: string): unknown => {
    if (typeof answer === 'string') return undefined
    const { status, type, text } = answer
    let body: unknown
    try {
      body = text === '' ? undefined : JSON.parse(text)
    } catch {
      odd.push(`${about}: ${status} ${text.slice(0, 100)}`)
    }
    if (!sane.has(status) || (status !== 204 && !type.startsWith('application/json')))
      odd.push(`${about}: ${status} ${type} ${text.slice(0, 100)}`)
    return body
  }

  /** One client, until the emulator is gone. Each does all kinds of things in turn, each with another one first. */
  const work = async (port: number, number: number, isOver: () => boolean, answered: () => void) => {
    for (let turn = number; !isOver(); turn++) {
      const name = `p${++count}`
      const create: Sent = { method: 'POST', path: '/v2/iam/policy', body: bodyOf(name), headers: { ...json, ...bearer() } }
      switch (turn % 8) {
        case 1:
          asked.add(name)
          left++
          await leave(port, create, 1)
          break
        case 3:
          left++
          await leave(port, create, 0.7)
          break
        case 4: {
          const answer = await send(port, { ...create, body: create.body?.slice(0, -20) ?? '' })
          look(answer, 'half a body')
          if (![400, 503, 'broken', 'refused'].includes(statusOf(answer))) odd.push(`half a body: ${statusOf(answer)}`)
          break
        }
        case 5: {
          const [first] = acknowledged
          if (!first) break
          const [gone, id] = first
          acknowledged.delete(gone)
          const answer = await send(port, { method: 'DELETE', path: `/v2/iam/policy/${id}`, headers: bearer() })
          look(answer, 'delete')
          if (statusOf(answer) === 204) deleted.add(gone)
          // It never came to the emulator: the policy must still be there.
          if (answer === 'refused') acknowledged.set(gone, id)
          break
        }
        case 6: {
          const size = ++sizeAsked
          const answer = await send(port, {
            method: 'PUT',
            path: backup,
            body: JSON.stringify({ targetSpec: { size } }),
            headers: { ...json, ...bearer() },
          })
          look(answer, 'change of the target')
          if (statusOf(answer) === 200) sizeAcknowledged = Math.max(sizeAcknowledged, size)
          break
        }
        default: {
          asked.add(name)
          const answer = await send(port, create, turn % 8 === 2)
          const body = look(answer, 'create')
          if (statusOf(answer) === 200) {
            acknowledged.set(name, (body as Policy).id)
            answered()
          }
        }
      }
    }
  }

  /** The policies of the emulator, held against what was acknowledged and what was asked for. */
  const check = async (port: number) => {
    const read = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
      const answer = await send(port, { method: 'GET', path, headers: { ...bearer(), ...headers } })
      expect(statusOf(answer), path).toBe(200)
      return { body: look(answer, path), next: (answer as Answer).next }
    }
    const kept = new Map<string, Policy>()
    let cursor: string | undefined
    do {
      const { body, next } = await read('/v2/iam/policy', {
        'x-pagination-size': '50',
        ...(cursor !== undefined && { 'x-pagination-cursor': cursor }),
      })
      for (const policy of body as Policy[]) {
        expect(kept.has(policy.name), `${policy.name} is there once`).toBe(false)
        kept.set(policy.name, policy)
      }
      cursor = next
    } while (cursor !== undefined)
    kept.delete(everything.name)
    const lost = [...acknowledged].filter(([name, id]) => kept.get(name)?.id !== id)
    expect(lost, 'acknowledged writes that are lost').toEqual([])
    expect(
      [...deleted].filter((name) => kept.has(name)),
      'acknowledged deletions that came back',
    ).toEqual([])
    const strange = [...kept.values()].filter(({ name, description }) => !asked.has(name) || description !== descriptionOf(name))
    expect(strange, 'policies that nobody asked for, or not so').toEqual([])

    // A resource, its tasks and its events are written together: each change of the target has one of each.
    const { body: resource } = await read(backup)
    const { size } = (resource as { targetSpec: { size: number } }).targetSpec
    expect(size).toBeGreaterThanOrEqual(0)
    expect(size).toBeLessThanOrEqual(sizeAsked)
    const { body: tasks } = await read(`${backup}/task`, { 'x-pagination-size': '1000' })
    const { body: events } = await read(`${backup}/event`, { 'x-pagination-size': '1000' })
    const ids = (tasks as { id: string }[]).map(({ id }) => id)
    const updates = (events as { type: string; message: string }[]).filter(({ type }) => type === 'TargetSpecUpdate')
    expect(updates.map(({ message }) => ids.find((id) => message.includes(id)))).toEqual(ids)
    if (sizeAcknowledged > 0) expect(ids.length).toBeGreaterThan(0)
    return kept.size
  }

  const workers: Promise<void>[] = []
  for (let round = 0; round < rounds; round++) {
    const server = await serve()
    if (round === 0) {
      const form = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client.id,
        client_secret: client.secret,
        scope: 'all',
      })
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await send(server.port, { method: 'POST', path: '/auth/oauth2/token', body: form.toString(), headers })
      token = (look(answer, 'token') as { access_token: string }).access_token
    }
    await check(server.port)
    let isOver = false
    let answers = 0
    const enough = new Promise<void>((done) => {
      const answered = () => {
        if (++answers === answersOfRound) done()
      }
      void server.ended.then(() => {
        isOver = true
        done()
      })
      for (let number = 0; number < clients; number++) workers.push(work(server.port, number, () => isOver, answered))
    })
    await enough
    const signal = round % 2 === 0 ? 'SIGKILL' : 'SIGTERM'
    server.process.kill(signal)
    expect(await server.ended, server.stderr()).toBe(signal === 'SIGKILL' ? 'SIGKILL' : 0)
    await Promise.all(workers.splice(0))
    expect(server.stderr()).toBe('')
  }
  const last = await serve()
  const kept = await check(last.port)
  expect(odd).toEqual([])
  expect(kept).toBeGreaterThanOrEqual(acknowledged.size)
  expect(acknowledged.size).toBeGreaterThan((rounds * answersOfRound) / 4)
  expect(left).toBeGreaterThan(0)
  last.process.kill('SIGTERM')
  expect(await last.ended).toBe(0)
})
