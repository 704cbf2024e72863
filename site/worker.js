// The service worker of the site. `files`: the hash of each file, by its path; `bytes`: of all that is kept. Both are defined above.

/** The cache. Its keys are addresses with the hash of what is there: of a new version, only what has changed is fetched again. */
const name = 'grantwise-site'
/** The key that says that the whole site is to be kept. */
const wholeKey = keyOf('', 'whole')

/** How many files are fetched in parallel. */
const inParallel = 8

const hashes = new Map(Object.entries(files).map(([path, hash]) => [new URL(path, registration.scope).pathname, hash]))
const wanted = [...hashes].map(([path, hash]) => keyOf(path, hash))

function keyOf(path, hash) {
  const key = new URL(path, registration.scope)
  key.search = hash
  return key.href
}

self.addEventListener('install', (event) => {
  event.waitUntil(
    isWhole()
      .then((whole) => whole && keepAll(() => {}))
      .then(() => self.skipWaiting()),
  )
})

self.addEventListener('activate', (event) => event.waitUntil(forgetOthers().then(() => self.clients.claim())))

self.addEventListener('message', (event) => {
  const report = (state) => event.source?.postMessage({ of: wanted.length, bytes, ...state })
  event.waitUntil(answer(event.data, report))
})

/** Pages ask for the state, or for the whole site. */
async function answer(asked, report) {
  if (asked !== 'keep') return report({ state: (await isWhole()) ? 'kept' : 'offered' })
  try {
    await keepAll((count) => report({ state: 'keeping', count }))
    await (await caches.open(name)).put(wholeKey, new Response())
    report({ state: 'kept' })
  } catch {
    report({ state: 'failed' })
  }
}

async function isWhole() {
  return (await (await caches.open(name)).match(wholeKey)) !== undefined
}

/** Keep all that is not kept yet. */
async function keepAll(progress) {
  const cache = await caches.open(name)
  const present = new Set((await cache.keys()).map(({ url }) => url))
  const left = wanted.filter((key) => !present.has(key))
  const keepNext = async () => {
    for (let key = left.pop(); key !== undefined; key = left.pop()) {
      const { pathname } = new URL(key)
      const response = await fetch(new Request(pathname, { cache: 'no-cache' }))
      if (!response.ok) throw new Error(`${pathname}: ${response.status}`)
      await cache.put(key, response)
      if (left.length % 50 === 0) progress(wanted.length - left.length)
    }
  }
  await Promise.all(Array.from({ length: inParallel }, keepNext))
}

/** Remove what no file of this version is, and the caches of earlier versions of this worker. */
async function forgetOthers() {
  for (const each of await caches.keys()) if (each.startsWith('grantwise-') && each !== name) await caches.delete(each)
  const cache = await caches.open(name)
  const current = new Set([wholeKey, ...[...hashes].map(([path, hash]) => keyOf(path, hash))])
  for (const request of await cache.keys()) if (!current.has(request.url)) await cache.delete(request)
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return
  event.respondWith(request.mode === 'navigate' ? page(request, event) : part(request, event))
})

/** A page as it is now; as it was kept where there is no network. */
async function page(request, event) {
  try {
    return keeping(request.url, await fetch(request), event)
  } catch {
    return (await lookUp(request.url)) ?? Response.error()
  }
}

/** Any other file, whose name changes with its content. */
async function part(request, event) {
  return (await lookUp(request.url)) ?? keeping(request.url, await fetch(request), event)
}

/** A response, which is kept for the next time. */
function keeping(url, response, event) {
  const key = knownKey(url)
  if (key !== undefined && response.ok && response.type === 'basic') {
    const copy = response.clone()
    event.waitUntil(
      caches
        .open(name)
        .then((cache) => cache.put(key, copy))
        .catch(() => {}),
    )
  }
  return response
}

/** The key of a file of this version; undefined for what is none. */
function knownKey(url) {
  const { pathname } = new URL(url)
  const path = decodeURI(pathname.endsWith('/') ? `${pathname}index.html` : pathname)
  const known = [path, `${path}.html`].map((each) => encodeURI(each)).find((each) => hashes.has(each))
  return known === undefined ? undefined : keyOf(known, hashes.get(known))
}

async function lookUp(url) {
  const key = knownKey(url)
  return key === undefined ? undefined : (await caches.open(name)).match(key)
}
