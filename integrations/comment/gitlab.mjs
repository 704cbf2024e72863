import { ask } from './sticky.mjs'

/** The change that a pipeline runs for, and its notes; undefined if it does not run for a merge request. */
export function gitlab(env, pause) {
  const number = env.CI_MERGE_REQUEST_IID
  if (!number) return undefined
  const headers = { 'private-token': env.GRANTWISE_TOKEN ?? '' }
  const request = `${env.CI_API_V4_URL}/projects/${encodeURIComponent(env.CI_MERGE_REQUEST_PROJECT_ID)}/merge_requests/${encodeURIComponent(number)}`
  const address = (id) => `${env.CI_MERGE_REQUEST_PROJECT_URL}/-/merge_requests/${number}#note_${id}`
  const of = ({ value }) => address(value.id)
  return {
    /** A pipeline of a fork runs in the fork, which has no token of this project. */
    isForeign: env.CI_MERGE_REQUEST_SOURCE_PROJECT_ID !== env.CI_MERGE_REQUEST_PROJECT_ID,
    needs: 'it needs the scope `api` and the role Reporter or higher',
    job: env.CI_JOB_URL,
    async *comments() {
      const me = await ask(`${env.CI_API_V4_URL}/user`, { headers, pause })
      for (let page = '1'; page; ) {
        const { value, headers: given } = await ask(`${request}/notes?per_page=100&page=${page}`, { headers, pause })
        for (const note of value)
          if (note.author?.id === me.value.id) yield { id: note.id, body: note.body ?? '', address: address(note.id) }
        page = given.get('x-next-page')
      }
    },
    create: async (body) => of(await ask(`${request}/notes`, { method: 'POST', headers, body: { body }, pause })),
    update: async (id, body) => of(await ask(`${request}/notes/${id}`, { method: 'PUT', headers, body: { body }, pause })),
  }
}
