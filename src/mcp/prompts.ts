import { shown } from '../report/safe.ts'

/** An argument that a user fills in. */
interface PromptArgument {
  readonly name: string
  readonly text: string
  readonly required?: true
  /** Names of this kind complete it. */
  readonly names?: NameKind
}

/** The names that complete an argument. */
export type NameKind = 'identity' | 'action' | 'resource'

/** A request that clients offer their users, with the tools that answer it. */
interface Prompt {
  readonly name: string
  readonly title: string
  readonly text: string
  readonly arguments: readonly PromptArgument[]
  /** The request to the assistant, given the value of each argument as a user wrote it. */
  readonly request: (values: Readonly<Record<string, string | undefined>>) => string
}

const before = (value: string | undefined) => value ?? 'git:HEAD'

/** Every prompt. */
export const prompts: readonly Prompt[] = [
  {
    name: 'write_policy',
    title: 'Write a policy',
    text: 'Drafts the smallest policy for an aim, and checks it before it is written.',
    arguments: [{ name: 'aim', text: 'Who is to do what on which resources, and until when.', required: true }],
    request: ({ aim = '' }) =>
      `Write an IAM policy for this aim: ${shown(aim)}

1. Find the exact actions with \`expand\`, and what is granted already with \`can\` or \`what\`. Ask me where the aim leaves identity, resource or end open.
2. Draft the smallest policy that grants it: exact actions and resources in the place of \`*\`, \`expiredAt\` where the need ends.
3. Call \`lint\` with the draft as \`text\` and the preset \`strict\`, and correct every finding.
4. Call \`can\` with the draft as \`text\`: once for what is to be allowed, and once for a near action or resource that is not.
5. Show me the policy, the verdicts with their reasons, and all that is unknown. Write no file before I agree.`,
  },
  {
    name: 'review_change',
    title: 'Review a change of policies',
    text: 'Says what access a change adds and removes, and what is risky in it.',
    arguments: [
      { name: 'before', text: 'The state to compare with: a file, a folder or `git:REF`. Default: `git:HEAD`.' },
      { name: 'after', text: 'The changed state. Default: the policies of the workspace.' },
    ],
    request: (values) =>
      `Review a change of IAM policies.

1. Call \`diff\` with \`before\`: ${shown(before(values.before))} and \`after\`: ${values.after === undefined ? 'the policies of the workspace' : shown(values.after)}.
2. For each gained region: who gets which actions on which resources, by which entry, and with what condition or end. Name destructive actions first.
3. Call \`lint\` on the changed files, and \`escalate\` for the identities that gain access.
4. Say what could not be compared. No new access is proved only where nothing is undecided.
5. End with the questions that the author has to answer. Change no file.`,
  },
  {
    name: 'explain_access',
    title: 'Explain an access',
    text: 'Says whether an identity may perform an action on a resource, why, and how to change that.',
    arguments: [
      { name: 'identity', text: 'The identity: a URN, or a short name such as `user/ann`.', required: true, names: 'identity' },
      { name: 'action', text: 'The action.', required: true, names: 'action' },
      { name: 'resource', text: 'The resource: a URN, or a short name.', required: true, names: 'resource' },
    ],
    request: ({ identity = '', action = '', resource = '' }) =>
      `Explain an access by the IAM policies of the workspace.

1. Call \`can\` with \`identity\`: ${shown(identity)}, \`action\`: ${shown(action)} and \`resource\`: ${shown(resource)}.
2. Say the verdict, and name the entries that decide it with file and line. Of an unknown verdict, say which facts are missing and ask me for them.
3. Call \`who\` with the same action and resource, and say who else may.
4. Call \`suggest\` for the smallest edits that change the verdict, with all that each of them changes besides. Change no file.`,
  },
]

/** The names that complete an argument of a prompt. */
export function namesFor(prompt: string, argument: string): NameKind | undefined {
  return prompts.find(({ name }) => name === prompt)?.arguments.find(({ name }) => name === argument)?.names
}

/** The prompts as clients list them. */
export function promptEntries() {
  return prompts.map(({ name, title, text, arguments: args }) => ({
    name,
    title,
    description: text,
    arguments: args.map((each) => ({ name: each.name, description: each.text, required: each.required === true })),
  }))
}

/** The request of a prompt; a text where it cannot be made: why. Undefined where there is no such prompt. */
export function promptOf(name: string, values: Readonly<Record<string, string | undefined>>) {
  const prompt = prompts.find((each) => each.name === name)
  if (!prompt) return undefined
  const missing = prompt.arguments.find((each) => each.required && (values[each.name] ?? '').trim() === '')
  if (missing) return { fault: `missing argument \`${missing.name}\`: ${missing.text}` }
  return { text: prompt.request(values), description: prompt.text }
}
