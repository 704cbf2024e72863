import { applyAnswer } from '../../answers/apply.ts'
import { proofContextOf } from '../../suite/prove.ts'
import { mayApply } from '../../usage/apply.ts'
import { budgetFor, type Io } from '../app/io.ts'
import { needsOfPlan } from '../input/changes.ts'
import type { RunOfMany } from './can-run.ts'

/** The apply of a plan: whether an identity may make its calls. */
export const planRun = (plan: string, policies: readonly string[], io: Io): RunOfMany => ({
  option: '--plan',
  noun: 'plan',
  identity: 'the identity that applies the plan',
  example: 'grantwise can urn:v1:eu:identity:credential:ab12-svc/oauth2-pipeline --plan plan.json',
  async decide({ config, settings, world }, identity, context, isWhole) {
    const needed = await needsOfPlan('--plan', plan, policies, { identity, context }, config, io)
    const answer = mayApply(needed, identity, context, settings, proofContextOf(world, budgetFor(io)))
    return { verdict: answer.verdict, answer: applyAnswer(answer, needed.plan, isWhole) }
  },
})
