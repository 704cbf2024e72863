// The service worker of the site. `name` and `files` stand above: what it keeps, and under which name.

/** How many files are fetched at once. */
const atOnce = 8

self.addEventListener('install', (event) => {
  event.waitUntil(keepAll().then(() => self.skipWaiting()))
})

async function keepAll() {
  const cache = await caches.open(name)
  const left = [...files]
  const keepNext = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) await cache.add(new Request(path, { cache: 'no-cache' }))
  }
  await Promise.all(Array.from({ length: atOnce }, keepNext))
}

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((each) => each.startsWith('grantwise-') && each !== name).map((each) => caches.delete(each))),
      )
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return
  event.respondWith(request.mode === 'navigate' ? page(request) : kept(request))
})

/** A page as it is now; as it was kept where there is no network. */
async function page(request) {
  try {
    return await fetch(request)
  } catch {
    return (await lookUp(request.url)) ?? Response.error()
  }
}

/** The names of other files change with what is in them. A page's script in short is its script without what the page holds. */
async function kept(request) {
  const known = await lookUp(request.url)
  if (known) return known
  try {
    return await fetch(request)
  } catch (error) {
    const whole = await lookUp(request.url.replace('.lean.js', '.js'))
    if (whole) return whole
    throw error
  }
}

async function lookUp(url) {
  const { pathname } = new URL(url)
  const cache = await caches.open(name)
  const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname
  return (await cache.match(path, { ignoreSearch: true })) ?? cache.match(`${path}.html`)
}
