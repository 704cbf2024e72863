import type { Rule } from '../rule.ts'

export const staleBaseline: Rule = {
  code: 'stale-baseline',
  section: 'upkeep',
  severity: 'warning',
  summary: 'A baseline entry whose finding no longer exists.',
  why:
    'A baseline (`--baseline FILE`) hides the findings that existed when it was written. The entry of a fixed finding would hide the ' +
    'same mistake if it is made again. Update the baseline with `--write-baseline FILE`.',
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
