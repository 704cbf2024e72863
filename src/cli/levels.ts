import { relative, resolve, sep } from 'node:path'
import type { Diagnostic } from '../diagnostic.ts'
import type { Levels } from '../lint.ts'
import type { Rule } from '../rules/rule.ts'
import type { Config, Level } from './config.ts'

/**
 * Findings at the levels that hold for each file: the command line before overrides (later ones first), before the
 * configuration's rules, before the rule's own. `find` runs the rules at the levels it is given.
 */
export async function applyOverrides(
  rules: readonly Rule[],
  config: Config,
  given: ReadonlyMap<string, Level>,
  cwd: string,
  find: (base: Levels) => readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
  const base = new Map<string, Level>()
  for (const { code, level } of config.rules) base.set(code.value, level)
  for (const [code, level] of given) base.set(code, level)
  const overrides = config.overrides.map(({ files, rules: changed }) => ({
    files,
    levels: new Map(changed.filter(({ code }) => !given.has(code.value)).map(({ code, level }) => [code.value, level])),
  }))
  const touched = new Set(overrides.flatMap(({ levels }) => [...levels.keys()]))
  if (touched.size === 0) return find(base)
  // What one file has switched on has to run for all; the others' findings go afterwards.
  const running = new Map([...base].filter(([code, level]) => !(level === 'off' && touched.has(code))))
  const isFile = await fileTest(config, cwd)
  const own = new Set(rules.map((rule) => rule.code))
  return find(running).flatMap((finding) => {
    if (!touched.has(finding.code) || !own.has(finding.code)) return [finding]
    const last = overrides.findLast(({ files, levels }) => levels.has(finding.code) && isFile(finding.span.source.path, files))
    const level = last ? last.levels.get(finding.code) : base.get(finding.code)
    return level === 'off' ? [] : [level === undefined ? finding : { ...finding, severity: level }]
  })
}

export interface Ignored {
  readonly findings: readonly Diagnostic[]
  readonly ignored: number
}

/**
 * Leave out what the configuration says to ignore. An entry that was about these files and left nothing out is itself a
 * finding; one past its last day no longer holds (spec: command line, Suppression).
 */
export async function applyIgnores(
  findings: readonly Diagnostic[],
  rules: readonly Rule[],
  config: Config,
  linted: readonly string[],
  now: number,
  cwd: string,
): Promise<Ignored> {
  const entries = config.ignores.filter((ignore) => ignore.until === undefined || now <= ignore.until)
  if (entries.length === 0) return { findings, ignored: 0 }
  const isFile = await fileTest(config, cwd)
  const fixed = new Set(rules.filter((rule) => 'reader' in rule.check).map((rule) => rule.code))
  const used = new Set<(typeof entries)[number]>()
  const kept = findings.filter((finding) => {
    if (fixed.has(finding.code) || finding.code === 'syntax' || finding.code === 'shape') return true
    const matching = entries.filter(
      ({ files, codes, policy }) =>
        codes.some((code) => code.value === finding.code) &&
        (policy === undefined || policy === finding.policy) &&
        isFile(finding.span.source.path, files),
    )
    for (const entry of matching) used.add(entry)
    return matching.length === 0
  })
  const unused = entries.filter((entry) => !used.has(entry) && linted.some((file) => isFile(file, entry.files)))
  return {
    findings: [
      ...kept,
      ...unused.map(
        ({ span }): Diagnostic => ({
          code: 'unused-ignore',
          severity: 'warning',
          message: 'this entry leaves nothing out: nothing it names is found any more',
          span,
          help: 'remove it',
        }),
      ),
    ],
    ignored: findings.length - kept.length,
  }
}

/** Whether a path, as shown to people, is matched by a file pattern of the configuration. */
async function fileTest(config: Config, cwd: string): Promise<(path: string, patterns: readonly string[]) => boolean> {
  const { Minimatch } = await import('minimatch')
  const compiled = new Map<string, InstanceType<typeof Minimatch>>()
  return (path, patterns) => {
    const here = relative(config.folder, resolve(cwd, path)).replaceAll(sep, '/')
    return patterns.some((pattern) => {
      let matcher = compiled.get(pattern)
      if (!matcher) {
        matcher = new Minimatch(pattern.replace(/^\.\//, ''), {
          nocomment: true,
          nonegate: true,
          dot: true,
          matchBase: !pattern.includes('/'),
        })
        compiled.set(pattern, matcher)
      }
      return matcher.match(here)
    })
  }
}
