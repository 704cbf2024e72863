import { isServiceAccountName } from '../../urn/identity.ts'
import type { Rule } from '../rule.ts'
import { replacement } from '../support/fixes.ts'
import { didYouMean, quote } from '../support/text.ts'

export const serviceAccountName: Rule = {
  code: 'service-account-name',
  section: 'identities',
  severity: 'error',
  fixes: ['suggested'],
  summary: 'A service account whose name is not `oauth2-<client_id>`.',
  why:
    'Service accounts are named `oauth2-` followed by the client id. A `credential` identity with any other name does not exist, so it ' +
    'gets nothing, and a `deny` does not stop anyone. Usually the prefix is missing.',
  needs: 'mayBeOdd',
  *policy({ identities }) {
    for (const { value, span } of identities) {
      const { kind, account, name, text } = value
      if (kind !== 'credential' || account === undefined || isServiceAccountName(name)) continue
      const meant = `${text.slice(0, text.length - name.length)}oauth2-${name}`
      yield {
        span,
        message: `${quote(name)} is not a service account: their names have the form \`oauth2-<client_id>\``,
        help: didYouMean(meant),
        ...replacement(span, meant, false),
      }
    }
  },
}
