import { type CodeLanguage, codeLanguages } from '../../src/code/languages.ts'
import { pick, type Random } from './worlds.ts'

/** Programs in each language that make given calls, in many ways of writing the same. */

/** A part of a path: what is written, or the name of a variable. */
export type PathPart = string | { readonly variable: string }

export interface MadeCall {
  readonly method: string
  readonly parts: readonly PathPart[]
}

export const programNames: Readonly<Record<CodeLanguage, string>> = {
  JavaScript: 'a.mjs',
  TypeScript: 'a.ts',
  Python: 'a.py',
  Go: 'a.go',
  PHP: 'a.php',
  shell: 'a.sh',
}
export const programLanguages = codeLanguages

/** How a language writes strings and calls. */
interface Writer {
  readonly head: readonly string[]
  /** Functions that hand on what they are given: each is written only where it is called, by the text of such a call. */
  readonly helpers: readonly (readonly [call: string, ...lines: string[]])[]
  /** The beginning of the function that makes the calls. */
  readonly start: readonly string[]
  readonly foot: readonly string[]
  readonly quote: (text: string) => string
  /** Ways of writing a path; `text` is for constants as well. */
  readonly paths: readonly ((parts: readonly PathPart[]) => string)[]
  /** Lines that make a call; `name` is not used elsewhere. */
  readonly calls: readonly ((method: string, path: string, name: string) => readonly string[])[]
  /** Lines that call nothing, whatever they look like. */
  readonly noise: readonly string[]
}

const isText = (part: PathPart): part is string => typeof part === 'string'
const joined = (parts: readonly PathPart[], text: (text: string) => string, variable: (name: string) => string, sign: string) =>
  parts.map((part) => (isText(part) ? text(part) : variable(part.variable))).join(sign)
const percent = (parts: readonly PathPart[]) => parts.map((part) => (isText(part) ? part.replaceAll('%', '%%') : '%s')).join('')
const variables = (parts: readonly PathPart[]) => parts.flatMap((part) => (isText(part) ? [] : [part.variable]))
const lower = (method: string) => method.toLowerCase()
const capital = (method: string) => method.charAt(0) + method.slice(1).toLowerCase()

function script(type: string): Writer {
  const quote = (text: string) => `'${text}'`
  const template = (parts: readonly PathPart[], put = (name: string) => name) =>
    `\`${joined(
      parts,
      (text) => text,
      (name) => `\${${put(name)}}`,
      '',
    )}\``
  return {
    head: ["import svc from 'svc'", 'const client = svc({})'],
    helpers: [
      [' get(', `const get = (path${type}) => send('GET', path)`],
      [' send(', `async function send(method${type}, path${type}) { return client.requestPromised(method, path, {}) }`],
    ],
    start: [`export async function run(name${type}, id${type}, kind${type}) {`],
    foot: ['}'],
    quote,
    paths: [
      (parts) => joined(parts, quote, (name) => name, ' + '),
      (parts) =>
        joined(
          parts,
          (text) => `"${text}"`,
          (name) => `encodeURIComponent(${name})`,
          '\n    + ',
        ),
      (parts) => template(parts),
      (parts) => template(parts, (name) => `encodeURIComponent(String(${name}))`),
    ],
    calls: [
      (method, path) => [`await client.requestPromised('${method}', ${path})`],
      (method, path) => ['client.request(', `  "${method}",`, `  ${path},`, '  (error, result) => console.log(error, result))'],
      (method, path) => [`for (const each of await client.${lower(method)}(${path})) console.log(each)`],
      (method, path) => [`await send('${method}', ${path})`],
      (method, path) => (method === 'GET' ? [`await get(${path})`] : [`await send('${method}', ${path})`]),
      (method, path, name) => [`let ${name} = ${path}`, `if (kind) ${name} += '?kind=' + kind`, `await client.${lower(method)}(${name})`],
      (method, path, name) => [`const ${name} = { way: '${method}', path: ${path} }`, `client.request(${name}.way, ${name}.path)`],
    ],
    noise: [
      "// client.get('/me/bill')",
      "/* client.request('DELETE', '/vps/a') */",
      `console.log("client.get('/me')")`,
      "const half = id.length / 2, tenth = /['/]me/.test(id)",
      "settings.get('kind')",
    ],
  }
}

const writers: Readonly<Record<CodeLanguage, Writer>> = {
  JavaScript: script(''),
  TypeScript: script(': string'),
  Python: {
    head: ['import svc', 'from urllib.parse import quote', 'client = svc.Client()'],
    helpers: [
      [
        'send(',
        'def send(method, path):',
        '    """client.get("/me/bill") is an example"""',
        '    return client.call(method, path, None, True)',
      ],
    ],
    start: ['def run(name, id, kind):'],
    foot: [],
    quote: (text) => `'${text}'`,
    paths: [
      (parts) =>
        joined(
          parts,
          (text) => `"${text}"`,
          (name) => name,
          ' + ',
        ),
      (parts) =>
        `f'${joined(
          parts,
          (text) => text,
          (name) => `{${name}}`,
          '',
        )}'`,
      (parts) => (variables(parts).length === 0 ? `"${parts.join('')}"` : `'${percent(parts)}' % (${variables(parts).join(', ')},)`),
      (parts) =>
        `"${joined(
          parts,
          (text) => text,
          () => '{}',
          '',
        )}".format(${variables(parts).join(', ')})`,
      (parts) =>
        `"${joined(
          parts,
          (text) => text,
          (name) => `{${name}}`,
          '',
        )}".format(${variables(parts)
          .map((name) => `${name}=${name}`)
          .join(', ')})`,
    ],
    calls: [
      (method, path) => [`client.${lower(method)}(${path}, kind=kind)`],
      (method, path) => ['client.call(', `    "${method}",`, `    ${path})`],
      (method, path) => [`send('${method}', ${path})`],
      (method, path, name) => [`${name} = ${path}`, 'for each in kind:', `    client.${lower(method)}(${name})`],
      (method, path) => [`print([x for x in client.${lower(method)}(${path})])`],
    ],
    noise: ['# client.get("/me")', `print("client.post('/me/bill')")`, "''' client.get('/vps') '''", 'kind.get("kind")'],
  },
  Go: {
    head: ['package main', 'import (', '\t"context"', '\t"fmt"', '\t"net/url"', '\t"github.com/svc/go-svc/svc"', ')'],
    helpers: [['send(', 'func send(c *svc.Client, method, path string) error { return c.CallAPI(method, path, nil, nil, true) }']],
    start: ['func run(ctx context.Context, client *svc.Client, name, id, kind string) {'],
    foot: ['}'],
    quote: (text) => `"${text}"`,
    paths: [
      (parts) =>
        joined(
          parts,
          (text) => `"${text}"`,
          (name) => name,
          ' + ',
        ),
      (parts) =>
        joined(
          parts,
          (text) => `\`${text}\``,
          (name) => `url.PathEscape(${name})`,
          '+',
        ),
      (parts) => `fmt.Sprintf(${[`"${percent(parts)}"`, ...variables(parts).map((name) => `url.PathEscape(${name})`)].join(', ')})`,
    ],
    calls: [
      (method, path) => [`if err := client.${capital(method)}(${path}, nil); err != nil {`, '\treturn', '}'],
      (method, path) => [`_ = client.${capital(method)}WithContext(ctx, ${path}, nil)`],
      (method, path) => [`_ = send(client, "${method}", ${path})`],
      (method, path, name) => [
        `${name} := ${path}`,
        'if kind != "" {',
        `\t${name} = fmt.Sprintf("%s?kind=%s", ${name}, kind)`,
        '}',
        `_ = client.${capital(method)}(${name}, nil)`,
      ],
    ],
    noise: ['// client.Get("/me", nil)', 'fmt.Println("client.Get(\\"/me\\")", `/vps`)', "_ = '\"'"],
  },
  PHP: {
    head: ["<p>Don't $client->get('/me')</p>", '<?php', 'use Svc\\Api;'],
    helpers: [['send(', 'function send(Api $client, string $method, string $path) { return $client->rawCall($method, $path); }']],
    start: ['function run(Api $client, $name, $id, $kind) {'],
    foot: ['}'],
    quote: (text) => `'${text}'`,
    paths: [
      (parts) =>
        joined(
          parts,
          (text) => `'${text}'`,
          (name) => `$${name}`,
          ' . ',
        ),
      (parts) =>
        joined(
          parts,
          (text) => `'${text}'`,
          (name) => `rawurlencode($${name})`,
          '.',
        ),
      (parts) =>
        `"${joined(
          parts,
          (text) => text,
          (name) => `{$${name}}`,
          '',
        )}"`,
      (parts) =>
        `"${joined(
          parts,
          (text) => text,
          (name) => `$${name}`,
          '',
        )}"`,
      (parts) => `sprintf(${[`'${percent(parts)}'`, ...variables(parts).map((name) => `$${name}`)].join(', ')})`,
    ],
    calls: [
      (method, path) => [`$client->${lower(method)}(${path});`],
      (method, path) => [`foreach ($client->${lower(method)}(${path}, ['kind' => $kind]) as $each) { echo $each; }`],
      (method, path) => [`send($client, '${method}', ${path});`],
      (method, path, name) => [`$${name} = ${path};`, `$client->rawCall('${method}', $${name});`],
    ],
    noise: ["# $client->get('/me');", "// it's $client->get('/me')", `echo "\\$client->get('/me')";`, '/* "/vps" */'],
  },
  shell: {
    head: ['#!/bin/sh', 'API=https://eu.api.svc.example/v1', 'name=$1; id=$2; kind=$3'],
    helpers: [['send ', 'send() {', '  curl -sS -X "$1" -H "X: $TOKEN" "https://eu.api.svc.example$2"', '}']],
    start: [],
    foot: [],
    quote: (text) => `'${text}'`,
    paths: [
      (parts) =>
        joined(
          parts,
          (text) => text,
          (name) => `\${${name}}`,
          '',
        ),
      (parts) =>
        joined(
          parts,
          (text) => text,
          (name) => `"$${name}"`,
          '',
        ),
    ],
    calls: [
      (method, path) => [`curl -sS -X ${method} $API${path}`],
      (method, path) => [`curl --silent --request ${method} \\`, `  --url "https://eu.api.svc.example/v1"${path} | jq .`],
      (method, path) => [method === 'POST' ? `curl -d '{}' "$API"${path}` : `curl -X${method} "$API"${path}`],
      (method, path) => [`send ${method} /v1${path}`],
      (method, path, name) => [`${name}=$API${path}`, `if curl -o /dev/null -X "${method}" "$${name}"; then echo "$name"; fi`],
    ],
    noise: ['# curl "$API/me"', `echo 'curl "$API/me"'`, 'curl -fsSL https://get.example.org/me'],
  },
}

/** A program that makes calls, and nothing else. Its variables are `name` and `id`. */
export function programOf(language: CodeLanguage, calls: readonly MadeCall[], random: Random): string {
  const { head, helpers, start, foot, quote, paths, calls: ways, noise } = writers[language]
  const indent = language === 'shell' ? '' : '    '
  const lines = calls.flatMap(({ method, parts }, i) => {
    // The address of the shell has a branch already.
    const written = language === 'shell' ? withoutBranch(parts) : parts
    const way = pick(random, ways)
    const path = pick(random, paths)(written)
    const constant = language === 'shell' || written.length > 1 || random() < 0.7 ? undefined : quote(written[0] as string)
    const name = `at${i}`
    const made =
      constant === undefined
        ? way(method, path, name)
        : [...assigned(language, `fix${i}`, constant), ...way(method, language === 'PHP' ? `$fix${i}` : `fix${i}`, name)]
    return random() < 0.4 ? [pick(random, noise), ...made] : made
  })
  const body = [...lines.flatMap((line) => line.split('\n')).map((line) => `${indent}${line}`)]
  const used: string[] = []
  for (const [call, ...own] of helpers) if ([...body, ...used].some((line) => line.includes(call))) used.unshift(...own)
  return [...head, ...used, ...start, ...body, ...foot, ''].join('\n')
}

function assigned(language: CodeLanguage, name: string, value: string): readonly string[] {
  if (language === 'Go') return [`${name} := ${value}`]
  if (language === 'PHP') return [`$${name} = ${value};`]
  return [`${language === 'Python' ? '' : 'const '}${name} = ${value}`]
}

/** Calls of scripts are of `/v1` by their address: other branches are not written in them. */
export const isWritable = (language: CodeLanguage, path: string): boolean => language !== 'shell' || !path.startsWith('/v2/')

function withoutBranch(parts: readonly PathPart[]): readonly PathPart[] {
  const [first, ...rest] = parts
  return isText(first ?? '') ? [String(first).replace(/^\/v1(?=\/)/, ''), ...rest] : parts
}
