/**
 * Mistakes where a user would be hurt: in the gate of pull requests, in baselines and suppressions, in layouts,
 * and in needs of source code. Rows as those of `surfaces.mjs`.
 *
 * @type {readonly (readonly [id: string, says: string, file: string, from: string, to: string, tests: string])[]}
 */
export const perimeterRows = [
  // The gate.
  [
    'gate-endings',
    'a program takes files with any ending',
    'src/deployment/reach.ts',
    'if (endings.length > 0 && !endings.some((ending) => path.endsWith(ending))) return false',
    '',
    'deployment/deployment',
  ],
  [
    'gate-places',
    'a program goes through places that it writes out only',
    'src/deployment/reach.ts',
    'return isWhole || (!isLiteral && isInNamed(named, folder))',
    'return false',
    'deployment/deployment',
  ],
  [
    'gate-pushing',
    'jobs that push commits do not count',
    'src/deployment/words.ts',
    '    { tool: pushing, does: anything },\n',
    '',
    'deployment/deployment',
  ],
  [
    'gate-handed',
    'a job that hands policies over does not count',
    'src/deployment/programs.ts',
    '(isDeployed ? undefined : handedOver(part.text, file))',
    'undefined',
    'deployment/deployment',
  ],
  [
    'gate-other-package',
    'a package from the address of another one is not seen',
    'src/deployment/registries.ts',
    '!decodeURIComponent(rest).includes(`/${name}/-/`)',
    'false',
    'deployment/deployment',
  ],
  [
    'gate-made',
    'a pattern may match what Terraform makes',
    'src/deployment/untracked.ts',
    'if (made.some((each) => matches(whole, each)) &&',
    'if (false &&',
    'deployment/deployment',
  ],
  [
    'gate-removed',
    'a file that is removed is not looked at',
    'src/deployment/unexplained.ts',
    ' ?? (await whyIn({ repository: before, policies }))',
    '',
    'deployment/deployment',
  ],
  [
    'gate-lost-facts',
    'a fact that goes away is none',
    'src/deployment/facts.ts',
    'if (counts.get(markOf(fact)) !== 0 &&',
    'if ((counts.get(markOf(fact)) ?? 0) < 0 &&',
    'deployment/deployment',
  ],
  [
    'gate-cut',
    'more files than are looked through are the same',
    'src/deployment/changes.ts',
    'before.isCut || after.isCut ?',
    'false ?',
    'deployment/deployment',
  ],
  // Baselines and suppressions.
  [
    'baseline-moved',
    'a finding that moved hides the one that is recorded',
    'src/lint/baseline.ts',
    'for (const mayMove of [false, true])',
    'for (const mayMove of [true])',
    'lint/suppress',
  ],
  [
    'ignore-past',
    'an entry holds after its day',
    'src/lint/suppress.ts',
    'until !== undefined && clock.isAfter(until.value)',
    'false',
    'rules/rules',
  ],
  // Layouts.
  [
    'fmt-suppression',
    'a suppression may be about other entries afterwards',
    'src/fmt/fmt.ts',
    'firstDifferent(ignoredBy(before), ignoredBy(after))',
    '-1',
    'fmt/fmt',
  ],
  // Needs of source code.
  [
    'code-several-words',
    'a value called after a path is one word',
    'src/code/path.ts',
    'isAlone ? isLast && severalWords.test(part.name) : ',
    'isAlone ? false : ',
    'code/programs',
  ],
  // Expiry.
  [
    'deny-others',
    'a deny of a pattern of identities opens nothing to those that it matches',
    'src/rules/expiry/deny-expires.ts',
    '      ? set.allows.statements\n',
    '      ? []\n',
    'rules/rules',
  ],
]
