import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'

/** An answer of an emulator that listens. */
export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Empty where the answer is no JSON object. */
  readonly body: Readonly<Record<string, unknown>> & { readonly class?: string; readonly message?: string; readonly access_token?: string }
}

/** Send a request, on a connection of its own. Any header may be given, `Host` too. */
export function ask(
  { port }: { readonly port: number },
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Promise<Answered> {
  return new Promise((done, fail) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece) => {
        text += piece
      })
      response.on('error', fail)
      response.on('end', () => {
        const isJson = response.headers['content-type']?.startsWith('application/json') && text !== ''
        const value: unknown = isJson ? JSON.parse(text) : {}
        const isObject = typeof value === 'object' && value !== null
        done({ status: response.statusCode ?? 0, headers: response.headers, text, body: isObject ? (value as Answered['body']) : {} })
      })
    })
    request.on('error', fail)
    request.end(body)
  })
}
