import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { noticeHtml, pageHtml } from '../../page/html.ts'
import { shown } from '../../report/safe.ts'
import type { Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { type PageRead, readPage } from '../input/page.ts'
import { refusals } from '../input/read-file.ts'
import { servePage } from '../live/page-server.ts'
import { nextChange } from '../live/watch.ts'
import { pageAssets } from '../output/page-assets.ts'

/** `explore [PATH…]`: the page of a report over the present files, served until the user ends it. */
export const run: Run<'explore'> = async (paths, options, io) => {
  if (paths.includes('-') || options.policies.includes('-'))
    throw new Refusal('`explore` reads the files again whenever one changes, and standard input can be read once', 'name a file or folder')
  const { 'live.js': live = '', ...assets } = pageAssets()
  const served = { ...assets, 'app.js': `${assets['app.js']}\n;${live}` }
  let watchedPlaces = { files: [] as readonly string[], folders: [io.cwd] as readonly string[] }
  const pageOf = async ({ read, problems }: Attempt): Promise<string> => {
    if (read) watchedPlaces = watched(read, io)
    if (read?.data) return pageHtml(read.data, served, { isServed: true })
    return noticeHtml('The files cannot be read', problems, assets['style.css'] ?? '', live)
  }
  let page: Promise<string> | undefined
  const fault = (error: unknown) => io.stderr.write(`grantwise: ${shown(error instanceof Error ? error.message : String(error))}\n`)
  const current = () => {
    page ??= attempt(paths, options, io).then(pageOf)
    return page
  }
  let isOver = false
  const over = (io.interrupted?.() ?? new Promise<void>(() => {})).then(() => {
    isOver = true
  })
  const appeared = new Set<string>()
  let start = io.now()
  const first = await attempt(paths, options, io)
  // Nothing is served for an option that is wrong, or a path that names nothing: no edit of a file puts that right.
  if (first.error !== undefined) throw first.error
  if (!first.read?.data && first.read?.reads.some(({ problems }) => problems.some(({ message }) => message === refusals.missing))) {
    io.stderr.write(first.problems)
    return exit.error
  }
  page = pageOf(first)
  await page
  const server = await servePage(options.port, current, fault)
  const address = `http://127.0.0.1:${server.port}/`
  io.stdout.write(`${address}\n`)
  io.stderr.write('grantwise: the page is for this machine alone and writes nothing; Ctrl-C ends\n')
  if (options.open) openInBrowser(address, io)
  while (!isOver) {
    const change = nextChange(watchedPlaces, new Set(), start, appeared)
    await Promise.race([change.happened, over])
    change.stop()
    if (isOver) break
    start = io.now()
    page = undefined
    await current().catch(fault)
    server.changed()
  }
  await server.close()
  return exit.success
}

interface Attempt {
  readonly read?: PageRead
  readonly problems: string
  /** Why nothing was read. Where files were read and have errors, there is a read without data. */
  readonly error?: unknown
}

/** Read all, with what went wrong as a text: no file ends the server. */
async function attempt(...[paths, options, io]: Parameters<typeof readPage>): Promise<Attempt> {
  let problems = ''
  const stderr = {
    ...io.stderr,
    write: (text: string) => {
      problems += text
      return true
    },
  }
  try {
    return { read: await readPage(paths, options, { ...io, cwd: io.cwd, stderr }), problems }
  } catch (error) {
    const { message, help } = error instanceof Refusal ? error : { message: String(error), help: undefined }
    return { problems: `${problems}${shown(message)}\n${help === undefined ? '' : `${shown(help)}\n`}`, error }
  }
}

/** The watched paths: files that were read, folders that were searched, and the folder of the configuration. */
function watched({ reads }: PageRead, { cwd }: Io) {
  const files = reads.flatMap(({ each }) => each.flatMap(({ file }) => file ?? []))
  return { files, folders: [...new Set([cwd, ...files.map((file) => dirname(file)), ...reads.flatMap(({ searched }) => searched)])] }
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['explorer'],
}

/** Open an address in a browser, as the system does it. Where that fails, the address is there to be clicked. */
function openInBrowser(address: string, io: Io): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
  child.once('error', () => io.stderr.write(`grantwise: no browser could be opened: open ${address} yourself\n`))
  child.unref()
}
