/** One comment on a change, which is written again at each push. */

/** A server did not do what it was asked. `isDenied`: the token may not. */
export class ServerError extends Error {
  constructor(message, isDenied = false) {
    super(message)
    this.isDenied = isDenied
  }
}

/**
 * Write the comment: over the one that an earlier run wrote, else as a new one. What says nothing new (`isQuiet`) is not
 * worth a new one. `server`: `comments()` gives those that the token may have written, in pages; `create` and `update`
 * give the address of what they wrote.
 */
export async function stick(server, { marker, text, isQuiet }) {
  for await (const { id, body, address } of server.comments()) {
    // A server may change line ends, and whoever answers to a comment may quote it.
    if (!body.startsWith(marker)) continue
    if (body.replaceAll('\r\n', '\n').trim() === text.trim()) return { did: 'kept', address }
    return { did: 'updated', address: await server.update(id, text) }
  }
  return isQuiet ? { did: 'nothing', address: undefined } : { did: 'created', address: await server.create(text) }
}

const [mostTries, longest] = [4, 30_000]

/** Ask a server for JSON. A fault that may pass is tried again; anything else throws. No message holds the token. */
export async function ask(url, { method = 'GET', headers, body, pause = 1000 }) {
  const at = `${method} ${new URL(url).pathname}`
  for (let tries = 1; ; tries++) {
    const answer = await fetch(url, {
      method,
      headers: { ...headers, accept: 'application/json', 'user-agent': 'grantwise', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(longest),
    }).catch((error) => error)
    // What was sent may have arrived: a comment is not created twice.
    const mayRepeat = tries < mostTries && (method !== 'POST' || !(answer instanceof Error))
    if (answer instanceof Error) {
      if (mayRepeat) await sleep(pause * tries)
      else throw new ServerError(`${at}: ${plain(answer.cause?.code ?? answer.message)}`)
      continue
    }
    const text = await answer.text().catch(() => '')
    if (answer.ok) return { value: parsed(text, at), headers: answer.headers }
    const wait = Number(answer.headers.get('retry-after') ?? 0) * 1000
    const isBusy = wait > 0 || answer.headers.get('x-ratelimit-remaining') === '0'
    const isPassing = answer.status === 429 || (method !== 'POST' && answer.status >= 500) || wait > 0
    if (!isPassing || !mayRepeat || wait > longest)
      throw new ServerError(`${at}: ${answer.status} ${plain(messageIn(text))}`.trim(), [401, 403, 404].includes(answer.status) && !isBusy)
    await sleep(Math.max(wait, pause * tries))
  }
}

function parsed(text, at) {
  try {
    return JSON.parse(text)
  } catch {
    throw new ServerError(`${at}: the answer is not JSON`)
  }
}

function messageIn(text) {
  try {
    const { message, error } = JSON.parse(text)
    return typeof message === 'string' ? message : typeof error === 'string' ? error : JSON.stringify(message ?? error ?? '')
  } catch {
    return ''
  }
}

/** A text for a log: one line, no control characters. */
export function plain(text) {
  return String(text)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
    .replaceAll('##[', '## [')
    .slice(0, 300)
}

const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))
