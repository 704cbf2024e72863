import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { github } from './github.mjs'
import { gitlab } from './gitlab.mjs'
import { plain, stick } from './sticky.mjs'
import { commentText, isQuiet, markerOf } from './text.mjs'

/** Write the comment that an environment asks for: see main.mjs. `log` takes each line of the log. Gives the exit code. */
export async function comment(env, log) {
  const onGithub = env.GITHUB_ACTIONS === 'true'
  /** A line in the log, or an annotation. */
  const say = (level, text) => {
    const line = plain(text)
    log(onGithub && level !== 'log' ? `::${level} title=grantwise::${line.replaceAll('%', '%25')}` : `grantwise: ${line}`)
  }
  try {
    await write(env, onGithub, say)
    return 0
  } catch (error) {
    say('error', `the comment could not be written: ${error.message}`)
    return 2
  }
}

const reportIn = (path) => (path ? (existsSync(path) ? readFileSync(path, 'utf8') : '') : undefined)

async function write(env, onGithub, say) {
  const pause = Number(env.GRANTWISE_PAUSE ?? 1000)
  const server = onGithub ? github(env, pause) : gitlab(env, pause)
  if (!server) return say('log', 'this run is not for a pull or merge request: there is nothing to comment on')
  const reports = { diff: reportIn(env.GRANTWISE_DIFF_MARKDOWN), lint: reportIn(env.GRANTWISE_LINT_MARKDOWN) }
  const marker = markerOf(env.GRANTWISE_COMMENT_KEY ?? '')
  const links = [
    ['Report', env.GRANTWISE_REPORT_URL ?? ''],
    ['log of the job', server.job ?? ''],
  ]
  const text = commentText({ marker, ...reports, links })
  const withoutComment = (why) => {
    say('notice', `no comment: ${why}; the log and the reports of the job say the same`)
    if (env.GRANTWISE_SUMMARY === 'false' && env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, text)
  }
  if (!env.GRANTWISE_TOKEN) {
    if (!onGithub || server.isForeign) return withoutComment('there is no token')
    throw new Error('there is no token')
  }
  try {
    const { did, address } = await stick(server, { marker, text, isQuiet: isQuiet(reports) })
    say('log', did === 'nothing' ? 'nothing to comment on' : `comment ${did}: ${address}`)
    if (env.GITHUB_OUTPUT && address) appendFileSync(env.GITHUB_OUTPUT, `comment-url=${plain(address)}\n`)
  } catch (error) {
    if (!error.isDenied) throw error
    if (server.isForeign) return withoutComment('the change comes from a fork, whose token may only read')
    throw new Error(`${error.message}: ${server.needs}`)
  }
}
