import { readFileSync } from 'node:fs'
import { ask, ServerError } from './sticky.mjs'

/** The change that a workflow runs for, and its comments; undefined if it does not run for a pull request. */
export function github(env, pause) {
  const event = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8'))
  const { number, head, base } = event.pull_request ?? {}
  if (number === undefined) return undefined
  const headers = { authorization: `Bearer ${env.GRANTWISE_TOKEN}`, 'x-github-api-version': '2022-11-28' }
  const repository = `${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}`
  const of = ({ value }) => value.html_url
  return {
    /** A token of a fork, or of a bot that updates dependencies, may only read. */
    isForeign: head?.repo?.full_name !== base?.repo?.full_name || env.GITHUB_ACTOR === 'dependabot[bot]',
    needs: 'the job needs `pull-requests: write`',
    job: `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`,
    async *comments() {
      // A token of a person writes in their name. That of a workflow, or of an app, has no user, and writes as a bot.
      const me = await ask(`${env.GITHUB_API_URL}/user`, { headers, pause }).catch((error) => {
        if (!(error instanceof ServerError) || !error.isDenied) throw error
      })
      const isOurs = ({ user }) => (me ? user?.login === me.value.login : user?.type === 'Bot')
      for (let page = 1; ; page++) {
        const { value } = await ask(`${repository}/issues/${number}/comments?per_page=100&page=${page}`, { headers, pause })
        for (const comment of value) if (isOurs(comment)) yield { id: comment.id, body: comment.body ?? '', address: comment.html_url }
        if (value.length < 100) return
      }
    },
    create: async (body) => of(await ask(`${repository}/issues/${number}/comments`, { method: 'POST', headers, body: { body }, pause })),
    update: async (id, body) => of(await ask(`${repository}/issues/comments/${id}`, { method: 'PATCH', headers, body: { body }, pause })),
  }
}
