import { ownRulesOf } from '../../lint/config-problems.ts'
import { nearest } from '../../nearest.ts'
import { paint } from '../../report/colour.ts'
import { orList } from '../../report/lists.ts'
import { json } from '../../report/safe.ts'
import { defaultDocs, rulePage } from '../../report/words.ts'
import { ruleExamples } from '../../rules/all-examples.ts'
import { rules as builtIn } from '../../rules/index.ts'
import { examplesIn, presets, type Rule, type RuleExample, type RuleExamples } from '../../rules/rule.ts'
import { optionKind } from '../../rules/support/options.ts'
import type { Options, Run } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { type Io, wantsColour } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { type Config, docsOf, loadConfig } from '../input/config.ts'
import { reportError } from '../output/errors.ts'

/** `rules [CODE]` and `explain [CODE]`: the list, or one rule in full. */
export const run: Run<'rules'> = async ([code], options, io) => {
  const { format } = options
  const colours = paint(format === 'pretty' && wantsColour(io, options.color))
  const { config, end } = await configOf(options, io, format === 'json')
  const docs = format === 'json' && config ? docsOf(config) : ''
  const rules = [...builtIn, ...(config ? ownRulesOf([config]) : [])]
  if (code === undefined) {
    const sorted = [...rules].sort((a, b) => (a.code < b.code ? -1 : 1))
    const width = Math.max(...sorted.map((rule) => rule.code.length))
    if (format === 'json') {
      const examples = await ruleExamples()
      io.stdout.write(`${json({ rules: sorted.map((rule) => record(rule, examplesIn(examples, rule.code), docs)) })}\n`)
    } else
      for (const { code, severity, summary, fixes = [] } of sorted) {
        const fix = fixes.length > 0 ? `  (fix: ${fixes.join(', ')})` : ''
        io.stdout.write(`${code.padEnd(width)}  ${colours[severity](severity.padEnd(7))}  ${summary}${fix}\n`)
      }
    return end
  }
  const rule = rules.find((each) => each.code === code)
  if (!rule) {
    const codes = rules.map((each) => each.code)
    const suggested =
      nearest(code, codes) ?? (code.length < 4 ? undefined : codes.find((each) => code.includes(each) || each.includes(code)))
    throw new Refusal(`unknown rule \`${code}\``, suggested ? `did you mean \`${suggested}\`?` : '`grantwise rules` lists them')
  }
  const examples = examplesIn(await ruleExamples(), rule.code)
  if (format === 'json') io.stdout.write(`${json(record(rule, examples, docs))}\n`)
  else {
    const heading = (title: string) => `\n${colours.bold(title)}\n\n`
    const listed = (title: string, some: readonly RuleExample[]) =>
      some
        .map((each, i) => {
          const given = optionsOf(each)
          const lead = `${i === 0 ? heading(title) : '\n'}${given === '' ? '' : `  ${given.trim()}:\n\n`}`
          return `${lead}${each.text.replace(/^\n+|\s+$/g, '').replace(/^/gm, '    ')}\n`
        })
        .join('')
    io.stdout.write(
      `${colours.bold(rule.code)} (${colours[rule.severity](rule.severity)})\n` +
        `${heading('What it does')}  ${rule.summary}\n  ${placeOf(rule)}${fixesOf(rule)}` +
        `${heading('Why')}  ${rule.why}\n` +
        `${listed('Incorrect', examples.bad)}${listed('Correct', examples.good)}${takes(rule) === '' ? '' : heading('Options')}${takes(rule)}\nSee ${rule.link ?? rulePage(rule.code, config ? docsOf(config) : defaultDocs)}\n`,
    )
  }
  return end
}

/**
 * The configuration of the working folder, and how the command ends. Where it is only about guardrails, a faulty one has none; but
 * the list that is printed then lacks the rules of its modules, which is an error.
 */
async function configOf(
  { allowRulesFrom }: Pick<Options<'rules'>, 'allowRulesFrom'>,
  io: Io,
  isNeeded: boolean,
): Promise<{ readonly config: Config | undefined; readonly end: ExitCode }> {
  try {
    return { config: await loadConfig({ allowRulesFrom }, io), end: exit.success }
  } catch (error) {
    if (isNeeded || !(error instanceof Refusal)) throw error
    if (error.diagnostics.length === 0) return { config: undefined, end: exit.success }
    reportError(error, io)
    return { config: undefined, end: exit.error }
  }
}

const fixWords = { safe: 'safe, made by `--fix`', suggested: 'suggested, made by `--fix --fix-level suggested`' } as const

/** Where a rule belongs, and by which presets it is on. */
function placeOf(rule: Rule): string {
  const on = presets.slice(presets.indexOf(rule.preset ?? 'recommended'))
  const where = 'reader' in rule ? 'always on: it is found while reading' : `on in ${orList(on).replace(' or ', ' and ')}`
  return `Group: ${rule.section.replaceAll(' ', '-')}; ${where}\n`
}

function fixesOf({ fixes = [] }: Rule): string {
  return fixes.length > 0 ? `  Fix: ${fixes.map((fix) => fixWords[fix]).join('; ')}\n` : ''
}

/** The options of a rule, with what they take and how to give them. */
function takes({ code, severity, options = [] }: Rule): string {
  const [first] = options
  if (!first) return ''
  const width = Math.max(...options.map(({ name }) => name.length))
  const lines = options.map((option) => {
    const { name, text, required } = option
    return `  ${name.padEnd(width)}  ${optionKind(option)}${required ? ', required' : ''}: ${text}\n`
  })
  return (
    `${lines.join('')}\n  Set them with \`--rule-option ${code}.${first.name}=…\`, ` +
    `or in the configuration as \`${code}: [${severity}, { ${first.name}: … }]\`\n`
  )
}

function optionsOf({ options, path, catalogue }: RuleExample): string {
  return `${path === undefined ? '' : ` in ${path}`}${options === undefined ? '' : ` with ${json(options)}`}${catalogue === undefined ? '' : ` with ${catalogue.map((each) => json(each)).join(', ')} in the catalogue`}`
}

function record(rule: Rule, { bad, good }: RuleExamples, docs: string) {
  const { code, severity, preset = 'recommended', summary, why, options = [], fixes = [] } = rule
  return {
    code,
    severity,
    preset,
    summary,
    why,
    options,
    fixes,
    canBeSwitchedOff: !('reader' in rule),
    examples: { bad: bad.map(({ text }) => text), good: good.map(({ text }) => text) },
    url: rule.link ?? rulePage(code, docs),
  }
}
