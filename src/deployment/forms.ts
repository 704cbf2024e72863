import { treeOf } from '../parser/tree.ts'
import { sourceOf } from '../source.ts'
import { plainValue } from '../tree.ts'
import { essenceOf } from './essence.ts'
import type { Policies } from './facts.ts'
import { isKustomization, isObject, languageOf } from './kinds.ts'
import { isRecord } from './records.ts'
import { isPolicyTest } from './tests.ts'
import { mentionsAccess } from './words.ts'

/** Recognition of the purpose of a file by its path, its top-level keys, and the commands in it. */

/** Objects of Kubernetes that hold values for others, or say who reaches whom. */
const holdsValues =
  /^[ \t\ufeff]*"?kind"?:\s*"?(?:ConfigMap|(?:\w*[a-z])?Secrets?|SecretProviderClass|OnePasswordItem|HCPVaultSecretsApp|SecretClaim|NetworkPolicy|ResourceQuota|Namespace)\b|\btype"?:\s*"?ExternalName\b/m

/** A container with a tool by which objects of a cluster are changed: its commands may be worked out, or come from elsewhere. */
const runsTool =
  /\bimage"?:\s*["']?\S{0,500}(?:kubectl|\bk8s\b|\bhelm\b|helmfile|kustomize|argocd|flux-cli|crossplane|openshift\S*cli|oc-cli|\btools?\b)|\b(?:kubectl|helmfile|kustomize|argocd|crossplane)\b/

/** Known forms of files: top-level keys, and a key that each value under the first has. */
const forms: readonly { readonly keys: readonly string[]; readonly each?: RegExp }[] = [
  { keys: ['groups'], each: /^rules$/ },
  { keys: ['scrape_configs'] },
  { keys: ['route', 'receivers'] },
  { keys: ['services'], each: /^(?:image|build|extends)$/ },
  { keys: ['openapi', 'paths'] },
  { keys: ['openapi', 'info'] },
  { keys: ['swagger', 'paths'] },
  { keys: ['panels', 'title'] },
  { keys: ['$schema', 'properties'] },
]

const hasForm = (value: Readonly<Record<string, unknown>>, { keys, each }: (typeof forms)[number]): boolean =>
  keys.every((key) => key in value) &&
  (each === undefined ||
    Object.values(value[keys[0] as string] ?? {}).every((item) => isRecord(item) && Object.keys(item).some((key) => each.test(key))))

/** Whether a file has policy tests, is an object of Kubernetes that holds no values, or has a form that is known and no words of access. */
export async function isOfKnownForm(path: string, text: string, { inManifests, brand }: Policies): Promise<boolean> {
  if (await isPolicyTest(path, text, brand)) return true
  // The effect of these on policies is known.
  if (/(?:^|\/)Pulumi(?:\.[\w-]+)?\.ya?ml$/.test(path)) return true
  if (inManifests && isKustomization(path)) return true
  if (!/\.(?:ya?ml|json)$/.test(path) || mentionsAccess(text)) return false
  if (isObject(text)) return !holdsValues.test(text) && !(inManifests && runsTool.test(text))
  const { documents, refused } = await treeOf(sourceOf(path, text))
  if (refused || documents.length !== 1) return false
  const value = documents[0] && plainValue(documents[0])
  return isRecord(value) && forms.some((form) => hasForm(value, form))
}

/** Components of web pages: what deploys imports none. */
const component = /\.(?:[jt]sx|vue|svelte|astro)$/

/** Components that run on a server: pages, layouts and routes of frameworks by their folders, and those that say so. */
const served =
  /(?:^|\/)app\/(?:[^/]+\/)*(?:page|layout|route|template|default|root|entry\.server)\.(?:[jt]sx|vue|svelte|astro)$|(?:^|\/)(?:routes|pages|server|layouts)\/[^\n]+\.(?:[jt]sx|vue|svelte|astro)$/

export const isServed = (path: string, text: string): boolean => served.test(path) || /^[ \t\ufeff]*["']use server["']/m.test(text)

const translations = /(?:^|\/)(?:locales?|i18n|l10n|translations)\/[\w./-]+\.(?:json|ya?ml|properties|strings|po)$/

/** Commands of scripts that build, check or test, and those around them. */
const building =
  /^(?:set|echo|printf|cd|mkdir|exit|true|time|export\s+[A-Z_]+=[\w./:-]*$|cc|gcc|g\+\+|clang|cmake|ninja|go\s+(?:build|test|vet|fmt|generate)|cargo\s+(?:build|test|fmt|clippy|check)|(?:npm|yarn|pnpm|bun)\s+(?:ci|i|install|test|lint|run\s+(?:lint|test|build|format|docs))|npx\s+(?:eslint|prettier|tsc|jest|vitest|vite)|tsc|vite|eslint|prettier|pytest|ruff|mypy|black|flake8|(?:python3?\s+-m\s+)?(?:pytest|unittest|build)|docker\s+(?:buildx\s+)?(?:build|push|tag|login)|docker(?:-|\s+)compose\s+(?:-f\s+\S+\s+)?(?:up|down|build|pull|logs|ps|restart|stop|wait)|(?:exec\s+)?python3?\s+-m\s+(?:venv|http\.server|[\w.]*server)|npm\s+--prefix\s+\S+\s+(?:ci|install|run\s+(?:dev|start|build|test))|(?:npm|yarn|pnpm|bun)\s+(?:run\s+)?(?:dev|start)|flask\s+run|uvicorn|gunicorn|(?:bin\/)?rails\s+s(?:erver)?|php\s+artisan\s+serve|dotnet\s+watch|next\s+dev|tsx\s+watch|air|caddy|for\s|(?:psql|mysql|sqlite3|redis-cli|mongosh|createdb|dropdb|pg_restore)|docker(?:-|\s+)compose\s+(?:-f\s+\S+\s+)?exec\s+(?:-\S+\s+)*\w+\s+(?:psql|mysql|sqlite3|redis-cli|mongosh)|sleep|wait|kill|trap\s+["']?(?:docker\s+(?:rm|stop|compose)|kill)|docker\s+(?:rm|stop|start|logs|ps)|docker\s+run\s(?:[^\n]*\s)?(?:postgres|mysql|mariadb|redis|mongo|rabbitmq|mailpit|minio|localstack)[\w/:.-]*$|pip3?\s+install|source\s+\S*venv\S*|\.\s+\S*venv\S*|\.?\/?(?:mvnw?|gradlew?)\s+(?:-\S+\s+)*(?:test|build|package|verify|check|assemble)|dotnet\s+(?:build|test)|shellcheck|yamllint|hadolint|fi|done)\b/

/** Whether a script does nothing but build, check, test, and start what a developer needs. */
export function onlyBuilds(path: string, text: string): boolean {
  if (languageOf(path, text) !== 'shell' || !/\.(?:sh|bash)$|^#!/.test(path.match(/\.\w+$/)?.[0] ?? text) || mentionsAccess(text))
    return false
  const commands = essenceOf(text)
    .replace(/\$\((?:seq|date|pwd|dirname)[^()`]*\)/g, '')
    .split(/\n|&&|\|\||;/)
    .map((line) =>
      line
        .trim()
        .replace(/^\(+\s*/, '')
        .replace(/^(?:(?:if|then|else|elif|do|while|until|time|!)(?:\s+|$))+/, '')
        .replace(/(?<![)\s])\)*\s*&?$/, ''),
    )
    .filter((line) => line !== '' && !line.startsWith('#'))
  return commands.every((line) => building.test(line) && !/>(?!\s*\/dev\/null|&)|\$\(|`/.test(line))
}

/** Whether a file is a component of a web page, or has translations. */
export const isOfPages = (path: string): boolean => component.test(path) || isOfTranslations(path)

export const isOfTranslations = (path: string): boolean => translations.test(path)
