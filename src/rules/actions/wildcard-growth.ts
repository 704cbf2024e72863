import { isPattern, matches } from '../../glob.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { monthOption } from '../support/options.ts'
import { everySet } from '../support/sets.ts'
import { quote, some } from '../support/text.ts'
import { counted } from '../support/words.ts'

const code = 'wildcard-growth'

const known = [
  { name: 'vps:apisvc:snapshot/share', since: '2026-05' },
  { name: 'vps:apisvc:console/open', since: '2026-02' },
]

export const wildcardGrowth: Rule = {
  code,
  section: 'actions',
  severity: 'info',
  preset: 'auditor',
  summary: 'A wildcard that has come to grant actions which the service added since it was looked at.',
  why:
    'A wildcard grants whatever gets a matching name later, without anybody deciding it. Tell the rule the month in which the policies were last ' +
    'looked at, and it names the actions that came after it. When an action was first seen stands in a catalogue that was built with ' +
    '`grantwise catalogue import` over an older one; the one that is built in dates none.',
  options: [
    { name: 'since', type: 'month', required: true, text: 'the month in which the policies were last looked at, such as `2026-01`' },
  ],
  examples: {
    bad: [
      {
        catalogue: known,
        options: { since: '2026-03' },
        text: `
permissions:
  allow: [{ action: "vps:apisvc:*" }]
#                   ^^^^^^^^^^^^^^ wildcard-growth`,
      },
    ],
    good: [
      { catalogue: known, options: { since: '2026-05' }, text: '\npermissions: { allow: [{ action: "vps:apisvc:*" }] }' },
      {
        catalogue: known,
        options: { since: '2026-03' },
        text: `
permissions:
  allow: [{ action: "vps:apisvc:*" }, { action: "vps:apisvc:snapshot/share" }]
  except: [{ action: "vps:apisvc:snapshot/*" }]`,
      },
    ],
  },
  check: everySet(function* ({ permissions: { allow, except, deny } }, context) {
    const month = monthOption(context, code, 'since')
    if (month === undefined) return
    const taken = [...except, ...deny]
    const added = addedAfter(month, context).filter((action) => !taken.some(({ value }) => matches(value, action)))
    if (added.length === 0) return
    for (const { value, span } of allow) {
      if (!isPattern(value)) continue
      const granted = added.filter((action) => matches(value, action))
      if (granted.length === 0) continue
      yield {
        span,
        message: `${quote(value.text)} has come to grant ${counted(granted.length, 'action')} first seen after ${month}: ${some(granted)}`,
        help: 'see whether they are meant; take out with `except` what is not, and set `since` to the present month',
      }
    }
  }),
}

const asked = new WeakMap<RuleContext, readonly string[]>()

/** The actions that the catalogue first saw after a month, sorted. */
function addedAfter(month: string, context: RuleContext): readonly string[] {
  const { catalogue } = context
  const before = asked.get(context)
  if (before) return before
  const added = catalogue.products.flatMap((product) =>
    catalogue.actionsOf(product).filter((action) => (catalogue.sinceOf(action) ?? '') > month),
  )
  asked.set(context, added)
  return added
}
