import type { Operation } from '../actions/operations.ts'
import { sensitiveAmong, sensitiveRows } from '../actions/sensitive.ts'
import { operationsFinder } from '../calls/rule-set.ts'
import { readConditionKey, readTest, subjects, valueWords } from '../conditions/test.ts'
import { readInstant } from '../conditions/time.ts'
import { glob, isPattern, matches } from '../glob.ts'
import { longestName, visible } from '../names.ts'
import type { Policy } from '../policy.ts'
import { conditionPhrase, conditionTexts, formulaWords } from '../report/conditions.ts'
import { codeSpan } from '../report/markdown.ts'
import { cut, shown } from '../report/safe.ts'
import { plural, rulePage } from '../report/words.ts'
import { rules } from '../rules/index.ts'
import { touches } from '../source.ts'
import { formulaOf } from '../symbolic/formula.ts'
import { Zones } from '../zones.ts'
import { ignoredCodeAt } from './comments.ts'
import { methodIn, methods } from './completion/access-rules.ts'
import { partAt } from './cursor.ts'
import { deniedBy } from './denied.ts'
import type { LooseEntry, LooseNode } from './loose/nodes.ts'
import type { EditorFile, Spot, Workspace } from './model.ts'
import { inner, nameAt, occurrencesOf } from './names.ts'
import { type Part, rangeInFile } from './parts.ts'
import { shapeOfDocument } from './shapes.ts'
import { shortNamesNextTo } from './short.ts'
import { holds } from './spots.ts'
import { distanceWords, expiryWords } from './time.ts'
import type { Hover } from './types.ts'

/** The most lines of one list that a hover shows. */
const mostLines = 8

/** The hover for the text at an offset; undefined where there is none. */
export function hover(workspace: Workspace, file: EditorFile, offset: number): Hover | undefined {
  const ignored = codeInComment(workspace, file, offset)
  if (ignored) return ignored
  const partAround = partAt(file, offset)
  if (!partAround) return undefined
  const { part, at } = partAround
  const spot = file
    .spots(workspace.settings)
    .find(
      (each) => each.part === part && touches(each.node, at) && (holds(each.node, at) || at === each.node.start || at === each.node.end),
    )
  const lines = spot && !spot.node.isExpression ? linesOf(workspace, file, spot) : undefined
  if (spot && lines && lines.length > 0) return inPart(part, { range: inner(spot.node), markdown: lines.join('\n\n') })
  const evaluated = nameAt(workspace, file, offset)
  if (evaluated?.written) {
    const role = evaluated.kind === 'policy' ? 'policyName' : evaluated.kind === 'resourceGroup' ? 'resource' : evaluated.kind
    const text = evaluated.written.value
    const lines = nameLines(workspace, file, role, text)
    if (lines.length > 0) return { range: evaluated.range, markdown: [codeSpan(text), ...lines].join('\n\n') }
  }
  const key = fieldAt(workspace, file, part, at)
  return key && inPart(part, key)
}

function inPart(part: Part, { range, markdown }: Hover): Hover {
  return { range: rangeInFile(part, range), markdown }
}

/** A list for users: the first items, and the number of further ones. */
function listed(lines: readonly string[], most = mostLines): string {
  const left = lines.length - most
  return [...lines.slice(0, most).map((line) => `- ${line}`), ...(left > 0 ? [`- and ${left} more`] : [])].join('\n')
}

function linesOf(workspace: Workspace, file: EditorFile, spot: Spot): readonly string[] {
  const { node, role, key } = spot
  const { value } = node
  const { now, world } = workspace
  if (value.length > longestName) return []
  switch (role) {
    case 'action':
      return actionLines(workspace, file, spot)
    case 'instant': {
      const instant = readInstant(value)
      if (instant === undefined) return []
      return [`${file.purpose === 'tests' ? distanceWords(instant, now) : expiryWords(instant, now)}`]
    }
    case 'day': {
      const instant = Date.parse(`${value}T23:59:59.999Z`)
      return /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(instant) ? [`holds through this day: ${expiryWords(instant, now)}`] : []
    }
    case 'conditionKey':
    case 'conditionOperator':
    case 'conditionValue':
      return conditionLines(workspace, spot)
    case 'ruleCode':
      return ruleLines(workspace, value)
    case 'accessRule': {
      const [method = '', path] = value.split(/[ \t]+/)
      return path === undefined ? [] : accessLines(workspace, [method], path)
    }
    case 'accessPath':
      return accessLines(workspace, [methodIn(spot.around) ?? methods].flat(), value)
    case 'ruleLevel':
      return key ? ruleLines(workspace, key.value) : []
    case 'tagKey': {
      const values = [...world.resources.values()].flatMap(({ tags }) => tags?.get(value) ?? [])
      return values.length === 0 ? [] : [`Tag of ${plural(values.length, 'described resource')}: ${listedInline([...new Set(values)])}`]
    }
    case 'tagValue': {
      const taggedUrns = [...world.resources].filter(([, { tags }]) => tags?.get(key?.value ?? '') === value).map(([urn]) => urn)
      return taggedUrns.length === 0
        ? []
        : [`${plural(taggedUrns.length, 'described resource')} with this tag`, listed(taggedUrns.map(codeSpan))]
    }
    case 'account':
      return [
        `Account with ${plural([...world.identities.keys()].filter((urn) => urn.split(':')[5]?.startsWith(`${value}/`)).length, 'described identity')}`,
      ]
    default:
      return nameLines(workspace, file, role, value)
  }
}

const listedInline = (strings: readonly string[]) =>
  `${strings.slice(0, mostLines).map(codeSpan).join(', ')}${strings.length > mostLines ? ` and ${strings.length - mostLines} more` : ''}`

function nameLines(workspace: Workspace, file: EditorFile, role: Spot['role'], text: string): readonly string[] {
  if (role === 'identity' || role === 'group') return identityLines(workspace, text)
  if (role === 'resource') return text.includes(':resourceGroup:') ? resourceGroupLines(workspace, text) : resourceLines(workspace, text)
  if (role === 'resourceGroupId') {
    const urn = [...workspace.world.resourceGroups.keys()].find((each) => each.endsWith(`:resourceGroup:${text}`))
    return urn === undefined ? [] : resourceGroupLines(workspace, urn)
  }
  if (role === 'permissionsGroup') return permissionsGroupLines(workspace, text)
  return role === 'policyName' ? policyLines(workspace, file, text) : []
}

// Actions.

/** The operations that an access rule opens, and the actions that policies must allow in addition. */
function accessLines({ operations }: Workspace, methods: readonly string[], path: string): readonly string[] {
  const find = operationsFinder(operations())
  const opened = methods.flatMap((method) => find({ method: method.toUpperCase(), path }))
  const needed = [...new Set(opened.flatMap(({ actions }) => actions.map(({ name }) => name)))]
  return [
    opened.length === 0 ? '**Opens no known operation**' : `**Opens ${plural(opened.length, 'operation')}** of the API`,
    ...(opened.length > 0 ? [listed(opened.map(callSpan))] : []),
    ...(needed.length > 0 ? [`Policies must allow, too: ${listedInline(needed)}`] : []),
  ]
}

const callSpan = ({ method, branch, path }: Operation) => codeSpan(`${method} /${branch}${path}`)

/** How many calls need an action are shown. */
const mostCalls = 6

function actionLines(workspace: Workspace, file: EditorFile, spot: Spot): readonly string[] {
  const { catalogue, settings } = workspace
  const { value } = spot.node
  const pattern = glob(value)
  const about = `of the catalogue of ${catalogue.seen}`
  const product = value.includes(':') ? value.slice(0, value.indexOf(':')) : undefined
  const rows = sensitiveRows(settings.brand, product?.includes('*') ? undefined : product)
  const denied = deniedLine(workspace, file, spot)
  if (isPattern(pattern)) {
    const actions = catalogue.expand(pattern)
    const sensitive = [...sensitiveAmong(actions, rows)]
    const order = new Map(rows.map(({ category }, i) => [category, i] as const).reverse())
    const gravest = sensitive.sort((a, b) => (order.get(a.category) ?? 0) - (order.get(b.category) ?? 0))
    const names = new Set(sensitive.map(({ action }) => action))
    const others = actions.filter((action) => !names.has(action))
    return [
      `**${plural(actions.length, 'action')}** ${about}; what the service adds later is designated too`,
      ...denied,
      ...(gravest.length > 0
        ? [
            `**Sensitive** (${gravest.length})`,
            listed(gravest.map(({ action, category, reason }) => `${codeSpan(action)} ${category}: with it, ${reason}`)),
          ]
        : []),
      ...(others.length > 0
        ? [
            gravest.length > 0 ? `**Others** (${others.length})` : '',
            listed(others.map(codeSpan), gravest.length > 0 ? 4 : mostLines),
          ].filter(Boolean)
        : []),
    ]
  }
  const name = value.split('?')[0] as string
  const deprecation = catalogue.deprecationOf(name)
  const [danger] = sensitiveAmong([name], rows)
  const calls = workspace.operations().filter(({ actions }) => actions.some((each) => each.name === name))
  const suggested = catalogue.has(name) ? undefined : catalogue.nearestAction(name)
  return [
    ...(catalogue.has(name) ? [] : [`Not an action ${about}${suggested === undefined ? '' : `: did you mean ${codeSpan(suggested)}?`}`]),
    ...(danger ? [`**Sensitive** (${danger.category}): with it, ${danger.reason}`] : []),
    ...denied,
    ...(deprecation
      ? [
          `Deprecated${deprecation.from === undefined ? '' : ` since ${deprecation.from}`}${deprecation.until === undefined ? '' : `, until ${deprecation.until}`}${deprecation.replacedBy.length > 0 ? `: write ${listedInline(deprecation.replacedBy)}` : ''}`,
        ]
      : []),
    ...(calls.length > 0
      ? [
          `Needed by ${plural(calls.length, 'call')} of the API`,
          listed(
            calls.map(
              (call) =>
                `${callSpan(call)}${call.actions.some((each) => each.name === name && !each.required) ? ' (by some calls only)' : ''}`,
            ),
            mostCalls,
          ),
        ]
      : catalogue.has(name)
        ? ['No known call of the API needs it']
        : []),
  ]
}

function deniedLine(workspace: Workspace, file: EditorFile, { node, field, part }: Spot): readonly string[] {
  if (field !== 'allow') return []
  const offset = part.toFile(node.start)
  const policy = workspace.world.policies.find(({ span }) => span.source === file.source && touches(span, offset))
  const entry = policy?.permissions.allow.find(({ value }) => value.text === node.value)
  const by = policy && entry ? deniedBy(workspace, policy, entry.value) : undefined
  return by ? [`**Denied** by ${codeSpan(by.name.value)}: it grants nothing`] : []
}

// Names.

/** The policies about an identity or a resource, one on a line with a summary. */
function policiesLines(
  workspace: Workspace,
  urn: string,
  about: (policy: Policy) => boolean,
  side: 'identity' | 'resource',
): readonly string[] {
  const { world, now } = workspace
  const policies = world.policies.filter(about)
  if (policies.length === 0) return ['No policy names it']
  const names = shortNamesNextTo(urn, world)
  const first = (given: readonly string[], most = 3) => {
    const items = [...new Set(given)]
    return `${items.slice(0, most).map(codeSpan).join(', ')}${items.length > most ? ` and ${items.length - most} more` : ''}`
  }
  const lines = policies.slice(0, mostLines).map((policy) => {
    const { name, permissions, permissionsGroups, identities, resources, condition, expiresAt } = policy
    const { allow, deny } = permissions
    const groups = permissionsGroups.map(({ value }) => value.name)
    const does = [
      ...(allow.length > 0 ? [`may ${first(allow.map(({ value }) => value.text))}`] : []),
      ...(groups.length > 0 ? [`has ${first(groups)}`] : []),
      ...(deny.length > 0 ? [`is denied ${first(deny.map(({ value }) => value.text))}`] : []),
    ]
    const other = side === 'identity' && does.length > 0 ? ` on ${first(resources.map(({ value }) => names.resource(value.text)))}` : ''
    const who = side === 'resource' ? `${first(identities.map(({ value }) => names.identity(value.text)))} ` : ''
    // Computing its times takes too long: here the condition is shown as written.
    const when = condition && formulaWords(formulaOf(condition))
    const until = expiresAt && expiryWords(expiresAt.value, now)
    return `**${shownMarkdown(name.value)}**: ${who}${does.join('; ') || 'nothing'}${other}${when ? `, when ${cut(when, 160)}` : ''}${until ? ` (${until})` : ''}`
  })
  const further = policies.length - lines.length
  return [
    `${plural(policies.length, 'policy')}`,
    [...lines.map((line) => `- ${line}`), ...(further > 0 ? [`- and ${further} more`] : [])].join('\n'),
  ]
}

/** A name of the user's as plain text within Markdown. */
function shownMarkdown(text: string): string {
  return shown(cut(text, 80)).replace(/[\\`*_{}[\]()<>#|!&~]/g, '\\$&')
}

function identityLines(workspace: Workspace, urn: string): readonly string[] {
  const { world } = workspace
  const names = shortNamesNextTo(urn, world)
  const pattern = glob(urn)
  const kind = urn.split(':')[4] ?? ''
  if (isPattern(pattern)) {
    const matching = [...world.identities.keys()].filter((each) => matches(pattern, each))
    return [
      `Pattern over identities: ${plural(matching.length, 'described identity')}`,
      ...(matching.length > 0 ? [listed(matching.map((each) => codeSpan(names.identity(each))))] : []),
    ]
  }
  const members = kind === 'group' ? [...world.identities].filter(([, { groups }]) => groups.includes(urn)).map(([member]) => member) : []
  const groups = world.identities.get(urn)?.groups ?? []
  const all = [urn, ...groups]
  const about = ({ identities }: Policy) => identities.some(({ value }) => all.some((each) => matches(value.glob, each)))
  const isKnown = world.identities.has(urn) || members.length > 0
  return [
    `**${kindNames[kind] ?? 'Identity'}** ${codeSpan(names.identity(urn))}${isKnown ? '' : ', described in no file'}`,
    ...(groups.length > 0 ? [`In ${listedInline(groups.map((each) => names.identity(each)))}`] : []),
    ...(kind === 'group'
      ? [
          members.length === 0
            ? 'No described members'
            : `Members (${members.length}): ${listedInline(members.map((each) => names.identity(each)))}`,
        ]
      : []),
    ...policiesLines(workspace, urn, about, 'identity'),
  ]
}

const kindNames: Readonly<Record<string, string>> = { user: 'User', group: 'Group', credential: 'Service account', account: 'Account' }

function resourceLines(workspace: Workspace, urn: string): readonly string[] {
  const { world } = workspace
  const pattern = glob(urn)
  const names = shortNamesNextTo(urn, world)
  if (isPattern(pattern)) {
    const matching = [...world.resources.keys()].filter((each) => matches(pattern, each))
    return [
      `Pattern over resources: ${plural(matching.length, 'described resource')}`,
      ...(matching.length > 0 ? [listed(matching.map((each) => codeSpan(names.resource(each))))] : []),
    ]
  }
  const resource = world.resources.get(urn)
  const groups = [...world.resourceGroups].filter(([, { members }]) => members.has(urn))
  const inGroup = groups.map(([group]) => group)
  const about = ({ resources }: Policy) =>
    resources.some(
      ({ value }) => matches(value.glob, urn) || (value.kind === 'group' && inGroup.some((group) => matches(value.glob, group))),
    )
  const tags = [...(resource?.tags ?? [])].map(([key, value]) => `${key}=${value}`)
  return [
    `**Resource** ${codeSpan(names.resource(urn))}${resource ? '' : ', described in no file'}`,
    ...(resource ? [tags.length > 0 ? `Tags: ${listedInline(tags)}` : resource.tags ? 'No tags' : 'Tags not described'] : []),
    ...(resource?.owner === undefined ? [] : [`Owned by ${codeSpan(resource.owner)}`]),
    ...(groups.length > 0 ? [`In ${groups.map(([group, { name }]) => codeSpan(name ?? group)).join(', ')}`] : []),
    ...policiesLines(workspace, urn, about, 'resource'),
  ]
}

function resourceGroupLines(workspace: Workspace, urn: string): readonly string[] {
  const { world } = workspace
  const group = world.resourceGroups.get(urn) ?? world.resourceGroups.get(urn.replace(/^(urn:v1:)[^:]*/, '$1*'))
  if (urn.includes('*')) return [`Every resource group: ${plural(world.resourceGroups.size, 'described group')}`]
  const names = shortNamesNextTo(urn, world)
  const about = ({ resources }: Policy) => resources.some(({ value }) => value.kind === 'group' && matches(value.glob, urn))
  if (!group) return ['**Resource group**, described in no file', ...policiesLines(workspace, urn, about, 'resource')]
  const members = [...group.members]
  return [
    `**Resource group**${group.name === undefined ? '' : ` ${codeSpan(group.name)}`}`,
    members.length === 0
      ? 'No described members'
      : `Members (${members.length}): ${listedInline(members.map((each) => names.resource(each)))}${group.complete ? '' : ', and others that are not known'}`,
    ...policiesLines(workspace, urn, about, 'resource'),
  ]
}

function permissionsGroupLines(workspace: Workspace, urn: string): readonly string[] {
  const { world, catalogue } = workspace
  const group = world.permissionsGroups.get(urn)
  const users = world.policies.filter(({ permissionsGroups }) => permissionsGroups.some(({ value }) => value.text === urn)).length
  if (!group) return [`**Permissions group**, described in no file`, `Named by ${plural(users, 'policy')}`]
  const lists = (['allow', 'except', 'deny'] as const).flatMap((list) => {
    const entries = group.permissions[list]
    if (entries.length === 0) return []
    const actions = new Set(entries.flatMap(({ value }) => catalogue.expand(value)))
    return [`${list}: ${listedInline(entries.map(({ value }) => value.text))} (${plural(actions.size, 'action')})`]
  })
  return [
    `**Permissions group** ${codeSpan(group.name)}, named by ${plural(users, 'policy')}`,
    ...(lists.length > 0 ? [listed(lists)] : ['It holds nothing']),
  ]
}

function policyLines(workspace: Workspace, file: EditorFile, name: string): readonly string[] {
  const { world, catalogue, now } = workspace
  const policies = world.policies.filter((policy) => policy.name.value === name)
  const policy = policies.find(({ span }) => span.source === file.source) ?? policies[0]
  if (!policy) return []
  const names = shortNamesNextTo((policy.identities[0] ?? policy.resources[0])?.value.text ?? '', world)
  const { permissions, identities, resources, condition, expiresAt, permissionsGroups } = policy
  const granted = new Set(permissions.allow.flatMap(({ value }) => catalogue.expand(value)))
  for (const { value } of permissions.except) for (const action of catalogue.expand(value)) granted.delete(action)
  const when = condition && conditionTexts({ from: now })(formulaOf(condition))
  const lines = [
    `who: ${listedInline(identities.map(({ value }) => names.identity(value.text))) || 'nobody'}`,
    `on: ${listedInline(resources.map(({ value }) => names.resource(value.text))) || 'nothing'}`,
    ...(permissions.allow.length > 0 ? [`allows ${plural(granted.size, 'action')} of the catalogue`] : []),
    ...(permissions.deny.length > 0 ? [`denies ${listedInline(permissions.deny.map(({ value }) => value.text))}`] : []),
    ...(permissionsGroups.length > 0 ? [`with ${listedInline(permissionsGroups.map(({ value }) => value.name))}`] : []),
    ...(when ? [cut(conditionPhrase(when), 300)] : []),
    ...(expiresAt ? [expiryWords(expiresAt.value, now)] : []),
  ]
  const used = occurrencesOf(workspace, { kind: 'policy', text: name }).filter(({ isDefinition }) => !isDefinition).length
  return [
    `**Policy**${policies.length > 1 ? `, one of ${policies.length} of this name` : ''}${used > 0 ? `, named ${plural(used, 'time')} elsewhere` : ''}`,
    lines.map((line) => `- ${line}`).join('\n'),
  ]
}

// Conditions.

function conditionLines(workspace: Workspace, { node, role, key, part }: Spot): readonly string[] {
  const { world, now, settings } = workspace
  const texts = conditionTexts({ from: now })
  const start = part.toFile(node.start)
  const policy = world.policies.find(
    ({ span, condition }) => condition && span.source.path === part.source.path && touches(condition.span, start),
  )
  const all = policy?.condition && texts(formulaOf(policy.condition))
  const comparison = role === 'conditionOperator' ? undefined : role === 'conditionKey' ? node.value : key?.value
  const read = comparison === undefined ? undefined : readConditionKey(comparison, settings.zones ?? new Zones()).value
  const test = read && role === 'conditionValue' ? readTest(read, node.value).value : undefined
  const ownWords = test && key && texts(formulaOf({ kind: 'match', key: located(key), value: located(node), test, span: node }))
  const about =
    read &&
    `${codeSpan(subjects[read.subject.kind].text)} is compared by ${subjects[read.subject.kind].operators.map(codeSpan).join(', ')}; ${codeSpan(read.operator)} takes ${valueWords(read.subject.kind, read.operator)}`
  const operator = role === 'conditionOperator' ? operatorLines[node.value] : undefined
  return [
    ...(operator ? [operator] : []),
    ...(ownWords ? [`Holds ${conditionPhrase(ownWords)}`] : []),
    ...(about && !ownWords ? [about] : []),
    ...(read && ['BEFORE', 'AFTER'].includes(read.operator) ? ['`BEFORE` is earlier; `AFTER` is that value or later'] : []),
    ...(all && all !== ownWords ? [`The policy applies ${conditionPhrase(all)}`] : []),
  ].map((line) => cut(visible(line), 600))
}

const located = (node: Spot['node']) => ({ value: node.value, span: node })

const operatorLines: Readonly<Record<string, string>> = {
  MATCH: 'Holds when all comparisons under `values` hold',
  AND: 'Holds when all of its conditions hold',
  OR: 'Holds when at least one of its conditions holds',
  NOT: 'Holds when none of its conditions holds',
}

// Rules and fields.

function ruleLines({ docs }: Workspace, code: string): readonly string[] {
  const rule = rules.find((each) => each.code === code)
  if (!rule) return []
  const options = rule.options ?? []
  return [
    `**${rule.code}** (${rule.section}, ${rule.severity}${rule.preset === undefined ? '' : `, from the preset \`${rule.preset}\` on`})`,
    rule.summary,
    rule.why,
    ...(options.length > 0 ? [listed(options.map(({ name, text }) => `\`${name}\`: ${text}`))] : []),
    `[Documentation](${rulePage(rule.code, docs)})`,
  ]
}

/** The rule for a code in a comment that suppresses findings. */
function codeInComment(workspace: Workspace, { source }: EditorFile, at: number): Hover | undefined {
  const found = ignoredCodeAt(source, at)
  const lines = found && ruleLines(workspace, source.text.slice(found.start, found.end))
  return found && lines && lines.length > 0 ? { range: found, markdown: lines.join('\n\n') } : undefined
}

/** The hover with the description of a field. */
function fieldAt(workspace: Workspace, file: EditorFile, part: Part, offset: number): Hover | undefined {
  for (const document of part.documents) {
    if (!touches(document, offset)) continue
    let node: LooseNode = document
    let shape = shapeOfDocument(file, part, document, workspace.settings)
    while (shape && (node.kind === 'map' || node.kind === 'list')) {
      if (node.kind === 'list') {
        const index: number = node.items.findIndex((item) => touches(item, offset))
        shape = index < 0 ? undefined : shape.item(index)
        node = node.items[index] ?? { kind: 'null', value: null, source: part.source, start: offset, end: offset }
        continue
      }
      const entry: LooseEntry | undefined = node.entries.find(
        ({ key, value }) => key.start <= offset && offset <= Math.max(key.end, value.end),
      )
      if (!entry) return undefined
      const field = shape.fields.find(({ name }) => name === entry.key.value)
      if (offset <= entry.key.end) {
        if (!field || field.about === '') return undefined
        return { range: inner(entry.key), markdown: `**${entry.key.value}**${field.isRequired ? ' (required)' : ''}\n\n${field.about}` }
      }
      shape = shape.field(entry.key.value, entry)
      node = entry.value
    }
  }
  return undefined
}
