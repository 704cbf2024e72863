import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** Runs programs and composite actions as a build server does. */

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Run a program next to this one, which may be a server that it asks. */
export function runProgram(command: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<Ran> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (part: string) => (texts[name] += part))
    child.on('error', fail)
    child.on('close', (code) => done({ code, ...texts }))
  })
}

interface Step {
  readonly id: string
  readonly if?: string
  readonly run?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly steps: readonly Step[] }
}

interface Done {
  readonly outcome: 'success' | 'failure' | 'skipped'
  readonly outputs: Readonly<Record<string, string>>
}

export interface ActionRun {
  readonly isGreen: boolean
  readonly log: string
  readonly summary: string
  readonly outputs: Readonly<Record<string, string>>
  readonly steps: Readonly<Record<string, Done>>
  /** The inputs of the actions that are used, by the step. */
  readonly used: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export interface ActionSetting {
  readonly action: string
  readonly cwd: string
  readonly temp: string
  readonly inputs: Readonly<Record<string, string>>
  readonly github: { readonly token: string; readonly event: object }
  readonly env: Readonly<Record<string, string>>
  /** The outputs of an action that is used. */
  readonly outputsOf: (uses: string) => Readonly<Record<string, string>>
}

/** Run an action of one or more steps. */
export async function runAction(setting: ActionSetting): Promise<ActionRun> {
  const { inputs: given, outputs, runs } = parse(readFileSync(join(setting.action, 'action.yml'), 'utf8')) as Action
  const contexts = { github: setting.github, runner: { temp: setting.temp } }
  mkdirSync(setting.temp, { recursive: true })
  const event = join(setting.temp, 'event.json')
  writeFileSync(event, JSON.stringify(setting.github.event))
  const inputs = Object.fromEntries(
    Object.entries(given).map(([name, { default: value }]) => [name, setting.inputs[name] ?? filled(value, contexts)]),
  )
  const steps: Record<string, Done> = {}
  const used: Record<string, Readonly<Record<string, string>>> = {}
  const summary = join(setting.temp, 'summary')
  let [isGreen, log] = [true, '']
  for (const step of runs.steps) {
    const known = { ...contexts, inputs, steps, isGreen }
    const condition = step.if?.replace(/^\$\{\{(.*)\}\}$/s, '$1')
    const isAsked = condition === undefined || value(condition, known)
    // A step without a condition on how the others ended runs only after success.
    if (!isAsked || (!isGreen && !/\b(cancelled|always)\(\)/.test(condition ?? ''))) {
      steps[step.id] = { outcome: 'skipped', outputs: {} }
      continue
    }
    const fill = (values: Readonly<Record<string, string>> = {}) =>
      Object.fromEntries(Object.entries(values).map(([name, text]) => [name, filled(String(text), known)]))
    if (step.uses !== undefined) {
      used[step.id] = fill(step.with)
      steps[step.id] = { outcome: 'success', outputs: setting.outputsOf(step.uses) }
      continue
    }
    const written = join(setting.temp, 'outputs')
    const env = {
      ...setting.env,
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: setting.action,
      GITHUB_EVENT_PATH: event,
      GITHUB_OUTPUT: written,
      GITHUB_STEP_SUMMARY: summary,
      RUNNER_TEMP: setting.temp,
      ...fill(step.env),
    }
    const { code, stdout, stderr } = await runProgram(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run ?? ''],
      setting.cwd,
      env,
    )
    const lines = existsSync(written) ? readFileSync(written, 'utf8').split('\n').filter(Boolean) : []
    rmSync(written, { force: true })
    const pairs = lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
    steps[step.id] = { outcome: code === 0 ? 'success' : 'failure', outputs: Object.fromEntries(pairs) }
    log += `${stdout}${stderr}`
    isGreen &&= code === 0
  }
  const results = Object.entries(outputs).map(([name, output]) => [name, filled(output.value, { ...contexts, inputs, steps })])
  return {
    isGreen,
    log,
    summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '',
    outputs: Object.fromEntries(results),
    steps,
    used,
  }
}

const filled = (text: string, contexts: object) =>
  text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => String(value(expression, contexts) ?? ''))

/** The value of an expression of the build server, which is one of JavaScript but for names with hyphens and what is not there. */
function value(expression: string, contexts: object): unknown {
  const script = expression
    .replace(/'[^']*'|\b(?:inputs|steps|github|runner)(?:\.[\w-]+)+/g, (part) => {
      if (part.startsWith("'")) return part
      const [context, ...names] = part.split('.')
      return `(${context}${names.map((name) => `?.[${JSON.stringify(name)}]`).join('')} ?? '')`
    })
    .replace(/\b(cancelled|always)\(\)/g, (_, name: string) => String(name === 'always'))
  const format = (text: string, ...values: string[]) => text.replace(/\{(\d)\}/g, (_, at: string) => values[Number(at)] ?? '')
  const given = { inputs: {}, steps: {}, github: {}, runner: {}, ...contexts, format }
  return new Function(...Object.keys(given), `return ${script}`)(...Object.values(given))
}
