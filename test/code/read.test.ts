import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { loadOperations } from '../../src/actions/operations.ts'
import { routesOf } from '../../src/calls/match.ts'
import { codeLanguageOf, codeLanguages } from '../../src/code/languages.ts'
import { Operations } from '../../src/code/lookup.ts'
import { placeOf, readCode } from '../../src/code/read.ts'
import { sourceOf } from '../../src/source.ts'
import { effort } from '../support/effort.ts'
import { programNames } from '../support/programs.ts'
import { pick, randomOf } from '../support/worlds.ts'

const operations = new Operations(routesOf(loadOperations()), loadCatalogue())

function read(files: Readonly<Record<string, string>>) {
  const sources = Object.entries(files).map(([path, text]) => {
    const language = codeLanguageOf(path)
    if (!language) throw new Error(`no language of ${path}`)
    return { source: sourceOf(path, text, 'json'), language }
  })
  const { calls, gaps, others } = readCode(sources, operations, 'svc')
  return {
    calls: calls.map(({ at, shown }) => `${placeOf(at)} ${shown}`),
    gaps: gaps.map(({ at, shown, why }) => `${placeOf(at)} ${shown}: ${why}`),
    others: others.map(({ at, shown }) => `${placeOf(at)} ${shown}`),
  }
}

test('functions that hand on a path are known in other files', () => {
  expect(
    read({
      'lib/api.ts':
        "import svc from 'svc'\nexport const callSvc = (method: string, path: string) => svc().requestPromised(method, `/cloud${path}`)\n",
      'a.ts': "import { callSvc } from './lib/api'\nawait callSvc('GET', '/project')\nawait callSvc('POST', process.argv[2]!)\n",
      'b.py': "callSvc('GET', '/project')\n",
    }),
  ).toEqual({
    calls: ['a.ts:2:7 GET /cloud/project'],
    gaps: ['a.ts:3:7 POST /cloud{argv}: {argv} may be several words of the path, or none'],
    others: ['b.py:1:1 GET /project'],
  })
})

test('a function with a name that many have does not take the calls of clients and of other objects', () => {
  const wrapper = "const client = require('svc')()\nconst get = (path) => client.get('/me' + path)\n"
  expect(read({ 'a.js': `${wrapper}get('/bill')\nclient.get('/vps')\nsettings.get('/bill')\n` })).toEqual({
    calls: ['a.js:3:1 GET /me/bill', 'a.js:4:8 GET /vps'],
    gaps: [],
    others: ['a.js:5:10 GET /bill'],
  })
})

test('a function that nothing calls is not known, and one that a client of anything makes is none', () => {
  expect(
    read({
      'a.js': "const svc = require('svc')\nfunction one(path) { return svc().get(path) }\nfunction two(key) { return cache.get(key) }\n",
    }).gaps,
  ).toEqual(['a.js:2:35 GET {path}: `one` hands it on, and no call of it with a path was found'])
})

test('clients of one file are clients in those that import them', () => {
  expect(
    read({
      'lib.py': 'import svc\n\ndef make():\n    return svc.Client()\n\nclient = make()\n\nclass Base(svc.Client):\n    pass\n',
      'main.py': 'import lib\nfrom lib import client, make, Base\nclient.get(ME)\nmake().get(ME)\nBase().get(ME)\nlib.client.get(ME)\n',
      'other.py': "from cachetools import cached\nclient = Redis()\nclient.get(KEY)\nsettings.get('name')\n",
      'pkg/client.go':
        'package pkg\nimport "github.com/svc/go-svc/svc"\ntype API struct {\n\t*svc.Client\n}\nfunc NewAPI() *API {\n\tc, _ := svc.NewDefaultClient()\n\treturn &API{c}\n}\n',
      'pkg/main.go': 'package pkg\nfunc run() {\n\tapi := NewAPI()\n\tapi.Get(mePath, nil)\n}\n',
      'x/main.go': 'package x\nfunc run() {\n\tapi := NewAPI()\n\tapi.Get(key, nil)\n}\n',
      'a.ts': "import Svc from 'svc'\nexport const remote = Svc({})\n",
      'b.ts':
        "import { remote } from './a'\nremote.request('GET', ROUTES.me)\nconfig.svcClient.get(ROUTES.me)\nhandle.requestPromised('GET', ROUTES.me)\n",
    }),
  ).toEqual({
    calls: [],
    gaps: [
      'b.ts:2:8 GET {me}: {me} may be several words of the path, or none',
      'b.ts:3:18 GET {me}: {me} may be several words of the path, or none',
      'b.ts:4:8 GET {me}: {me} may be several words of the path, or none',
      'main.py:3:8 GET {ME}: {ME} may be several words of the path, or none',
      'main.py:4:8 GET {ME}: {ME} may be several words of the path, or none',
      'main.py:5:8 GET {ME}: {ME} may be several words of the path, or none',
      'main.py:6:12 GET {ME}: {ME} may be several words of the path, or none',
      'pkg/main.go:4:6 GET {mePath}: {mePath} may be several words of the path, or none',
    ],
    others: [],
  })
})

test('line ends, a byte order mark and a first line for the shell change nothing', () => {
  const text = "import svc\nclient = svc.Client()\nclient.get(\n    '/vps/%s'\n    % name)\n"
  const { calls } = read({ 'a.py': text })
  expect(calls).toEqual(['a.py:3:8 GET /vps/{name}'])
  expect(read({ 'a.py': text.replaceAll('\n', '\r\n') }).calls).toEqual(calls)
  expect(read({ 'a.py': `\ufeff${text}` }).calls).toHaveLength(1)
  expect(read({ 'a.py': `#!/usr/bin/python3\n${text}` }).calls).toEqual(['a.py:4:8 GET /vps/{name}'])
})

describe('values', () => {
  const known = (path: string) =>
    read({ 'a.js': `const svc = require('svc')()\nsvc.get(${path})\n` }).calls.map((call) => call.slice('a.js:2:5 GET '.length))
  test.each([
    ['`/vps/${name}`', ['/vps/{name}']],
    ["'/vps/' + name + '/ips?x=' + rest", ['/vps/{name}/ips']],
    ['`/vps/a-${name}`', ['/vps/a-{name}']],
    ['`/vps/${encodeURIComponent(a)}${encodeURIComponent(b)}`', ['/vps/{a}{b}']],
    ['`/vps/${a}${b}`', []],
    ['`/vps/${path}`', []],
    ['`/vps${rest}`', []],
    ['`/vps/${name}/${what}`', []],
    ["`/vps/${name}/${all ? 'ips' : 'disks'}`", ['/vps/{name}/disks', '/vps/{name}/ips']],
    ["x || '/vps'", ['/vps']],
    ['`${base}/cloud/project/${name}/kube`', ['{base}/cloud/project/{name}/kube']],
    ['`${base}/vps/${name}/disks`', []],
    ['`${base}/disks`', []],
    ["'/1.0/me'", ['/1.0/me']],
    ["'/v2/iam/policy'", ['/v2/iam/policy']],
    ["'/iam/policy'", []],
    ["'https://eu.api.svc.example/v1/me'", ['/v1/me']],
    ["'/me/'", ['/me/']],
    ["'/me//bill'", []],
    ["'/vps/:name'", ['/vps/:name']],
    ["'/vps/%zz'", []],
    ["'/vps/../me'", []],
    ["'me'", []],
  ])('%s', (path, expected) => {
    expect(known(path)).toEqual(expected)
  })
})

const fragments = [
  "client.get('/me')",
  'client.request("GET", ',
  "'/vps/' + name",
  '`/vps/${',
  '}`',
  'f"/vps/{name}"',
  '"""',
  "'''",
  '"',
  "'",
  '`',
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  '=>',
  '=',
  '+=',
  ' ? ',
  ' : ',
  ', ',
  ';',
  '\n',
  '\r\n',
  '    ',
  '<?php ',
  '?>',
  '<<<A\n',
  'A\n',
  '// ',
  '# ',
  '/* ',
  '*/',
  '/re[/]x/',
  '<b a={',
  '</b>',
  '$x',
  '->get(',
  'function f(a) ',
  'def f(a):',
  'func f(a string) ',
  'class A ',
  'const x = ',
  'return ',
  'if (x) ',
  'for x in y:',
  'switch (x) ',
  'case 1:',
  'fmt.Sprintf("/vps/%s", x)',
  '.format(x)',
  ' % x',
  'curl -X "$1" "$API/me"',
  'A=$A/me',
  '<<EOF\n',
  'EOF\n',
  '\\',
  '\u2028',
  '\ud800',
]

test('any text is read in any language, with places that are in it', () => {
  for (let seed = 0; seed < effort(8000, 320); seed++) {
    const random = randomOf(seed)
    const text = Array.from({ length: 1 + Math.floor(random() * 60) }, () => pick(random, fragments)).join(random() < 0.3 ? ' ' : '')
    for (const language of codeLanguages) {
      const source = sourceOf(programNames[language], text, 'json')
      const { calls, gaps, others } = readCode([{ source, language }], operations, 'svc')
      for (const { at } of [...calls, ...gaps, ...others]) {
        expect(at.start, text).toBeGreaterThanOrEqual(0)
        expect(at.end, text).toBeGreaterThanOrEqual(at.start)
        expect(at.end, text).toBeLessThanOrEqual(text.length)
      }
    }
  }
})

// Work that grows with the square of a text would not end here within the time of a test.
test.each([
  ['nested brackets', 'a.js', '('.repeat(4000)],
  ['nested templates', 'a.js', '`${'.repeat(4000)],
  ['nested strings', 'a.py', 'f"{'.repeat(4000)],
  ['nested functions', 'a.js', 'x=>'.repeat(4000)],
  ['regular expressions that do not end', 'a.js', '=/[('.repeat(4000)],
  ['elements that do not end', 'a.jsx', 'x=<a b={'.repeat(4000)],
  ['functions of a script that do not end', 'a.sh', 'f() {\n'.repeat(4000)],
  [
    'functions that hand on to each other',
    'a.js',
    `${Array.from({ length: 500 }, (_, i) => `function f${i}(p) { return f${i + 1}(p) }\n`).join('')}f0('/x')`,
  ],
])('%s hold no call', (_, path, text) => {
  expect(read({ [path]: `${text}\n'/x'` })).toEqual({ calls: [], gaps: [], others: [] })
})

test.each([
  ['a sum that never ends', 'a.js', `client.get(${'a+'.repeat(4000)}'/me')`, 0],
  ['a value that grows', 'a.sh', `${'A=$A$A\n'.repeat(2000)}curl "$A/me"`, 0],
  ['a value that is added to', 'a.js', `function f() { let p = '/me'; ${"p += '?a';".repeat(4000)} client.get(p) }`, 0],
  ['values of one name', 'a.js', `function f() { ${"x = '/me'; client.get(x);".repeat(1500)} }`, 1500],
  ['functions that return', 'a.go', `import "svc"\n${'func f() int { return 1 }\n'.repeat(15_000)}\nsvc.Get("/me")`, 1],
  ['classes', 'a.js', `const svc = require('svc')\n${'class A extends B { m() {} }\n'.repeat(4000)}\nsvc.get('/me')`, 1],
  ['functions of one name', 'a.js', `${"function p() { return '/me' }".repeat(1500)}${'client.get(p());'.repeat(1500)}`, 0],
  [
    'an object of many',
    'a.js',
    `const P = { ${Array.from({ length: 1500 }, (_, i) => `k${i}: '/me'`).join()} };${'client.get(P.k1499);'.repeat(1500)}`,
    1500,
  ],
])('%s is read as far as it is known', (_, path, text, calls) => {
  expect(read({ [path]: text }).calls).toHaveLength(calls)
})
