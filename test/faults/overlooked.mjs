/**
 * Mistakes that tests had missed, found by planting them in what is recent and in files that no other row is about. Rows as those of
 * `surfaces.mjs`.
 *
 * @type {readonly (readonly [id: string, says: string, file: string, from: string, to: string, tests: string])[]}
 */
export const overlookedRows = [
  // Budgets, and who judges a change.
  [
    'budget-named',
    'a resource that a change names no more does not count against its budget',
    'src/cli/commands/budget.ts',
    'const dropped = [...named, ...earlier.resources.values()]',
    'const dropped = [...earlier.resources.values()]',
    'deployment/judge',
  ],
  [
    'budget-described',
    'a resource that a change describes no more does not count against its budget',
    'src/cli/commands/budget.ts',
    'const dropped = [...named, ...earlier.resources.values()]',
    'const dropped = [...named]',
    'deployment/judge',
  ],
  [
    'budget-unknown-before',
    'a team that perhaps was over its budget with the identities that it had was within it',
    'src/lock/budget-file.ts',
    "if ((status !== 'over' && status !== 'unknown') || isRecorded(team.name)) return []",
    "if (status !== 'over' || isRecorded(team.name)) return []",
    'lock/budget',
  ],
  [
    'budget-perhaps-raised',
    'what there may be more may be raised without a reason',
    'src/lock/budget-file.ts',
    ' || most(now, kind) > (old ? most(old, kind) : 0))',
    ')',
    'lock/budget',
  ],
  [
    'judge-unread',
    'where the earlier configuration cannot be read, a change judges itself',
    'src/cli/input/judge.ts',
    'earlier?.settings ?? {}',
    'earlier?.settings ?? config.settings',
    'deployment/judge',
  ],
  // Recorded calls.
  [
    'use-open-facts',
    'a call of which a record lacks a fact uses no grant that depends on it',
    'src/review/use.ts',
    "...(ip && { ip }) }) !== 'deny'",
    "...(ip && { ip }) }) === 'allow'",
    'review/use',
  ],
  [
    'use-before',
    'calls that were counted together are all from their last time on',
    'src/review/use.ts',
    'first !== undefined && first < from ? 1 : count',
    'count',
    'review/use',
  ],
  [
    'tally-first-groups',
    'the groups of a caller are those of its first call',
    'src/usage/tally.ts',
    '  if (membership) use.memberships.add(membership)\n',
    '',
    'review/use',
  ],
  // Reviews.
  [
    'restored-ask',
    'what is kept after a question was not kept before it',
    'src/review/restored.ts',
    "    if (decision.decision === 'ask') continue\n",
    '',
    'review/restored',
  ],
  [
    'chain-end',
    'a chain without its last hash is whole',
    'src/review/chain.ts',
    'return chain === decisions.at(-1)?.hash ? breaks',
    'return chain === undefined || chain === decisions.at(-1)?.hash ? breaks',
    'review/chain',
  ],
  // Answers, and what they rest on.
  [
    'overruled-group',
    'a group of the identity denies nothing by a permissions group that is not described',
    'src/simulate/decide.ts',
    'denies.length + unknownGroups.length > 0',
    'denies.length > 0',
    'simulate/overruled',
  ],
  [
    'ages-unread',
    'a commit that cannot be read is named for access that a later one gave',
    'src/history/ages.ts',
    'if (this.before !== state || this.unread.length > 0) {',
    'if (this.before !== state) {',
    'history/ages',
  ],
  [
    'plan-deposed',
    'what was left over from a replacement stands for what there is',
    'src/declared/plan.ts',
    "if (valueAt(change, 'deposed') === undefined) changed.add(address)",
    'changed.add(address)',
    'declared/plan',
  ],
  [
    'apply-owner',
    'an account owns every resource that a plan does not name',
    'src/usage/apply.ts',
    "return reason === 'root' && context.owner !== undefined",
    "return reason === 'root'",
    'usage/apply',
  ],
  [
    'sent-top',
    'a file that a script sends is not looked for at the top of the repository',
    'src/cli/input/sent-files.ts',
    '[dirname(file), reader.cwd, top]',
    '[dirname(file), reader.cwd]',
    'cli/sent-files',
  ],
]
