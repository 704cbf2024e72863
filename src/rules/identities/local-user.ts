import { isPattern } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { textsOption } from '../support/options.ts'
import { quote } from '../support/text.ts'

const code = 'local-user'

export const localUser: Rule = {
  code,
  section: 'identities',
  severity: 'warning',
  preset: 'auditor',
  summary: 'A local user of an account whose people log in through a federation.',
  why:
    'The controls of the identity provider do not apply to local users: central logout, second factors, offboarding. Federated users ' +
    'have a further `/` segment in their name. Grant to their groups instead.',
  options: [{ name: 'federated', type: 'texts', text: 'ids of the accounts whose people log in through a federation', required: true }],
  *policy({ identities }, context) {
    const federated = textsOption(context, code, 'federated')
    if (!federated) return
    for (const { value, span } of identities) {
      if (value.kind !== 'user' || isPattern(value.glob) || value.name.includes('/') || !federated.includes(value.account ?? '')) continue
      yield {
        span,
        message: `${quote(value.name)} is a local user, but people of account ${quote(value.account ?? '')} log in through a federation`,
        help: 'name the federated user, or a group of the federation',
      }
    }
  },
}
