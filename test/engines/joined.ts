import type { QuestionJson, WorldJson } from '../support/worlds.ts'

/**
 * Several worlds as one, with the questions to each: an engine that takes seconds for each step of a decision answers thousands
 * of questions in as many steps as ten.
 */

export interface Asked {
  readonly world: Partial<WorldJson>
  readonly questions: readonly (QuestionJson & { readonly owner?: string })[]
}

/** Each world in regions of its own, which keeps most of its policies from the questions to others. */
export function joined(worlds: readonly Asked[]): Asked {
  const apart = worlds.map(inOwnRegions)
  const all = <T>(part: (world: Partial<WorldJson>) => readonly T[] | undefined) => apart.flatMap(({ world }) => part(world) ?? [])
  return {
    world: {
      policies: all(({ policies }) => policies),
      permissionsGroups: all(({ permissionsGroups }) => permissionsGroups),
      resourceGroups: all(({ resourceGroups }) => resourceGroups),
      resources: all(({ resources }) => resources),
      identities: all(({ identities }) => identities),
    },
    questions: apart.flatMap(({ questions }) => questions),
  }
}

/** The account of a world owns what nothing else does: it goes into the questions. */
function inOwnRegions({ world: { account, ...world }, questions }: Asked, index: number): Asked {
  const owned = questions.map((question) => ({ ...(account !== undefined && { owner: account }), ...question }))
  const own = `w${index}-`
  const changes = [
    ['"urn:v1:', `"urn:v1:${own}`],
    [':resourceGroup:', `:resourceGroup:${own}`],
    ['"id":"', `"id":"${own}`],
    ['["*"]', `["urn:v1:${own}*"]`],
    ['{"urn":"*"}', `{"urn":"urn:v1:${own}*"}`],
  ] as const
  return JSON.parse(changes.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify({ world, questions: owned })))
}
