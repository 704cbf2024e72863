import type { Rule } from '../rule.ts'

export const staleBaseline: Rule = {
  code: 'stale-baseline',
  section: 'upkeep',
  severity: 'warning',
  summary: 'An entry of the baseline whose finding is gone.',
  why:
    'A baseline (`--baseline FILE`) hides what was found when it was written. Once a finding is mended its entry has to go, since it would hide the ' +
    'same mistake when it is made again: write the baseline anew with `--write-baseline FILE`.',
  examples: {
    bad: [
      {
        path: 'baseline.json',
        text: `
{
  "version": 1,
  "findings": [
    {"file":"policy.yaml","code":"expired","policy":"web readers","text":"2024-12-31","count":1,"fingerprint":"00000000000000000000000000000000"},
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ stale-baseline
    {"file":"policy.yaml","code":"unknown-action","policy":"web readers","text":"vps:apisvc:rebooot","count":1,"fingerprint":"27cc8940a223b6989d853c5ecb0dad86"}
  ]
}`,
      },
    ],
    good: [
      {
        path: 'baseline.json',
        text: `
{
  "version": 1,
  "findings": [
    {"file":"policy.yaml","code":"unknown-action","policy":"web readers","text":"vps:apisvc:rebooot","count":1,"fingerprint":"27cc8940a223b6989d853c5ecb0dad86"}
  ]
}`,
      },
    ],
  },
  check: { upkeep: true },
}
