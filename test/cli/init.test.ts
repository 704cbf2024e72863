import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type CommandEntry, commands as table } from '../../src/cli/app/commands.ts'
import { version } from '../../src/cli/app/version.ts'
import { completionScript } from '../../src/cli/commands/completions.ts'
import { hookNames, pipelineNames, template } from '../../src/cli/commands/init.ts'
import { presets } from '../../src/rules/rule.ts'
import { runProgram } from '../support/scenario.ts'

const commands: readonly CommandEntry[] = table

let work: string
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'grantwise-'))
})
afterEach(() => rmSync(work, { recursive: true }))

/** The template with every example in it in force. */
const inForce = template.replace(/^#(?=[a-zA-Z]+:| {2})/gm, '')

describe('init', () => {
  test('writes a configuration that changes nothing', async () => {
    const { stdout, stderr, exit } = await runProgram(['init'], work)
    expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 })
    expect(stdout).toContain('wrote .grantwise.yaml')
    expect(readFileSync(join(work, '.grantwise.yaml'), 'utf8')).toBe(template)
    const [mine, none] = await Promise.all([
      runProgram(['lint', '--print-config', 'p.yaml'], work),
      runProgram(['lint', '--print-config', 'p.yaml', '--no-config'], work),
    ])
    const withoutPlaces = (stdout: string) => ({ ...JSON.parse(stdout), configurations: [], origins: {} })
    expect(withoutPlaces(mine.stdout)).toEqual(withoutPlaces(none.stdout))
  })

  test('whose examples are good as well, and name every key', async () => {
    writeFileSync(join(work, '.grantwise.yaml'), inForce)
    mkdirSync(join(work, 'lint'))
    const rule = "{ code: 'acme/x', section: 'document', severity: 'error', summary: 'x', why: 'x', policy: () => [] }"
    writeFileSync(join(work, 'lint/acme-rules.mjs'), `export const rules = [${rule}]\n`)
    const args = ['--print-config', 'policies/generated/p.json', '--allow-rules-from', 'lint']
    const { stdout, stderr, exit } = await runProgram(['lint', ...args], work)
    expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 })
    const config = JSON.parse(stdout)
    expect(config.rules['expires-soon']).toEqual(['warning', { days: 30 }])
    expect(config.ignores).toHaveLength(1)
    const schema = JSON.parse(readFileSync(new URL('../../schemas/config.schema.json', import.meta.url), 'utf8'))
    const unnamed = ['$schema', 'root']
    expect(Object.keys(parse(inForce)).sort()).toEqual(
      Object.keys(schema.properties)
        .filter((key) => !unnamed.includes(key))
        .sort(),
    )
  })

  test('names the hook tool and the CI service of the project, or all that there are', async () => {
    const hints = async () => {
      const { stdout } = await runProgram(['init'], work)
      rmSync(join(work, '.grantwise.yaml'))
      return [...stdout.matchAll(/grantwise init --(?:hook|ci) (\S+)/g)].map(([, names]) => names)
    }
    expect(await hints()).toEqual([hookNames.join('|'), pipelineNames.join('|')])
    writeFileSync(join(work, '.pre-commit-config.yaml'), '')
    mkdirSync(join(work, '.github'))
    writeFileSync(join(work, 'azure-pipelines.yml'), '')
    expect(await hints()).toEqual(['pre-commit', 'github|azure'])
  })

  test.each(['world.yaml', 'policies/world.json', 'iam/world.yml'])(
    'names a world file that it finds, %s, so that questions know its names',
    async (name) => {
      const bob = 'urn:v1:eu:identity:user:ab12-svc/bob'
      for (const folder of ['policies', 'iam']) mkdirSync(join(work, folder))
      writeFileSync(join(work, name), JSON.stringify({ identities: [{ urn: bob }], resources: [{ urn: 'urn:v1:eu:resource:vps:web-1' }] }))
      const policy = {
        name: 'p',
        identities: [bob],
        resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
        permissions: { allow: [{ action: 'vps:*' }] },
      }
      writeFileSync(join(work, 'policies/p.json'), JSON.stringify(policy))
      const { stdout, exit } = await runProgram(['init'], work)
      expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining(`described in ${name}\n`) })
      expect(parse(readFileSync(join(work, '.grantwise.yaml'), 'utf8'))).toMatchObject({ world: [name] })
      expect(await runProgram(['can', 'bob', 'vps:apisvc:reboot', 'web-1', '-p', 'policies'], work)).toMatchObject({ exit: 0 })
    },
  )

  test('names no world file where several folders have one', async () => {
    for (const folder of ['iam', 'team']) {
      mkdirSync(join(work, folder))
      writeFileSync(join(work, folder, 'world.yaml'), 'identities: []\n')
    }
    await runProgram(['init'], work)
    expect(readFileSync(join(work, '.grantwise.yaml'), 'utf8')).toBe(template)
  })

  test('does not wait for a pipe that is called a world', async () => {
    spawnSync('mkfifo', [join(work, 'world.yaml')])
    expect(await runProgram(['init'], work)).toMatchObject({ exit: 0 })
    expect(readFileSync(join(work, '.grantwise.yaml'), 'utf8')).toBe(template)
  })

  test('does not take a file for a world by its name only', async () => {
    writeFileSync(join(work, 'world.yaml'), 'continents: [europe]\n')
    await runProgram(['init'], work)
    expect(readFileSync(join(work, '.grantwise.yaml'), 'utf8')).toBe(template)
  })

  test.each(['.grantwise.yaml', '.grantwise.yml', '.grantwise.json'])('never overwrites %s', async (name) => {
    writeFileSync(join(work, name), 'mine')
    expect(await runProgram(['init'], work)).toEqual({
      stdout: '',
      stderr: `grantwise: ${name} already exists\n  help: edit it, or remove it first\n`,
      exit: 2,
    })
    expect(readFileSync(join(work, name), 'utf8')).toBe('mine')
  })

  test('never writes through a link', async () => {
    symlinkSync('elsewhere.yaml', join(work, '.grantwise.yaml'))
    expect((await runProgram(['init'], work)).exit).toBe(2)
    expect(existsSync(join(work, 'elsewhere.yaml'))).toBe(false)
  })

  const snippets = [...hookNames.map((name) => ['--hook', name] as const), ...pipelineNames.map((name) => ['--ci', name] as const)]
  test.each(snippets.flatMap((snippet) => [true, false].map((isNode) => [...snippet, isNode] as const)))(
    '%s %s, with a package.json: %s',
    async (option, name, isNode) => {
      if (isNode) writeFileSync(join(work, 'package.json'), '{}')
      const { stdout, stderr, exit } = await runProgram(['init', option, name], work)
      expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 })
      expect(existsSync(join(work, '.grantwise.yaml'))).toBe(false)
      // The names that hooks hand over are those of the hook for pre-commit.
      if (name === 'lint-staged' || name === 'pre-commit') {
        const own = readFileSync(new URL('../../.pre-commit-hooks.yaml', import.meta.url), 'utf8')
        const [, published = ''] = /files: '(.*)'/.exec(own) ?? []
        const [, braces = ''] = /\*\.\{(.*?)\}/.exec(stdout) ?? []
        const [, alternatives = ''] = /\\\.\((.*?)\)\$/.exec(stdout) ?? []
        const names = (braces === '' ? alternatives.split('|') : braces.split(',')).map((ending) => `p.${ending}`)
        expect(names.filter((each) => !new RegExp(published).test(each))).toEqual([])
        expect(names).toEqual(expect.arrayContaining(['p.json', 'p.jsonc', 'p.yaml', 'p.tf', 'p.md', 'p.sh']))
      }
      if (name === 'lint-staged') expect(JSON.parse(stdout)).toHaveProperty('lint-staged')
      else if (name === 'git') expect(stdout).toMatch(/^#!\/bin\/sh\n/)
      else if (name !== 'husky') expect(parse(stdout)).toBeTypeOf('object')
      if (option === '--ci') {
        // It does as the script that is in the package, by variables that the script reads.
        const scripts = ['lint.sh', 'base.sh']
          .map((file) => readFileSync(new URL(`../../integrations/${file}`, import.meta.url), 'utf8'))
          .join('')
        const home = isNode ? 'node_modules/grantwise' : '/tmp/grantwise/node_modules/grantwise'
        expect(stdout).toContain(`bash ${home}/integrations/lint.sh\n`)
        expect(stdout).toMatch(new RegExp(`\\bGRANTWISE_BIN(: |=)${home}/bin/grantwise\\.js\n`))
        expect(stdout).toContain(
          isNode
            ? 'npm ci --ignore-scripts\n'
            : `npm install --prefix /tmp/grantwise --ignore-scripts --no-audit --no-fund grantwise@${version}\n`,
        )
        const variables = new Set(stdout.match(/GRANTWISE_[A-Z_]+/g))
        expect(variables.size).toBeGreaterThan(1)
        expect([...variables].filter((variable) => !scripts.includes(variable))).toEqual([])
        return
      }
      // Every option in it is one that there is.
      const known = commands.find((command) => command.name === 'lint')?.options.flatMap(({ flags }) => flags.split(/[, ]+/)) ?? []
      const used = [...stdout.matchAll(/grantwise lint ([^"\n]*)/g)].flatMap(([, line = '']) => line.match(/--[a-z-]+/g) ?? [])
      expect(used.length).toBeGreaterThan(0)
      expect(used.filter((flag) => !known.includes(flag))).toEqual([])
      // husky and lint-staged are packages of Node: a project that uses them has others too.
      if (!['husky', 'lint-staged'].includes(name)) expect(stdout.includes('npx ')).toBe(isNode)
    },
  )

  test('the hook of git that it prints stops a commit with findings, and lets others pass', async () => {
    const git = (...args: string[]) =>
      spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: work, encoding: 'utf8', env })
    const program = join(work, '.git/bin')
    const env = { ...process.env, PATH: `${program}:${process.env.PATH}` }
    git('init', '-q')
    mkdirSync(program)
    const bin = new URL('../../bin/grantwise.js', import.meta.url).pathname
    writeFileSync(join(program, 'grantwise'), `#!/bin/sh\nexec ${process.execPath} ${bin} "$@"\n`, { mode: 0o755 })
    writeFileSync(join(work, '.git/hooks/pre-commit'), (await runProgram(['init', '--hook', 'git'], work)).stdout, { mode: 0o755 })
    cpSync(new URL('../../examples/mistakes/misspelt-field.yaml', import.meta.url), join(work, 'p.yaml'))
    git('add', 'p.yaml')
    const refused = git('commit', '-qm', 'x')
    expect([refused.status, refused.stdout + refused.stderr]).toEqual([1, expect.stringContaining('p.yaml:9:3')])
    git('rm', '-qf', 'p.yaml')
    writeFileSync(join(work, 'notes.txt'), '')
    git('add', 'notes.txt')
    expect(git('commit', '-qm', 'x').status).toBe(0)
  })

  test('names what it does not know', async () => {
    expect((await runProgram(['init', '--hook', 'huskey'], work)).stderr).toContain('did you mean `husky`?')
  })
})

/** Other words that an option or a command needs, so that the word is what is refused. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  'lint --fix-level': ['--fix'],
  'export --part': ['--to', 'cedar'],
  expand: ['vps:*'],
  can: ['a', 'b', 'c'],
  diff: ['a', 'b'],
  pull: ['--check'],
  replay: ['records.ndjson'],
  suggest: ['a', 'b', 'c'],
  who: ['vps:apisvc:reboot', 'urn:v1:eu:resource:vps:vps-1'],
  what: ['urn:v1:eu:identity:user:ab12-svc/ann'],
}

/** Options whose words depend on others: with these they are others. */
const modes: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'least --generalise': [['--access-rules', '--from', 'calls.ndjson']],
  'least --format': [['--access-rules', '--from', 'calls.ndjson']],
}

describe('the table of commands', () => {
  const valuesOf = (command: string, option: string) =>
    commands.find(({ name }) => name === command)?.options.find(({ flags }) => flags.startsWith(`${option} `))?.values
  test('lists the words that its commands take', () => {
    expect(valuesOf('lint', '--preset')).toEqual(presets)
    expect(valuesOf('init', '--hook')).toEqual(hookNames)
    expect(valuesOf('init', '--ci')).toEqual(pipelineNames)
  })
  test.each(
    commands.flatMap(({ name, options }) => options.flatMap(({ flags, values }) => (values ? [[name, flags, values] as const] : []))),
  )('%s %s', async (name, flags, values) => {
    // A word that is none is refused, and the refusal names the same words.
    const option = flags.split(/[, ]+/).find((word) => word.startsWith('--')) as string
    const others = otherWords[`${name} ${option}`] ?? otherWords[name] ?? []
    const errors: string[] = []
    for (const more of [[], ...(modes[`${name} ${option}`] ?? [])]) {
      const { stderr, exit } = await runProgram([name, option, 'x-y', ...others, ...more], work)
      expect(exit).toBe(2)
      errors.push(stderr)
    }
    for (const value of values) expect(errors.join('')).toContain(`\`${value}\``)
  })
})

/** Whether there is such a program here. */
function has(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined
}

describe('completions', () => {
  /** Words that bash offers for a line, the last word of which is being written. */
  const offered = (...words: readonly string[]) => {
    const script = `${completionScript('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _grantwise; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr, status } = spawnSync('bash', ['-c', script, 'bash', ...words], { cwd: work, encoding: 'utf8' })
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
    return stdout.split('\n').slice(0, -1)
  }

  test.each([
    [['li'], ['lint']],
    [['lint', '--fail'], ['--fail-on']],
    [['lint', '--fail-on', 'e'], ['error']],
    [['lint', '--fail-on', '=', 'e'], ['error']],
    [['lint', '--rule', 'unknown-act'], ['unknown-action=']],
    [['lint', '--format', 's'], ['sarif']],
    [['rules', 'unknown-act'], ['unknown-action']],
    [['help', 'expa'], ['expand']],
    [['init', '--hook', 'hu'], ['husky']],
    [['completions', 'z'], ['zsh']],
    [['lint', 'a f'], ['a file.json']],
    [['lint', '--config', 'a'], ['a file.json']],
    [['nothing', 'a'], ['']],
  ])('%j: %j', (words, expected) => {
    writeFileSync(join(work, 'a file.json'), '')
    expect(offered('grantwise', ...words)).toEqual(expected)
  })

  /** Words that fish offers, without the descriptions. */
  const offeredByFish = (line: string) => {
    const { stdout, stderr, status } = spawnSync('fish', ['--no-config', '-c', 'source grantwise.fish; complete -C $argv[1]', line], {
      cwd: work,
      encoding: 'utf8',
      env: { ...process.env, HOME: work },
    })
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
    return stdout
      .split('\n')
      .slice(0, -1)
      .map((each) => each.split('\t')[0])
  }
  const inFish: readonly (readonly [string, readonly string[]])[] = [
    ['grantwise li', ['lint']],
    ['grantwise --vers', ['--version']],
    ['grantwise lint --fail', ['--fail-on']],
    ['grantwise lint --fail-on e', ['error']],
    ['grantwise lint --fail-on=e', ['--fail-on=error']],
    ['grantwise --no-color lint --fail', ['--fail-on']],
    ['grantwise lint can --bat', []],
    ['grantwise lint --rule unknown-act', ['unknown-action=']],
    ['grantwise rules unknown-act', ['unknown-action']],
    ['grantwise help expa', ['expand']],
    ['grantwise init --hook hu', ['husky']],
    ['grantwise completions z', ['zsh']],
    ['grantwise lint --config a', ['a file.json']],
  ]
  test('as fish takes them, where there is one', () => {
    if (!has('fish')) return
    writeFileSync(join(work, 'a file.json'), '')
    writeFileSync(join(work, 'grantwise.fish'), completionScript('fish'))
    for (const [line, expected] of inFish) expect({ line, offered: offeredByFish(line) }).toEqual({ line, offered: expected })
  })

  /** Words that zsh would offer: its completion system is replaced, and what it would offer is printed. */
  const offeredByZsh = (line: string) => {
    const setup = `
compdef() { : }
_describe() { local entry; for entry in "\${(@P)2}"; do entry="\${entry%%:*}"; [[ "$entry" == "$PREFIX"* ]] && print -r -- "$entry"; done; return 0 }
compadd() { while [[ "$1" != -- ]]; do shift; done; shift; local word; for word; do [[ "$word" == "$PREFIX"* ]] && print -r -- "$word"; done; return 0 }
compset() { PREFIX="\${PREFIX#*=}" }
_files() { print -r -- FILES }
source ./_grantwise
words=("\${(@s: :)1}"); CURRENT=\${#words}; PREFIX="$words[CURRENT]"
_grantwise
`
    const { stdout, stderr, status } = spawnSync('zsh', ['-f', '-c', setup, 'zsh', line], { cwd: work, encoding: 'utf8' })
    expect({ line, stderr, status }).toEqual({ line, stderr: '', status: 0 })
    return stdout.split('\n').slice(0, -1)
  }
  test('as zsh takes them, where there is one', () => {
    if (!has('zsh')) return
    writeFileSync(join(work, '_grantwise'), completionScript('zsh'))
    for (const [line, expected] of inFish) {
      // The files are for its own function to find, and the name of an option is not offered again with its value.
      const offered = line.includes('--config')
        ? ['FILES']
        : line.includes('lint can')
          ? []
          : expected.map((each) => each.replace(/^--fail-on=/, ''))
      if (!line.includes('--no-color')) expect({ line, offered: offeredByZsh(line) }).toEqual({ line, offered })
    }
  })

  test('for zsh and fish look at the command, the option before the word, and the value within it', () => {
    const [zsh, fish] = [completionScript('zsh'), completionScript('fish')]
    expect(zsh).toMatch(/^#compdef grantwise\n/)
    expect(zsh).toContain('--fail-on) compadd -- error warning info never; return ;;')
    expect(zsh).toContain(`%%=*}"; compset -P 1 '*='`)
    expect(fish).toContain("complete -c grantwise -n '__grantwise_command lint' -l fail-on -x -a 'error warning info never' ")
    expect(fish).not.toContain('__fish_seen_subcommand_from')
  })

  test.each(['bash', 'zsh', 'fish', 'powershell'] as const)('for %s name every command and every option', (shell) => {
    const script = completionScript(shell)
    for (const { name, options } of commands) {
      expect(script).toContain(name)
      for (const { flags } of options) {
        const long = /--([\w-]+)/.exec(flags)?.[1] as string
        expect(script).toContain(shell === 'fish' ? `-l ${long} ` : `--${long}`)
      }
    }
  })

  test('for zsh and fish have their quotes in pairs', () => {
    for (const line of completionScript('fish').split('\n')) expect(line.replace(/\\['\\]/g, '').split("'").length % 2).toBe(1)
    for (const line of completionScript('zsh').split('\n')) expect(line.replaceAll("'\\''", '').split("'").length % 2).toBe(1)
  })

  test('for PowerShell nest their brackets, and hold texts as they are in quotes that end', () => {
    const script = completionScript('powershell').replace(/^ *#.*$/gm, '')
    const strings = [...script.matchAll(/'(?:[^']|'')*'|"[^"]*"/g)].map(([text]) => text)
    for (const text of strings) expect(text).not.toContain('\n')
    for (const { summary } of commands) expect(strings).toContain(`'${summary.replaceAll("'", "''")}'`)
    const open: string[] = []
    const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }
    for (const sign of script.replace(/'(?:[^']|'')*'|"[^"]*"/g, '').replace(/[^()[\]{}]/g, '')) {
      if (sign in pairs) expect(open.pop()).toBe(pairs[sign])
      else open.push(sign)
    }
    expect(open).toEqual([])
    expect(script.replace(/'(?:[^']|'')*'/g, '')).not.toContain("'")
  })

  test('as the program prints them', async () => {
    expect(await runProgram(['completions', 'zsh'], work)).toEqual({ stdout: completionScript('zsh'), stderr: '', exit: 0 })
    const { stderr, exit } = await runProgram(['completions', 'zhs'], work)
    expect({ stderr, exit }).toEqual({
      stderr: 'grantwise: completions `zhs`: expected one of `bash`, `zsh`, `fish`, `powershell`\n  help: did you mean `zsh`?\n',
      exit: 2,
    })
  })
})
