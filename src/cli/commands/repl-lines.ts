/** The commands that answer in a session as they answer by themselves. */
export const questions = {
  can: () => import('./can.ts'),
  call: () => import('./call.ts'),
  who: () => import('./who.ts'),
  what: () => import('./what.ts'),
  diff: () => import('./diff.ts'),
  policies: () => import('./policies.ts'),
  compare: () => import('./compare.ts'),
  matrix: () => import('./matrix.ts'),
  escalate: () => import('./escalate.ts'),
  timeline: () => import('./timeline.ts'),
  replay: () => import('./replay.ts'),
  suggest: () => import('./suggest.ts'),
  expand: () => import('./expand.ts'),
  lint: () => import('./lint.ts'),
  rules: () => import('./rules.ts'),
} as const
export type QuestionName = keyof typeof questions

/** The commands of a session itself: their forms, and what each does. */
export const ownCommands = [
  ['assume ip ADDRESS', 'requests come from an address'],
  ['assume at TIME', 'requests are made at a time'],
  ['assume IDENTITY in GROUP', 'an identity is a member of a group; `not in`: it is not'],
  ['assume RESOURCE tag KEY=VALUE', 'a resource has a tag; `not tag KEY`: it has not'],
  ['assume without POLICY', 'a policy is removed'],
  ['assume with FILE', 'the policies or inventory in a file are added'],
  ['assume group GROUP', 'whoever asks is a member of a group; also `owner ACCOUNT`, `tag KEY=VALUE`'],
  ['retract [N]', 'withdraw assumption N, or the last one; `retract all`'],
  ['undo', 'take the last change of the assumptions back'],
  ['facts', 'list the assumptions, and what is loaded'],
  ['reload', 'read the files again'],
  ['help [COMMAND]', 'show this list, or the options of a command'],
  ['exit', 'end the session; also `quit`, or Ctrl-D'],
] as const

/** The words that a line may begin with. */
export const lineCommands: readonly string[] = [
  ...Object.keys(questions),
  ...new Set([...ownCommands.map(([form]) => form.split(' ')[0] as string), 'quit']),
]
