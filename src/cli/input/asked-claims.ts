import type { Catalogue } from '../../actions/catalogue.ts'
import type { ClaimCause, ClaimResult, ClaimStatus, Judge } from '../../history/claims.ts'
import type { Guardrail } from '../../lint/config.ts'
import { dutiesIn } from '../../lint/separation.ts'
import { nearest } from '../../nearest.ts'
import { buildWorld } from '../../parser/world.ts'
import { shown } from '../../report/safe.ts'
import type { Clause } from '../../simulate/decision.ts'
import { type Breach, breachesOf } from '../../suite/breaches.ts'
import { type ProofContext, proofContextOf } from '../../suite/prove.ts'
import { knownOnly, runSuite } from '../../suite/run.ts'
import { sharedDuties } from '../../suite/separate.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import { always, notBefore } from '../../symbolic/formula.ts'
import { emptyWorld } from '../../world.ts'
import { budgetFor, type Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import type { Config } from './config.ts'
import { runsAsIn } from './runs-as.ts'
import type { ReadTests } from './suites.ts'

const day = 86_400_000

/** Judges guardrails of the configuration, by their codes. */
export function guardrailJudge(codes: readonly string[], config: Config, catalogue: Catalogue, io: Io): Judge {
  const { guardrails = [], settings } = config
  const fixedOptions = { actions: new ActionsByType(catalogue), brand: settings.brand, runsAs: runsAsIn(config) }
  const all = [...new Set(codes)].map((code) => {
    const guardrail = guardrails.find((each) => each.code.value === code)
    if (guardrail) return guardrail
    const suggested = nearest(
      code,
      guardrails.map((each) => each.code.value),
    )
    throw new Refusal(
      `--guardrail \`${shown(code)}\`: the configuration has no such guardrail`,
      suggested === undefined ? undefined : `did you mean \`${suggested}\`?`,
    )
  })
  return (state, instant) => {
    const context = proofContextOf(state.world() ?? emptyWorld, budgetFor(io))
    return all.map((guardrail): ClaimResult => {
      const { separation } = guardrail
      if (separation) {
        const time = instant === undefined ? always : notBefore(instant)
        const options = { ...fixedOptions, time, run: context.run }
        const shared = sharedDuties(dutiesIn(separation, { catalogue }), context.world, options)
        const isBroken = shared.some(({ culprits }) => culprits.length === 0)
        return {
          name: guardrail.code.value,
          status: isBroken ? 'failed' : shared.length > 0 ? 'undecided' : 'passed',
          by: shared.flatMap(({ holdings = [] }) => holdings.flatMap(({ at: place }) => place ?? [])),
        }
      }
      const breaches = breachesIn(guardrail, { at: instant, now: io.now() }, catalogue, context)
      const isBroken = breaches.some(({ found }) => found.kind === 'refuted')
      return {
        name: guardrail.code.value,
        status: isBroken ? 'failed' : breaches.length > 0 ? 'undecided' : 'passed',
        by: breaches.flatMap(({ at: place }) => place ?? []),
      }
    })
  }
}

/** The entries that break a guardrail from an instant on, or at any time. A number of days is counted from now where no instant is given. */
const breachesIn = (
  { claims }: Guardrail,
  { at, now }: { readonly at: number | undefined; readonly now: number },
  catalogue: Catalogue,
  context: ProofContext,
): readonly Breach[] =>
  claims.flatMap(({ kind, box, over, days = 0 }) => {
    const isTimed = at !== undefined || days > 0
    const claim = { kind, box, ...(isTimed && { context: notBefore((at ?? now) + days * day) }) }
    return breachesOf(over === 'catalogue' ? knownOnly(claim, { catalogue }) : claim, context)
  })

/** Judges policy tests: those of some files, each at the time that it gives. */
export function testJudge(tests: readonly ReadTests[], catalogue: Catalogue, io: Io): Judge {
  return (state) =>
    tests.flatMap(({ path, suite }) => {
      const { facts } = suite
      const { world, diagnostics } = facts ? buildWorld([...state.facts(), facts]) : { world: state.world() ?? emptyWorld, diagnostics: [] }
      const isBroken = diagnostics.some(({ severity }) => severity === 'error')
      return runSuite(suite, world, catalogue, undefined, budgetFor(io)).map(({ check, status, failures }): ClaimResult => {
        const clauses = failures.flatMap((failure) => (failure.kind === 'undecided' ? [] : failure.explanation.decision.clauses))
        return {
          name: tests.length > 1 ? `${path}: ${check.name}` : check.name,
          status: isBroken ? 'undecided' : (status satisfies ClaimStatus),
          by: isBroken ? [] : clauses.map(causeOf),
        }
      })
    })
}

const causeOf = ({ policy, entry }: Clause): ClaimCause => ({ policy, span: entry.span })
