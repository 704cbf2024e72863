import { codeAnswer, isWholeProgram } from '../../answers/code.ts'
import { proofContextOf } from '../../suite/prove.ts'
import { decideNeeds } from '../../usage/apply.ts'
import { budgetFor, type Io } from '../app/io.ts'
import { codeFiles, needsOfFiles } from '../input/code.ts'
import type { RunOfMany } from './can-run.ts'

/** A run of a program in source code: whether an identity may make its calls. */
export const codeRun = (paths: readonly string[], io: Io): RunOfMany => ({
  option: '--code',
  noun: 'program',
  identity: 'the identity that runs the program',
  example: 'grantwise can urn:v1:eu:identity:credential:ab12-svc/oauth2-backup --code src/',
  async decide({ config, settings, world }, identity, context, isWhole) {
    const needed = await needsOfFiles(await codeFiles('--code', paths, io), { identity, context }, config, io)
    const decided = decideNeeds(needed.needs, isWholeProgram(needed), identity, context, settings, proofContextOf(world, budgetFor(io)))
    return { verdict: decided.verdict, answer: codeAnswer({ ...needed, ...decided, identity }, isWhole) }
  },
})
