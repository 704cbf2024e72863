import { addressAt } from '../../declared/addressed.ts'
import { isPlan, isPreview } from '../../declared/declared.ts'
import type { Diagnostic } from '../../diagnostic.ts'
import type { Cause } from '../../diff/causes.ts'
import type { Difference, DiffRegion } from '../../diff/diff.ts'
import { keyOf } from '../../keys.ts'
import type { Facts } from '../../parser/policy.ts'
import type { ReadSource } from '../../parser/read.ts'
import { readPriorState, readSource } from '../../parser/read-source.ts'
import { readTree } from '../../parser/tree.ts'
import { sourceOf } from '../../source.ts'
import { type FileRead, type ReadFiles, withReads } from '../../sources/files.ts'
import { field } from '../../tree.ts'
import type { Io } from '../app/io.ts'
import type { RootOptions } from '../app/options.ts'
import { Refusal } from '../app/refusal.ts'
import type { Config } from './config.ts'
import { discover, readCandidate } from './files.ts'
import { policySelection } from './policies.ts'
import { decided, readFiles } from './world.ts'

/** The worlds before and after a plan. */
export interface PlannedSides {
  readonly before: ReadFiles
  readonly after: ReadFiles
  /** A difference between the two, with what the tool calls the resources that it rests on. */
  readonly named: (difference: Difference) => Difference
}

/**
 * Both sides of a plan: what is there now, and what would be there. `policies` names what the plan does not manage, and counts
 * on both sides; what is described in both places (same id or URN) is taken from the plan.
 */
export async function plannedSides(
  path: string,
  policies: readonly string[],
  config: Config,
  options: RootOptions,
  io: Io,
): Promise<PlannedSides> {
  const { settings } = config
  const { candidates, problems } = await discover({ paths: [path] }, io)
  const [candidate, second] = candidates
  if (!candidate) throw new Refusal(problems[0] ? `${problems[0].path}: ${problems[0].message}` : `${path}: no such file`)
  if (second) throw new Refusal(`--plan ${path}: several files, where one plan is expected`)
  const { source: planSource, message } = await readCandidate(candidate, io, 'policies')
  if (!planSource) throw new Refusal(`${candidate.path}: ${message}`)
  const source = sourceOf(planSource.path, planSource.text, 'json')
  const { documents, diagnostics } = readTree(source)
  if (diagnostics.every(({ severity }) => severity !== 'error') && !documents.some((each) => isPlan(each) || isPreview(each)))
    throw new Refusal(
      `${candidate.path}: neither a plan of Terraform in JSON nor a preview of Pulumi`,
      'write it with `terraform show -json PLAN > plan.json`, or `pulumi preview --json --show-sames > preview.json`',
    )
  const planFile = { source, file: candidate.file }
  const before: FileRead = { ...planFile, read: await readPriorState(source, settings) }
  const after: FileRead = { ...planFile, read: await readSource(source, settings) }
  // Without `-p` the plan is all there is: the policies of the configuration are no part of it.
  const selection = await policySelection(policies, policies.length > 0 ? config : { ...config, policies: [] }, io, { mayBeEmpty: true })
  const others = await decided(await readFiles(selection, settings, io), options, io)
  const managed = managedBy([before, after])
  const rest = others.each.map((each) => ({ ...each, read: { ...each.read, facts: without(each.read.facts, managed) } }))
  const addresses = { before: addressesIn(before.read), after: addressesIn(after.read) }
  const withAddress = (cause: Cause): Cause => {
    const address = addressAt(cause.span, addresses[cause.side])
    return address === undefined ? cause : { ...cause, address }
  }
  const sides = { before: withReads(others, [before, ...rest]), after: withReads(others, [after, ...rest]) }
  const findingKey = ({ code, message, span }: Diagnostic) => keyOf(code, span.source.path, span.start, message)
  const already = new Set(sides.after.diagnostics.map(findingKey))
  const isNew = (finding: Diagnostic) => !already.has(findingKey(finding))
  return {
    // Problems of both sides are reported once.
    before: { ...sides.before, diagnostics: sides.before.diagnostics.filter(isNew), problems: [], isPartial: false },
    after: sides.after,
    named: ({ described, ...difference }) => ({
      ...difference,
      gained: named(difference.gained, withAddress),
      lost: named(difference.lost, withAddress),
      ...(described && {
        described: { ...described, gained: named(described.gained, withAddress), lost: named(described.lost, withAddress) },
      }),
    }),
  }
}

/** Changes with the addresses of what was edited. */
function named<T extends Pick<DiffRegion, 'causes'>>(changes: readonly T[], withAddress: (cause: Cause) => Cause): readonly T[] {
  return changes.map((change) => ({ ...change, causes: change.causes.map(withAddress) }))
}

const addressesIn = (read: ReadSource) => (read.kind === 'declared' ? read.addresses : [])

/** The ids and URNs of the managed objects, where the service has set them. */
function managedBy(sides: readonly FileRead[]): ReadonlySet<string> {
  return new Set(
    sides.flatMap(({ read }) => [
      ...(read.kind === 'declared' ? read.ids : []),
      ...read.facts.permissionsGroups.map(({ urn }) => urn.value.text),
      ...read.facts.resourceGroups.map(({ urn }) => urn.value),
    ]),
  )
}

function without(facts: Facts, managed: ReadonlySet<string>): Facts {
  return {
    ...facts,
    policies: facts.policies.filter(({ node }) => {
      const id = field(node, 'id')
      return !(id?.kind === 'text' && managed.has(id.value))
    }),
    permissionsGroups: facts.permissionsGroups.filter(({ urn }) => !managed.has(urn.value.text)),
    resourceGroups: facts.resourceGroups.filter(({ urn }) => !managed.has(urn.value) && !managed.has(urn.value.split(':').at(-1) ?? '')),
  }
}
