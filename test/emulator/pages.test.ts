import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rulesInWords } from '../../src/emulator/console/consent.ts'
import { isNearby } from '../../src/emulator/console/guard.ts'
import { html, lines } from '../../src/emulator/console/html.ts'
import type { Reply } from '../../src/emulator/model/exchange.ts'
import type { CredentialState } from '../../src/emulator/model/records.ts'
import { effort } from '../support/effort.ts'
import { type TestService, testAccount, testIdentity, testService } from '../support/service.ts'

/** The tags of a document, in order: what a text that became markup would change. */
function tagsOf(markup: string): readonly string[] {
  return [...markup.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([tag]) => tag.toLowerCase())
}

/** The attributes of a document: their names and how many of each. */
function attributesOf(markup: string): readonly string[] {
  return [...markup.matchAll(/<[a-z][^<>"]*(?:"[^"]*"[^<>"]*)*>/gi)].flatMap(([tag]) =>
    [...tag.replace(/"[^"]*"/g, '""').matchAll(/\s([a-z-]+)(?==|[\s>])/gi)].map(([, name]) => name ?? ''),
  )
}

const aimed = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(fc.constantFrom('<', '>', '"', "'", '&', '`', '=', '/', '<script>', '</textarea>', '" onclick="', '&lt;', '\u202e', '\n', 'a'))
    .map((parts) => parts.join('')),
)

const form = (fields: Record<string, string>) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})

const tokenIn = (reply: Reply) => /name="form_token" value="([0-9a-f]{64})"/.exec(reply.html ?? '')?.[1] ?? ''

/** Fill in the form of a page and send it. */
function submit({ send }: TestService, page: string, fields: Record<string, string>, to = page): Reply {
  return send('POST', to, form({ form_token: tokenIn(send('GET', page)), ...fields }))
}

describe('templates', () => {
  test('whatever is put into them is text, never markup', () => {
    const written = (a: string, b: string) =>
      html`<p title="${a}">${b}</p><textarea>${lines(b)}</textarea><a href="${a}">${[a, b]}</a>`.source
    fc.assert(
      fc.property(aimed, aimed, (a, b) => {
        const source = written(a, b)
        expect(tagsOf(source)).toEqual(tagsOf(written('x', 'y')))
        expect(attributesOf(source)).toEqual(['title', 'href'])
        expect(source).not.toMatch(/href="\s*(?:javascript|data|vbscript)/i)
      }),
      { numRuns: effort(2000) },
    )
  })

  test('what would not be seen, or turn the text around, is written out', () => {
    expect(html`<b>${'a\u202eb\u0000'}</b>`.source).toBe('<b>a\\u{202e}b\\u{0}</b>')
  })

  test.each(['javascript:alert(1)', '//example.org', '/\\example.org', 'data:text/html,x', ''])(
    'an address leads somewhere: %s does not',
    (address) => {
      expect(html`<a href="${address}">x</a>`.source).toBe('<a href="#">x</a>')
    },
  )

  test('a text outside of quotation marks is refused where it is written', () => {
    expect(() => html`<a ${'x'}>y</a>`).toThrow('outside of any attribute')
    expect(() => html`<a title=${'x'}>y</a>`).toThrow('outside of any attribute')
    expect(html`<p>"${'<'}", 2 > 1 ${'"'}</p>`.source).toBe('<p>"&lt;", 2 > 1 &quot;</p>')
  })
})

describe('every page', () => {
  const pages = [
    '/createApp',
    '/auth/credential/validate?token=x',
    '/console',
    '/console/policies',
    '/console/policies/none',
    '/console/policies/new',
    '/console/policies?q=nothing+of+it',
    '/console/applications',
    '/console/applications/keys',
    '/console/can',
    '/console/can?identity=x&action=y&resource=z',
    '/console/calls',
    '/console/service-accounts',
    '/console/resources',
    '/console/schemas',
    '/console?account=nobody',
  ]

  test.each(pages)('%s says that it is an emulator, has one heading of the first rank, and may load nothing from elsewhere', (page) => {
    const { send } = testService()
    const reply = send('GET', page)
    expect(reply.origin).toBe('stand-in')
    expect(reply.html).toContain('This is an emulator on this machine, not the real service.')
    expect(reply.html?.match(/<h1>/g)).toHaveLength(1)
    expect(reply.html).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(reply.html).not.toMatch(/<script(?! src="\/eu\/console\/script\.js" defer>)|<style|\son[a-z]+=|style=/)
    expect(reply.headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*script-src 'self'; .*frame-ancestors 'none'$/),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    })
    for (const [, path] of (reply.html ?? '').matchAll(/(?:href|action)="([^"]*)"/g)) expect(path).toMatch(/^(\/eu\/|\/eu$|#|data:,$)/)
  })

  test('names that look like markup stay names on all of them', () => {
    const hostile = '<script>alert(1)</script>"\' onfocus=alert(1) autofocus x="'
    const service = testService()
    service.service.state.commit([
      {
        kind: 'policy',
        key: 'p',
        value: {
          id: 'p',
          account: testAccount,
          written: { name: hostile, description: hostile, identities: [testIdentity], resources: [], permissions: { allow: [] } },
          readOnly: false,
          createdAt: '2026-01-01T00:00:00.000Z',
          updatedAt: null,
        },
      },
    ])
    submit(service, '/console/service-accounts', { name: hostile })
    for (const page of [
      '/console/policies',
      '/console/policies/p',
      '/console/service-accounts',
      `/console/can?${new URLSearchParams({ identity: hostile, action: hostile, resource: hostile, ip: hostile })}`,
      `/console?${new URLSearchParams({ account: hostile })}`,
      `/console/schemas?${new URLSearchParams({ account: hostile })}`,
    ]) {
      const reply = service.send('GET', page)
      expect(reply.html).toContain('&lt;script&gt;')
      expect(reply.html).not.toContain('<script>')
      expect(attributesOf(reply.html ?? '')).not.toContain('onfocus')
    }
  })

  test('under a name that a stranger may have pointed here, there is nothing', () => {
    const { service } = testService()
    expect(['127.0.0.1', '[::1]', 'localhost', 'standin', 'a.localhost', 'host.docker.internal'].filter((host) => !isNearby(host))).toEqual(
      [],
    )
    expect(['example.org', 'localhost.example.org', '127.0.0.1.example.org', ''].filter(isNearby)).toEqual([])
    expect(service).toBeDefined()
  })
})

describe('forms', () => {
  test('an application is registered, and its keys are shown once', () => {
    const tested = testService()
    const reply = submit(tested, '/createApp', { name: 'Backups', description: 'copies <files>', account: testAccount })
    expect(reply.status).toBe(200)
    const [application] = [...tested.service.state.table('application').all()]
    expect(application).toMatchObject({ name: 'Backups', description: 'copies <files>' })
    expect(reply.html).toContain(`<code id="application-key">${application?.key}</code>`)
    expect(reply.html).toContain(application?.secret)
    expect(reply.headers?.['cache-control']).toBe('no-store')
    expect(tested.send('GET', '/console').html).not.toContain(application?.secret)
  })

  test('what is missing is shown at its field, and what was written stays', () => {
    const tested = testService()
    const reply = submit(tested, '/createApp', { name: 'Backups', description: ' ', account: testAccount })
    expect(reply.status).toBe(400)
    expect(reply.html).toContain('<a href="#description">Say what the application does.</a>')
    expect(reply.html).toContain('aria-describedby="description-hint description-error" aria-invalid="true"')
    expect(reply.html).toContain('value="Backups"')
    expect(tested.service.state.table('application').size).toBe(0)
  })

  test.each([
    ['without what our page puts in', { headers: {}, token: '' }],
    ['with another form’s', { headers: {}, token: 'of another form' }],
    ['from another site', { headers: { origin: 'http://example.org' }, token: undefined }],
    ['from another port', { headers: { origin: 'http://localhost:81' }, token: undefined }],
    ['from another site, as the browser says', { headers: { 'sec-fetch-site': 'cross-site' }, token: undefined }],
    ['from a place that is hidden', { headers: { origin: 'null' }, token: undefined }],
  ])('a form that came %s changes nothing', (_, { headers, token }) => {
    const tested = testService()
    const given = token === 'of another form' ? tokenIn(tested.send('GET', '/console/service-accounts')) : token
    const fields = { form_token: given ?? tokenIn(tested.send('GET', '/createApp')), name: 'a', description: 'b', account: testAccount }
    const sent = form(fields)
    const reply = tested.send('POST', '/createApp', { ...sent, headers: { ...sent.headers, ...headers } })
    expect(reply.status).toBe(403)
    expect(tested.service.state.table('application').size).toBe(0)
  })

  test('our own page’s form is taken, with what browsers add', () => {
    const tested = testService()
    const sent = form({ form_token: tokenIn(tested.send('GET', '/createApp')), name: 'a', description: 'b', account: testAccount })
    const headers = { ...sent.headers, origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }
    expect(tested.send('POST', '/createApp', { ...sent, headers }).status).toBe(200)
  })

  test('a service account is made, may get a token, and may do nothing yet', () => {
    const tested = testService()
    const reply = submit(tested, '/console/service-accounts', { name: 'deploy' })
    const value = (id: string) => reply.html?.split(`id="${id}"`)[1]?.split(/[><]/)[1]
    const client = { client_id: value('client-id') ?? '', client_secret: value('client-secret') ?? '' }
    const token = tested.send('POST', '/auth/oauth2/token', form({ grant_type: 'client_credentials', scope: 'all', ...client }))
    expect(token.status).toBe(200)
    const { access_token } = token.body as { access_token: string }
    expect(tested.send('GET', '/v1/hosting/web/example.org', { headers: { authorization: `Bearer ${access_token}` } }).status).toBe(403)
    expect(tested.send('GET', '/console/service-accounts').html).not.toContain(client.client_secret)
  })

  test('the account’s schemas version is chosen, of those that are served', () => {
    const tested = testService()
    const account = () => tested.service.state.table('account').get(testAccount)?.schemasVersion
    expect(submit(tested, '/console/schemas', { version: '2' })).toMatchObject({
      status: 303,
      headers: { location: `/eu/console/schemas?account=${testAccount}&saved=yes` },
    })
    expect(account()).toBe(2)
    expect(submit(tested, '/console/schemas', { version: '9' }).status).toBe(400)
    expect(tested.send('GET', '/console/schemas').html).toContain('breaking: &#96;resourceStatus&#96; is called &#96;status&#96;')
    expect(account()).toBe(2)
  })
})

describe('consent', () => {
  const credential = {
    consumerKey: 'ck',
    application: 'ak',
    region: 'eu',
    rules: [
      { method: 'GET', path: '/me' },
      { method: 'GET', path: '/sms/*' },
      { method: 'POST', path: '/sms/*' },
    ],
    redirection: 'https://app.example.org/back?x=1',
    state: 'pendingValidation',
    validation: 'v1',
    identity: null,
    account: null,
    createdAt: '2026-01-01T00:00:00.000Z',
  } as const
  const account = `urn:v1:eu:identity:account:${testAccount}`
  const page = '/auth/credential/validate?token=v1'
  const application = { key: 'ak', secret: 'as', name: 'Backups', description: 'copies', createdAt: credential.createdAt }
  const asked = (state: CredentialState = credential.state, redirection: string | null = credential.redirection) =>
    testService({
      state: [
        { kind: 'application', key: 'ak', value: application },
        { kind: 'credential', key: 'ck', value: { ...credential, state, redirection } },
      ],
    })
  const answer = (tested: TestService, fields: Record<string, string>) =>
    submit(tested, page, { token: 'v1', identity: account, ...fields }, '/auth/credential/validate')

  test('the page says who asks and each rule in words', () => {
    const reply = asked().send('GET', page)
    expect(reply.html).toContain('<strong>Backups</strong>')
    expect(reply.html).toContain('Read: only /me')
    expect(reply.html).toContain('Read, create and run: everything under /sms/')
    expect(reply.html).toContain('<code>POST /sms/*</code>')
    expect(reply.headers?.['content-security-policy']).toContain("form-action 'self' https://app.example.org;")
  })

  test('scheme B, step 4: accepted, the customer is redirected, and calls are made for whom they chose to be', () => {
    const tested = asked()
    expect(answer(tested, { answer: 'accept' })).toMatchObject({ status: 303, headers: { location: credential.redirection } })
    expect(tested.service.state.table('credential').get('ck')).toMatchObject({
      state: 'validated',
      identity: account,
      account: testAccount,
    })
    expect(tested.send('GET', page)).toMatchObject({ status: 410, html: expect.stringContaining('This request was accepted') })
  })

  test('refused, the customer is redirected nowhere, which is shown for success only, and nothing is granted', () => {
    const tested = asked()
    const reply = answer(tested, { answer: 'refuse' })
    expect(reply).toMatchObject({ status: 200, html: expect.stringContaining('The application gets no access.') })
    expect(reply.headers?.location).toBeUndefined()
    expect(tested.service.state.table('credential').get('ck')).toMatchObject({ state: 'refused', identity: null })
    expect(tested.send('GET', page).html).toContain('This request was refused')
  })

  test.each([
    ['a stranger', { answer: 'accept', identity: 'urn:v1:eu:identity:account:cd34-svc' }],
    ['nobody', { answer: 'accept', identity: '' }],
    ['someone without an answer', { answer: '' }],
  ])('%s accepts nothing', (_, fields) => {
    const tested = asked()
    expect(answer(tested, fields).status).toBe(400)
    expect(tested.service.state.table('credential').get('ck')?.state).toBe('pendingValidation')
  })

  test('a request is answered once, and only under its own address', () => {
    const tested = asked('validated')
    expect(answer(tested, { answer: 'refuse' }).status).not.toBe(303)
    expect(tested.send('GET', '/auth/credential/validate?token=').status).toBe(404)
    expect(asked('expired').send('GET', page).html).toContain('This request has expired')
    expect(asked().send('GET', page, { region: 'ca' }).status).toBe(404)
  })

  test('an address that is no page of the web is not led to', () => {
    const reply = answer(asked('pendingValidation', 'javascript:alert(1)'), { answer: 'accept' })
    expect(reply).toMatchObject({ status: 200, html: expect.stringContaining('Accepted') })
    expect(reply.headers?.location).toBeUndefined()
  })

  test('rules in words: of one path together, and never less than they are', () => {
    const words = (...rules: [method: string, path: string][]) =>
      rulesInWords(rules.map(([method, path]) => ({ method, path }))).map((each) => each.words)
    expect(words(['GET', '/*'], ['PUT', '/*'])).toEqual(['Read, change: everything'])
    expect(words(['DELETE', '/vps/*/disks'])).toEqual(['Delete: every path like /vps/*/disks, where * is any text'])
    expect(words(['GET', '/sms*'])).toEqual(['Read: everything that starts with /sms'])
    expect(words(['HEAD', '*'])).toEqual(['Call with HEAD: everything'])
    fc.assert(
      fc.property(
        fc.array(fc.record({ method: fc.constantFrom('GET', 'POST', 'X'), path: fc.constantFrom('/a', '/*', '/b/*') })),
        (rules) => {
          expect(rulesInWords(rules).flatMap((each) => each.rules)).toHaveLength(rules.length)
        },
      ),
    )
  })
})

describe('console', () => {
  test('policies are listed, with what they grant and when they end, and each has a page', () => {
    const tested = testService()
    tested.allow(['webHosting:*'])
    tested.service.state.commit([
      {
        kind: 'policy',
        key: 'old',
        value: {
          id: 'old',
          account: testAccount,
          written: {
            name: 'old one',
            identities: [testIdentity],
            resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
            permissions: { allow: [{ action: 'vps:*' }], deny: [{ action: 'vps:apisvc:terminate' }] },
            conditions: { operator: 'MATCH', values: { 'request.IP': '192.0.2.1' } },
            expiredAt: '2025-12-31T00:00:00Z',
          },
          readOnly: true,
          createdAt: '2025-01-01T00:00:00.000Z',
          updatedAt: null,
        },
      },
    ])
    const list = tested.send('GET', '/console/policies').html
    expect(list).toContain('2 policies of ab12-svc')
    expect(list).toContain('<code>webHosting:*</code>')
    expect(list).toContain('read-only')
    expect(list).toContain('expired')
    expect(list).toContain(`href="/eu/console/policies/old?account=${testAccount}"`)
    const page = tested.send('GET', '/console/policies/old').html
    expect(page).toContain('<h1>old one</h1>')
    expect(page).toContain('&#96;request.IP&#96; = &#96;192.0.2.1&#96;')
    expect(page).toContain('&quot;expiredAt&quot;: &quot;2025-12-31T00:00:00Z&quot;')
    expect(tested.send('GET', '/console/policies/old', { region: 'ca' }).status).toBe(404)
  })

  test('a question is answered with the entries that decide it, or the policies that came nearest', () => {
    const tested = testService()
    tested.allow(['webHosting:apisvc:get'])
    const ask = (action: string, also = {}) =>
      tested.send(
        'GET',
        `/console/can?${new URLSearchParams({ identity: testIdentity, action, resource: 'urn:v1:eu:resource:webHosting:example.org', ...also })}`,
      )
    const allowed = ask('webHosting:apisvc:get').html
    expect(allowed).toContain('<strong>Yes.</strong> credential/oauth2-EU.0123456789abcdef may <code>webHosting:apisvc:get</code>')
    expect(allowed).toContain(`href="/eu/console/policies/test-policy-1?account=${testAccount}#allow-1"`)
    expect(tested.send('GET', '/console/policies/test-policy-1').html).toContain('<li id="allow-1"><code>webHosting:apisvc:get</code></li>')
    const refused = ask('webHosting:apisvc:terminate').html
    expect(refused).toContain('<strong>No.</strong>')
    expect(refused).toContain('no policy grants it')
    expect(refused).toContain('stops at action')
    expect(ask('webHosting:apisvc:get', { ip: 'x', tags: 'y', groups: 'z' })).toMatchObject({ status: 400 })
    expect(ask('nothing').html).toContain('href="#action"')
  })

  test('resources are shown with their tasks and events', () => {
    const at = '2026-01-01T00:00:00.000Z'
    const task = { id: 't1', type: 'update', status: 'RUNNING', progress: [{ name: 'apply', status: 'RUNNING' }], errors: [] } as const
    const { send } = testService({
      state: [
        {
          kind: 'asset',
          key: 'k',
          value: {
            path: '/v2/a/b',
            region: 'eu',
            account: testAccount,
            urn: 'urn:v1:eu:resource:vrackServices:vrs-1',
            currentState: { size: 1 },
            targetSpec: { size: 2 },
            createdAt: at,
            updatedAt: at,
            tasks: 1,
            events: 1,
            waiting: [0],
          },
        },
        {
          kind: 'task',
          key: 'k 0',
          value: { ...task, createdAt: at, startedAt: at, updatedAt: at, finishedAt: null, target: { size: 2 } },
        },
        { kind: 'event', key: 'k 0', value: { createdAt: at, type: 'TargetSpecUpdate', message: 'the target was changed' } },
      ],
    })
    const page = send('GET', '/console/resources').html
    for (const words of ['vrackServices:vrs-1', '&quot;size&quot;: 2', 'apply RUNNING', 'TargetSpecUpdate', 'the target was changed'])
      expect(page).toContain(words)
  })
})

describe('log of calls', () => {
  function streamed(tested: TestService, path = '/console/calls/stream', headers = {}) {
    const { stream } = tested.send('GET', path, { headers })
    const pieces: string[] = []
    let isClosed = false
    let keepsUp = true
    const end = stream?.open(
      (piece) => {
        pieces.push(piece)
        return keepsUp
      },
      () => {
        isClosed = true
      },
    )
    return {
      type: stream?.type,
      events: () => pieces.filter((piece) => piece.startsWith('id:')),
      pieces,
      end: () => end?.(),
      isClosed: () => isClosed,
      lag: () => {
        keepsUp = false
      },
    }
  }
  const call = (tested: TestService, name = 'example.org') => tested.call('GET', `/v1/hosting/web/${name}`)

  test('each call that is judged is shown once, with its number, and stays on the page', () => {
    const tested = testService()
    tested.send('GET', '/console/calls')
    call(tested, 'first')
    const log = streamed(tested)
    expect(log.type).toBe('text/event-stream')
    call(tested, 'second')
    expect(log.events()).toHaveLength(2)
    const [, second] = log.events()
    expect(second).toMatch(/^id: 2\ndata: \{[^\n]*\}\n\n$/)
    expect(JSON.parse(second?.split('data: ')[1] ?? '')).toMatchObject({
      words: 'GET /v1/hosting/web/second: refused, 403',
      row: expect.stringContaining('<code>webHosting:apisvc:get</code>'),
    })
    const page = tested.send('GET', '/console/calls').html ?? ''
    expect(page.indexOf('web/second')).toBeLessThan(page.indexOf('web/first'))
    expect(page).toContain('data-newest="2"')
  })

  test('a call has the entries that decided it, with links to them as long as they are there', () => {
    const tested = testService()
    tested.allow(['webHosting:apisvc:get'])
    const row = () => /<tr role="row"><th role="rowheader".*?<\/tr>/s.exec(tested.send('GET', '/console/calls').html ?? '')?.[0] ?? ''
    call(tested, 'first')
    expect(row()).toContain('granted by')
    expect(row()).toContain(
      `<strong>test-policy-1</strong> allow <code>webHosting:apisvc:get</code> <a class="place" href="/eu/console/policies/test-policy-1?account=${testAccount}#allow-1">`,
    )
    const policy = tested.service.state.table('policy').get('test-policy-1')
    if (!policy) throw new Error('there is no policy')
    const commit = (value?: typeof policy) => tested.service.state.commit([{ kind: 'policy', key: policy.id, ...(value && { value }) }])
    commit({ ...policy, updatedAt: '2026-02-01T00:00:00.000Z' })
    expect(row()).toContain('(changed since)')
    commit()
    expect(row()).toContain('(deleted since)')
    expect(row()).not.toContain('class="place"')
    call(tested, 'second')
    expect(row()).toContain('no policy grants it <code>urn:<wbr>v1:<wbr>eu:<wbr>resource:<wbr>webHosting:<wbr>second</code>')
    const again = /<a href="([^"]*)" aria-label="Ask again/.exec(row())?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(tested.send('GET', again.replace(/^\/eu/, '')).html).toContain('<strong>No.</strong>')
  })

  test('calls of one verdict are found, on the page, on its other pages and in the stream', () => {
    const tested = testService()
    tested.allow(['webHosting:apisvc:get'], ['urn:v1:eu:resource:webHosting:open*'])
    for (let i = 0; i < 60; i++) {
      call(tested, `open${i}`)
      call(tested, `closed${i}`)
    }
    const page = (query: string) => tested.send('GET', `/console/calls?${query}`).html ?? ''
    expect(page('verdict=deny')).toContain('60 refused calls, page 1 of 2, newest first')
    expect(page('verdict=deny')).not.toContain('/web/open')
    expect(page('verdict=deny')).toContain('href="/eu/console/calls?verdict=deny&amp;page=2"')
    expect(page('verdict=allow&q=open59')).toContain('1 of 60 allowed calls hold')
    expect(page('verdict=unknown')).toContain('No unknown call yet.')
    expect(page('verdict=x')).toContain('120 calls')
    expect(streamed(tested, '/console/calls/stream?verdict=deny').events()).toHaveLength(60)
    // The entries that decided are searched as well.
    expect(page('q=test-policy-1')).toContain('60 of 120 calls hold')
  })

  test('a call that fails before any policy is asked is in the log of every account, with the reason', () => {
    const tested = testService()
    call(tested, 'first')
    tested.send('GET', '/v1/hosting/web/x', { headers: { authorization: 'Bearer unknown' } })
    tested.call('GET', '/v1/hostin/web')
    tested.send('POST', '/auth/oauth2/token', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'scope=all' })
    // A page is no call.
    tested.send('GET', '/console/policies/none')
    const page = (query: string) => tested.send('GET', `/console/calls?${query}`).html ?? ''
    expect(page('verdict=failed')).toContain('3 failed calls, newest first')
    expect(page(`account=${testAccount}`)).toContain('4 calls, newest first')
    expect(page('q=401')).toContain('GET /v1/hosting/web/x')
    expect(page('q=404')).toContain('no operation <code>GET</code>')
    expect(streamed(tested, '/console/calls/stream?verdict=failed').events()).toHaveLength(3)
  })

  test('a reader goes on where it was, also with an emulator that was started anew', () => {
    const tested = testService()
    tested.send('GET', '/console/calls')
    for (const name of ['a', 'b', 'c']) call(tested, name)
    expect(streamed(tested, '/console/calls/stream?after=1').events()).toHaveLength(2)
    expect(streamed(tested, '/console/calls/stream?after=0', { 'last-event-id': '2' }).events()).toHaveLength(1)
    expect(streamed(tested, '/console/calls/stream?after=77').events()).toHaveLength(3)
    expect(streamed(tested, '/console/calls/stream?after=x').events()).toHaveLength(3)
  })

  test('only so many are remembered, and only those of the account that is asked for are shown', () => {
    const tested = testService({
      state: [{ kind: 'account', key: 'cd34-svc', value: { id: 'cd34-svc', region: 'eu', schemasVersion: 1 } }],
    })
    tested.send('GET', '/console/calls')
    for (let i = 0; i < 205; i++) call(tested, `site${i}`)
    const page = tested.send('GET', '/console/calls').html ?? ''
    expect(page).toContain('200 calls, page 1 of 4, newest first')
    const last = tested.send('GET', '/console/calls?page=4').html ?? ''
    expect(last).not.toContain('web/site4<')
    expect(last).toContain('web/site5<')
    expect(streamed(tested, '/console/calls/stream?account=cd34-svc').events()).toHaveLength(0)
    expect(streamed(tested, `/console/calls/stream?account=${testAccount}`).events()).toHaveLength(200)
  })

  test('a silent stream says that it is there, and one that ended says nothing more', () => {
    const tested = testService()
    const log = streamed(tested)
    tested.clock.advance(31_000)
    expect(log.pieces.filter((piece) => piece.startsWith(':'))).toHaveLength(2)
    log.end()
    const before = log.pieces.length
    call(tested)
    tested.clock.advance(60_000)
    expect(log.pieces).toHaveLength(before)
  })

  test('a reader who does not keep up is cut off', () => {
    const tested = testService()
    const log = streamed(tested)
    log.lag()
    call(tested)
    call(tested)
    expect(log.isClosed()).toBe(true)
    expect(log.events()).toHaveLength(1)
  })
})
