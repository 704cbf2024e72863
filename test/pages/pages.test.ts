import { readFileSync } from 'node:fs'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violationsInBoth } from './report-support.ts'
import { ann, application, launch, problemsOf, type RunningService, serviceAccount, startService } from './support.ts'

let browser: Browser
let service: RunningService
let app: Awaited<ReturnType<typeof application>>

beforeAll(async () => {
  browser = await launch()
  service = await startService()
  app = await application()
})

afterAll(async () => {
  await browser?.close()
  await app?.end()
  await service?.end()
})

/** Do something in a window of its own, and hold its pages to loading nothing from elsewhere and failing nowhere. */
async function inWindow<T>(act: (page: Page) => Promise<T>, options: BrowserContextOptions = {}): Promise<T> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const faults: string[] = []
  const homes = [new URL(service.address).host, new URL(app.address).host]
  page.on('request', (request) => {
    const { host, protocol } = new URL(request.url())
    if (protocol !== 'data:' && !homes.includes(host)) faults.push(`asked for ${request.url()}`)
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    // The browser also reports a refusal that a test provokes.
    if (message.type() === 'error' && !/the server responded with a status of 4/.test(message.text())) faults.push(message.text())
  })
  try {
    const result = await act(page)
    expect(faults).toEqual([])
    return result
  } finally {
    await context.close()
  }
}

const at = (path: string) => `${service.address}${path}`

/** Register an application on its page; the answer is its key. */
async function register(page: Page, name = 'Backups'): Promise<string> {
  await page.goto(at('/createApp'))
  await page.getByLabel('Application name').fill(name)
  await page.getByLabel('Application description').fill('copies what you keep')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'Application registered' }).waitFor()
  return await page.locator('#application-key').innerText()
}

/** The steps of an application to be let in; the answer is where the customer is sent, and the key. */
async function askForAccess(key: string): Promise<{ readonly validationUrl: string; readonly consumerKey: string }> {
  const answer = await fetch(at('/1.0/auth/credential'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-application': key },
    body: JSON.stringify({
      redirection: `${app.address}/back?from=test`,
      accessRules: [
        { method: 'GET', path: '/me' },
        { method: 'GET', path: '/hosting/web/*' },
        { method: 'PUT', path: '/hosting/web/*' },
      ],
    }),
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as { validationUrl: string; consumerKey: string }
}

describe.each([
  ['with a script', true],
  ['without', false],
])('delegated access, in a browser %s', (_, javaScriptEnabled) => {
  test('register, delegate, accept: the customer is led back', () =>
    inWindow(
      async (page) => {
        const { validationUrl } = await askForAccess(await register(page))
        await page.goto(validationUrl)
        expect(await page.locator('main').innerText()).toContain('Backups')
        expect(await page.locator('#rules').innerText()).toContain('Read, change: everything under /hosting/web/')
        await page.getByLabel('Answer as').selectOption({ label: 'the user ab12-svc/ann' })
        await page.getByRole('button', { name: 'Accept' }).click()
        await page.getByRole('heading', { name: 'Back at the application' }).waitFor()
        expect(page.url()).toBe(`${app.address}/back?from=test`)
        await page.goto(validationUrl)
        expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('This request was accepted')
      },
      { javaScriptEnabled },
    ))

  test('refuse: nothing is granted, and the way back is offered', () =>
    inWindow(
      async (page) => {
        const { validationUrl } = await askForAccess(await register(page))
        await page.goto(validationUrl)
        await page.getByRole('button', { name: 'Refuse' }).click()
        await page.getByRole('heading', { name: 'Refused' }).waitFor()
        await page.getByRole('link', { name: 'Back to the application' }).click()
        expect(page.url()).toBe(`${app.address}/back?from=test`)
        await page.goto(validationUrl)
        expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('This request was refused')
      },
      { javaScriptEnabled },
    ))
})

test('a form on another site changes nothing', () =>
  inWindow(async (page) => {
    await page.goto(app.address)
    await page.setContent(
      `<form method="post" action="${at('/createApp')}"><input name="name" value="x"><input name="description" value="x"><input name="account" value="ab12-svc"><button>Win</button></form>`,
    )
    await page.getByRole('button').click()
    expect(await page.locator('main').innerText()).toContain('It came from a page of another site.')
  }))

test('the console lists policies, and shows one in full', () =>
  inWindow(async (page) => {
    await page.goto(at('/console'))
    await page.getByRole('navigation').getByRole('link', { name: 'Policies' }).click()
    const row = page.getByRole('row', { name: /web readers/ })
    expect(await row.innerText()).toContain('webHosting:apisvc:get')
    expect(await page.getByRole('row', { name: /no endings/ }).innerText()).toContain('2031-01-01')
    await row.getByRole('link').click()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('web readers')
    expect(await page.getByLabel('The policy as JSON').innerText()).toContain('"action": "webHosting:apisvc:get"')
  }))

test('the printed address without a region is a page that leads to both', () =>
  inWindow(async (page) => {
    await page.goto(new URL('/', service.address).href)
    expect(await problemsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Console of EU' }).click()
    expect(page.url()).toBe(at('/console'))
    const plain = await fetch(new URL('/', service.address))
    expect(await plain.json()).toEqual({ regions: ['/eu', '/ca'] })
  }))

describe.each([
  ['with a script: findings appear while it is typed', true],
  ['without one: findings appear on a press of the button', false],
])('a policy is written in the browser, %s', (_, javaScriptEnabled) => {
  test('created with a finding, edited, refused, deleted', () =>
    inWindow(
      async (page) => {
        const look = async (text: string) => {
          await page.getByLabel('Policy', { exact: true }).fill(text)
          if (!javaScriptEnabled) await page.getByRole('button', { name: 'Check' }).click()
        }
        const text = (action: string) =>
          JSON.stringify({
            name: `written ${javaScriptEnabled ? 'with' : 'without'}`,
            identities: [ann],
            resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
            permissions: { allow: [{ action }] },
          })
        await page.goto(at('/console/policies'))
        await page.getByRole('link', { name: 'Create a policy' }).click()
        await look(text('vps:apisvc:rebooot'))
        const finding = page.locator('#findings li', { hasText: 'unknown-action' })
        await finding.waitFor()
        if (javaScriptEnabled) {
          await finding.getByRole('link').click()
          const chosen =
            "(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.querySelector('#policy'))"
          expect(await page.evaluate(chosen)).toContain('vps:apisvc:rebooot')
        }
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('Saved: it holds from the next call on.').waitFor()
        await page.getByRole('link', { name: 'Edit' }).click()
        await look('{"name": "x", "identites": []}')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('This was not accepted.').waitFor()
        await page.locator('#errors:focus').waitFor()
        expect(await problemsOf(page)).toEqual([])
        await look(text('vps:apisvc:reboot'))
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('Saved:').waitFor()
        await page.getByRole('link', { name: 'Delete' }).click()
        await page.getByRole('button', { name: 'Delete' }).click()
        await page.getByText('was deleted.').waitFor()
      },
      { javaScriptEnabled },
    ))

  test('what is wrong with a form has the focus, and hides no hint', () =>
    inWindow(
      async (page) => {
        for (const [path, press, hint] of [
          ['/createApp', 'Register', 'Customers see it when they are asked.'],
          ['/console/service-accounts', 'Create', 'For people; no decision depends on it.'],
          ['/console/can?identity=x', 'Ask', 'Who asks, such as'],
        ] as const) {
          await page.goto(at(path))
          await page.getByRole('button', { name: press, exact: true }).click()
          // Not `waitForFunction`: where scripts are off, it asks only once.
          await page.locator('#errors:focus').waitFor()
          const shown = page.locator('.hint', { hasText: hint })
          expect(await shown.isVisible()).toBe(true)
          const covered = `(() => {
            const { left, top, height } = [...document.querySelectorAll('.hint')].find((each) => each.textContent.includes(${JSON.stringify(hint)})).getBoundingClientRect()
            return document.elementFromPoint(left + 2, top + height / 2)?.className
          })()`
          await shown.scrollIntoViewIfNeeded()
          expect(await page.evaluate(covered)).toBe('hint')
        }
      },
      { javaScriptEnabled },
    ))
})

test('a policy that is written before the script has loaded is checked once it has', () =>
  inWindow(async (page) => {
    let allow = () => {}
    const typed = new Promise<void>((done) => {
      allow = done
    })
    await page.route('**/console/script.js', async (route) => {
      await typed
      await route.continue()
    })
    await page.goto(at('/console/policies'), { waitUntil: 'commit' })
    await page.getByRole('link', { name: 'Create a policy' }).click({ noWaitAfter: true })
    await page
      .getByLabel('Policy', { exact: true })
      .fill(JSON.stringify({ name: 'early', identities: [ann], resources: [], permissions: { allow: [{ action: 'vps:apisvc:rebooot' }] } }))
    allow()
    await page.locator('#findings li', { hasText: 'unknown-action' }).waitFor()
  }))

test('a key is revoked in the browser', () =>
  inWindow(async (page) => {
    const { validationUrl } = await askForAccess(await register(page, 'To be revoked'))
    await page.goto(validationUrl)
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('heading', { name: 'Back at the application' }).waitFor()
    await page.goto(at('/console/applications/keys?q=to+be+revoked'))
    await page.getByRole('button', { name: /^Revoke/ }).click()
    await page.getByText('Revoked: calls signed with the key are refused').waitFor()
    await page.goto(at('/console/applications/keys?q=to+be+revoked'))
    expect(await page.getByRole('row', { name: 'To be revoked' }).innerText()).toContain('expired')
  }))

test('a service account is made, and its secret is shown once', () =>
  inWindow(async (page) => {
    await page.goto(at('/console/service-accounts'))
    await page.getByLabel('Name').fill('nightly <b>jobs</b>')
    await page.getByRole('button', { name: 'Create' }).click()
    const secret = await page.locator('#client-secret').innerText()
    const id = await page.locator('#client-id').innerText()
    const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'all', client_id: id, client_secret: secret })
    expect((await fetch(at('/auth/oauth2/token'), { method: 'POST', body })).status).toBe(200)
    await page.getByRole('link', { name: 'All service accounts' }).click()
    expect(await page.getByRole('row', { name: 'nightly <b>jobs</b>' }).innerText()).toContain(id)
    expect(await page.content()).not.toContain(secret)
  }))

test('the schemas version of the account is chosen', () =>
  inWindow(async (page) => {
    await page.goto(at('/console/schemas'))
    await page.getByLabel('Major version of ab12-svc').selectOption('2')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved: the account uses major version 2.').waitFor()
  }))

describe.each([
  ['with a script: without loading the page anew', true],
  ['without one', false],
])('a question is answered in the browser, %s', (_, javaScriptEnabled) => {
  test('allowed, refused, unknown, and one that is none', () =>
    inWindow(
      async (page) => {
        await page.goto(at('/console/can'))
        // Requests, not loads: an answer is read before its page has loaded.
        let loads = 0
        page.on('request', (request) => {
          if (request.isNavigationRequest()) loads++
        })
        const ask = async (identity: string, action: string, said: RegExp) => {
          await page.getByLabel('Identity', { exact: true }).fill(identity)
          await page.getByLabel('Action', { exact: true }).fill(action)
          await page.getByLabel('Resource', { exact: true }).fill('urn:v1:eu:resource:webHosting:example.org')
          await page.getByRole('button', { name: 'Ask' }).click()
          await page.locator('#said', { hasText: said }).waitFor()
          return await page.locator('#answer').innerText()
        }
        expect(await ask(serviceAccount, 'webHosting:apisvc:get', /^Yes\./)).toContain('web readers')
        expect(new URL(page.url()).searchParams.get('action')).toBe('webHosting:apisvc:get')
        expect(await ask(serviceAccount, 'webHosting:apisvc:terminate', /^No\./)).toContain('stops at action')
        expect(await ask('ann', 'webHosting:apisvc:edit', /^It depends\./)).toContain('Settle it with --ip ADDRESS')
        await page.getByText('Circumstances').click()
        await page.getByLabel('Address of the request').fill('192.0.2.7')
        expect(await ask(ann, 'webHosting:apisvc:terminate', /^No\./)).toContain('no endings')
        await page.getByLabel('Action', { exact: true }).fill('terminate')
        await page.getByRole('button', { name: 'Ask' }).click()
        await page.getByText('This was not accepted').waitFor()
        expect(loads).toBe(javaScriptEnabled ? 0 : 5)
      },
      { javaScriptEnabled },
    ))
})

describe('the log of calls', () => {
  test('a call that is made elsewhere appears by itself, and is shown in a few words', () =>
    inWindow(async (page) => {
      await page.goto(at('/console/calls'))
      await page.getByText('Live: further calls appear by themselves.').waitFor()
      expect((await service.call('GET', '/v1/hosting/web/live.example.org')).status).toBe(200)
      const row = page.locator('#calls tbody tr').first()
      await row.getByText('GET /v1/hosting/web/live.example.org').waitFor()
      expect(await row.innerText()).toContain('allowed')
      await page.getByText('1 new call. GET /v1/hosting/web/live.example.org: allowed, 200').waitFor()
    }))

  test('paused, it stands still; then it catches up', () =>
    inWindow(async (page) => {
      await page.goto(at('/console/calls'))
      await page.getByText('Live:').waitFor()
      const pause = page.getByRole('button', { name: 'Pause' })
      await pause.click()
      expect(await pause.getAttribute('aria-pressed')).toBe('true')
      await service.call('GET', '/v1/hosting/web/paused.example.org')
      expect(await page.getByText('paused.example.org').count()).toBe(0)
      await pause.click()
      await page.getByRole('cell', { name: 'GET /v1/hosting/web/paused.example.org' }).waitFor()
    }))

  test('without a script, the page shows what was', () =>
    inWindow(
      async (page) => {
        await service.call('GET', '/v1/hosting/web/earlier.example.org')
        await page.goto(at('/console/calls'))
        expect(await page.getByText('earlier.example.org').count()).toBe(1)
        expect(await page.getByText('Reload the page to see further calls.').isVisible()).toBe(true)
        expect(await page.getByRole('button', { name: 'Pause' }).isVisible()).toBe(false)
      },
      { javaScriptEnabled: false },
    ))

  test('an emulator ends when asked to though a user watches, and the page says that the connection is lost', async () => {
    const other = await startService()
    const context = await browser.newContext()
    const watching = await context.newPage()
    await watching.goto(`${other.address}/console/calls`)
    await watching.getByText('Live:').waitFor()
    expect(await other.end()).toBe(0)
    await watching.getByText('The connection is lost.').waitFor()
    await context.close()
  })
})

test('with the keyboard alone: skip to the content, walk the navigation, ask, and read the answer', () =>
  inWindow(async (page) => {
    const focused = () =>
      page.evaluate(`(() => {
        const { tagName, id, textContent } = document.activeElement
        return { tagName, id, text: textContent.trim().slice(0, 40), outline: getComputedStyle(document.activeElement).outlineStyle }
      })()`) as Promise<{ tagName: string; id: string; text: string; outline: string }>
    const press = async (key: string) => {
      await page.keyboard.press(key)
      return await focused()
    }
    /** Go on until something has the focus, which must be seen at every step. */
    const goTo = async (isThere: (element: Awaited<ReturnType<typeof focused>>) => boolean) => {
      for (let i = 0; i < 30; i++) {
        const element = await press('Tab')
        expect(element.outline, `the focus on ${element.tagName} ${element.text} is not seen`).not.toBe('none')
        if (isThere(element)) return
      }
      throw new Error('the keyboard does not get there')
    }
    await page.goto(at('/console'))
    expect((await press('Tab')).text).toBe('Skip to the content')
    expect((await press('Enter')).id).toBe('main')
    await page.goto(at('/console'))
    await goTo(({ text }) => text === 'Ask')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ask: is it allowed?' }).waitFor()
    await goTo(({ id }) => id === 'identity')
    await page.keyboard.type(serviceAccount)
    await page.keyboard.press('Escape')
    await goTo(({ id }) => id === 'action')
    await page.keyboard.type('webHosting:apisvc:get')
    await page.keyboard.press('Escape')
    await goTo(({ id }) => id === 'resource')
    await page.keyboard.type('urn:v1:eu:resource:webHosting:example.org')
    await page.keyboard.press('Enter')
    await page.locator('#said', { hasText: 'Yes.' }).waitFor()
    expect((await focused()).id).toBe('resource')
    await goTo(({ text }) => text.startsWith('seed.yaml:'))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'web readers' }).waitFor()
  }))

describe.each([
  ['at a desk', { viewport: { width: 1280, height: 800 } }],
  ['on the narrowest telephone', { viewport: { width: 320, height: 640 } }],
] as const)('for everybody, %s', (_, options) => {
  test('every page has labels, headings in order, contrast in light and in dark, and no more than the width of the window', () =>
    inWindow(async (page) => {
      await service.call('GET', '/v1/hosting/web/a-rather-long-name-of-a-site.example.org')
      const key = await register(page)
      const problems: string[] = (await problemsOf(page)).map((each) => `registered: ${each}`)
      const { validationUrl } = await askForAccess(key)
      await page.goto(at('/console/policies'))
      const policy = (await page.getByRole('row').getByRole('link').first().getAttribute('href')) ?? ''
      const question = new URLSearchParams({
        identity: serviceAccount,
        action: 'webHosting:apisvc:get',
        resource: 'urn:v1:eu:resource:webHosting:example.org',
      })
      const addresses = [
        at('/createApp'),
        validationUrl,
        at('/auth/credential/validate?token=unknown'),
        at('/console'),
        at('/console/policies'),
        new URL(policy, service.address).href,
        at('/console/can'),
        at(`/console/can?${question}`),
        at('/console/can?identity=x&action=y&resource=z'),
        at('/console/calls'),
        at('/console/service-accounts'),
        at('/console/resources'),
        at('/console/schemas'),
        at('/console/policies/new'),
        `${new URL(policy, service.address).href.replace('?', '/edit?')}`,
        `${new URL(policy, service.address).href.replace('?', '/delete?')}`,
        at('/console/policies?q=nothing+of+the+kind'),
        at('/console/applications'),
        at('/console/applications/keys'),
        new URL('/', service.address).href,
      ]
      for (const address of addresses) {
        await page.emulateMedia({ colorScheme: 'light' })
        await page.goto(address)
        const shoot = async (scheme: string) => {
          if (process.env.GRANTWISE_SCREENSHOTS === undefined) return
          const name = `${options.viewport.width}-${scheme}-${addresses.indexOf(address)}`
          await page.screenshot({ path: `${process.env.GRANTWISE_SCREENSHOTS}/${name}.png`, fullPage: true })
        }
        await shoot('light')
        const found = [...(await problemsOf(page)), ...(await violationsInBoth(page))]
        await shoot('dark')
        // Its own look at contrast, in the dark as well.
        const dark = (await problemsOf(page)).map((each) => `dark: ${each}`)
        problems.push(...[...found, ...dark].map((each) => `${new URL(address).pathname}: ${each}`))
      }
      expect(problems).toEqual([])
    }, options))
})

test('the editor of a policy is used by key events: typed, selected, undone, saved, asked about', () =>
  inWindow(async (page) => {
    const text = `{ "name": "typed by keys?/", "identities": ["${ann}"],
"resources": [{ "urn": "urn:v1:eu:resource:vps:*" }], "permissions": { "allow": [{ "action": "vps:apisvc:reboot" }] } }`
    const editor = page.getByLabel('Policy', { exact: true })
    await page.goto(at('/console/policies/new'))
    await editor.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
    expect(await editor.inputValue()).toBe(text)
    await page.getByText('Nothing found.').waitFor()
    for (let i = 0; i < '" }] } }'.length; i++) await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Control+Shift+ArrowLeft')
    await page.keyboard.type('rebooot')
    await page.locator('#findings li', { hasText: 'unknown-action' }).waitFor()
    for (let i = 0; i < 20 && (await editor.inputValue()) !== text; i++) await page.keyboard.press('Control+z')
    expect(await editor.inputValue()).toBe(text)
    await page.getByText('Nothing found.').waitFor()
    for (let i = 0; i < 3; i++) await page.keyboard.press('Tab')
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    expect([file.suggestedFilename(), readFileSync(await file.path(), 'utf8')]).toEqual(['typed-by-keys.json', `${text}\n`])
    for (let i = 0; i < 2; i++) await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Saved: it holds from the next call on.').waitFor()
    await page.goto(at('/console/can'))
    await page.getByLabel('Identity', { exact: true }).focus()
    await page.keyboard.type('ann')
    await page.keyboard.press('Tab')
    await page.keyboard.type('vps:apisvc:reboot')
    await page.keyboard.press('Tab')
    await page.keyboard.type('urn:v1:eu:resource:vps:web-1')
    await page.keyboard.press('Enter')
    await page.locator('#said', { hasText: 'Yes. user/ann may vps:apisvc:reboot on vps:web-1' }).waitFor()
    await page.locator('#answer a.place').first().focus()
    await page.keyboard.press('Enter')
    await page.locator('#allow-1:target', { hasText: 'vps:apisvc:reboot' }).waitFor()
  }))

test('the log is narrowed to a verdict, and goes on from there by itself', () =>
  inWindow(async (page) => {
    await service.call('GET', '/v1/hosting/web/narrow.example.org')
    await service.call('GET', '/v1/vps/narrow-1')
    await page.goto(at('/console/calls'))
    await page.getByLabel('Verdict').selectOption('refused')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.waitForURL(/verdict=deny/)
    await page.getByText('Live:').waitFor()
    const verdicts = () => page.locator('#calls tbody tr td:nth-child(3)').allTextContents()
    expect(new Set(await verdicts())).toEqual(new Set(['refused']))
    const before = (await verdicts()).length
    await service.call('GET', '/v1/hosting/web/narrow.example.org')
    await service.call('GET', '/v1/vps/narrow-2')
    await page.locator('#calls', { hasText: '/v1/vps/narrow-2' }).waitFor()
    expect(await verdicts()).toHaveLength(before + 1)
    await page
      .getByRole('link', { name: /^Ask again whether/ })
      .first()
      .click()
    await page.locator('#said', { hasText: 'No.' }).waitFor()
  }))

test('nothing moves where less motion is wanted, and paper is light and without what is pressed', () =>
  inWindow(
    async (page) => {
      await page.goto(at('/console/calls'))
      await page.getByText('Live:').waitFor()
      await service.call('GET', '/v1/hosting/web/still.example.org')
      await page.locator('#calls .fresh').first().waitFor()
      const moving = "document.getAnimations().filter(({ playState }) => playState === 'running').length"
      expect(await page.evaluate(moving)).toBe(0)
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      for (const hidden of ['header nav', '.search', '#pause']) expect(await page.locator(hidden).isVisible(), hidden).toBe(false)
      expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(29, 35, 32)')
      expect(await page.locator('#calls').isVisible()).toBe(true)
    },
    { reducedMotion: 'reduce', colorScheme: 'dark' },
  ))

test('many calls in a row are all counted, and the newest are shown', () =>
  inWindow(async (page) => {
    await page.goto(at('/console/calls'))
    await page.getByText('Live:').waitFor()
    await Promise.all(Array.from({ length: 120 }, (_, i) => service.call('GET', `/v1/hosting/web/many${i}.example.org`)))
    await expect.poll(() => page.locator('#calls tbody tr', { hasText: 'many' }).count()).toBe(50)
  }))

test('at 200 % of the size, nothing is outside of the window', () =>
  inWindow(
    async (page) => {
      for (const path of ['/console/policies', '/console/can', '/console/calls', '/createApp']) {
        await page.goto(at(path))
        await page.addStyleTag({ url: at('/console/style.css') })
        await page.evaluate("document.documentElement.style.fontSize = '200%'")
        expect(await problemsOf(page)).toEqual([])
      }
    },
    { viewport: { width: 1280, height: 800 } },
  ))
