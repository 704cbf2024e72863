import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Servers that answer as those of GitHub and GitLab do where comments on a change are concerned. */

interface Comment {
  readonly id: number
  body: string
  readonly author: string
}

interface Settings {
  /** The user that the token belongs to; on GitHub undefined for the token of a workflow, which writes as a bot. */
  readonly user?: string
  /** The status of whatever writes. */
  readonly refuse?: number
  /** So many requests are answered with an error that passes. */
  faults?: number
}

export interface CommentServer {
  readonly url: string
  readonly comments: Comment[]
  /** Requests: `METHOD path`. */
  readonly asked: string[]
  settings: Settings
  readonly close: () => Promise<void>
}

export const token = 'secret-token-of-the-test'

type Answer = readonly [status: number, value: unknown, headers?: Readonly<Record<string, string>>]

async function serve(answer: (request: IncomingMessage, url: URL, body: string, state: CommentServer) => Answer): Promise<CommentServer> {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const url = new URL(request.url ?? '', state.url)
    state.asked.push(`${request.method} ${url.pathname}`)
    const faults = state.settings.faults ?? 0
    if (faults > 0) state.settings.faults = faults - 1
    const body = text === '' ? '' : (JSON.parse(text) as { body: string }).body
    const [status, value, headers] = faults > 0 ? [503, { message: 'unavailable' }] : answer(request, url, body, state)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const state: CommentServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    comments: [],
    asked: [],
    settings: {},
    close: () => new Promise((done) => server.close(() => done())),
  }
  return state
}

/** The comments of a page, by `per_page` and `page`. */
function pageOf(comments: readonly Comment[], url: URL) {
  const [size, page] = ['per_page', 'page'].map((name) => Number(url.searchParams.get(name))) as [number, number]
  return { list: comments.slice(size * (page - 1), size * page), next: size * page < comments.length ? String(page + 1) : '' }
}

function write(state: CommentServer, id: number | undefined, body: string, author: string): Comment {
  const there = state.comments.find((comment) => comment.id === id)
  if (there) there.body = body
  const comment = there ?? { id: state.comments.length + 1, body, author }
  if (!there) state.comments.push(comment)
  return comment
}

/** GitHub's: pull request 7 of `acme/policies`. */
export const githubServer = () =>
  serve((request, { pathname, searchParams }, body, state) => {
    if (request.headers.authorization !== `Bearer ${token}`) return [401, { message: 'Bad credentials' }]
    const { user, refuse } = state.settings
    const shown = ({ id, body, author }: Comment) => ({
      id,
      body,
      html_url: `https://github.example/acme/policies/pull/7#issuecomment-${id}`,
      user: { login: author, type: author.endsWith('[bot]') ? 'Bot' : 'User' },
    })
    const denied = [403, { message: 'Resource not accessible by integration' }] as const
    if (pathname === '/user') return user === undefined ? denied : [200, { login: user }]
    const author = user ?? 'github-actions[bot]'
    const [, id] = /^\/repos\/acme\/policies\/issues\/comments\/(\d+)$/.exec(pathname) ?? []
    const isList = pathname === '/repos/acme/policies/issues/7/comments'
    if (request.method === 'GET' && isList) return [200, pageOf(state.comments, new URL(`http://x/?${searchParams}`)).list.map(shown)]
    if (refuse !== undefined) return [refuse, refuse === 403 ? denied[1] : { message: 'no' }]
    if ([...body].length > 65_536) return [422, { message: 'body is too long' }]
    if (request.method === 'POST' && isList) return [201, shown(write(state, undefined, body, author))]
    if (request.method === 'PATCH' && id !== undefined) return [200, shown(write(state, Number(id), body, author))]
    return [404, { message: 'Not Found' }]
  })

/** GitLab's: merge request 7 of project 42. */
export const gitlabServer = () =>
  serve((request, url, body, state) => {
    if (request.headers['private-token'] !== token) return [401, { message: '401 Unauthorized' }]
    const { user = 'robot', refuse } = state.settings
    const shown = ({ id, body, author }: Comment) => ({ id, body, author: { id: author, username: author } })
    if (url.pathname === '/user') return [200, { id: user, username: user }]
    const [, id] = /^\/projects\/42\/merge_requests\/7\/notes(?:\/(\d+))?$/.exec(url.pathname) ?? [undefined, null]
    if (id === null) return [404, { message: '404 Not Found' }]
    if (request.method === 'GET') {
      const { list, next } = pageOf(state.comments, url)
      return [200, list.map(shown), { 'x-next-page': next }]
    }
    if (refuse !== undefined) return [refuse, { message: `${refuse} refused` }]
    if (request.method === 'POST' && id === undefined) return [201, shown(write(state, undefined, body, user))]
    if (request.method === 'PUT' && id !== undefined) return [200, shown(write(state, Number(id), body, user))]
    return [404, { message: '404 Not Found' }]
  })
