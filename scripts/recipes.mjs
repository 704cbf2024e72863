// Writes the recipes by which package managers install a release, and the repository that pre-commit installs it from. Versions,
// addresses and checksums are those of package.json and of the archives.
// usage: node scripts/recipes.mjs ARCHIVES FOLDER [--release]      ARCHIVES: the folder with the archives of the executables
//                                                                  --release: refuse while the organisation is the placeholder
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publicationOf, releaseFault } from './publication.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const [archives, folder, ...flags] = process.argv.slice(2)

function refuse(message) {
  console.error(`recipes: ${message}`)
  process.exit(2)
}

if (folder === undefined || archives.startsWith('-') || folder.startsWith('-') || flags.some((flag) => flag !== '--release'))
  refuse('usage: node scripts/recipes.mjs ARCHIVES FOLDER [--release]')

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { name, version, license } = manifest
const publication = publicationOf(manifest)
const { web, organisation } = publication
const fault = flags.includes('--release') ? releaseFault(publication) : undefined
if (fault !== undefined) refuse(fault)
/** A line of at most 80 characters, as Homebrew wants it. */
const [summary] = manifest.description.split(':')

/** The archive of a platform: its name, its address in a version, and its checksum. */
function archiveOf(platform) {
  const file = `${name}-${platform}.${platform.startsWith('windows') ? 'zip' : 'tar.gz'}`
  const path = join(archives, file)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) refuse(`${path}: no such file: a release has an archive for ${platform}`)
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
  return { file, sha256, urlIn: (release) => `${web}/releases/download/v${release}/${file}` }
}

/** The formula of Homebrew, for a tap. */
function formula() {
  const of = (processor, platform) => {
    const { urlIn, sha256 } = archiveOf(platform)
    return `    ${processor} do\n      url "${urlIn(version)}"\n      sha256 "${sha256}"\n    end\n`
  }
  const on = (system, arm, intel) => `  ${system} do\n${of('on_arm', arm)}${of('on_intel', intel)}  end\n`
  return `class ${name[0].toUpperCase()}${name.slice(1)} < Formula
  desc "${summary}"
  homepage "${web}"
  version "${version}"
  license "${license}"

${on('on_macos', 'macos-arm64', 'macos-x64')}
${on('on_linux', 'linux-arm64', 'linux-x64')}
  def install
    bin.install "${name}"
    generate_completions_from_executable(bin/"${name}", "completions")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/${name} --version")
  end
end
`
}

/** The manifest of Scoop, for a bucket, which updates it to later releases by their checksums. */
function scoop() {
  const { urlIn, sha256 } = archiveOf('windows-x64')
  const later = { url: urlIn('$version'), hash: { url: '$baseurl/SHA256SUMS' } }
  const value = {
    version,
    description: summary,
    homepage: web,
    license,
    architecture: { '64bit': { url: urlIn(version), hash: sha256 } },
    bin: `${name}.exe`,
    checkver: { github: web },
    autoupdate: { architecture: { '64bit': later } },
  }
  return `${JSON.stringify(value, null, 4)}\n`
}

/** The settings of mise for a project: its backend for releases, with the checksums of this one. */
function mise() {
  const tool = `"github:${organisation}/${name}"`
  const platforms = ['linux-arm64', 'linux-x64', 'macos-arm64', 'macos-x64', 'windows-x64'].map((platform) => {
    const { file, sha256 } = archiveOf(platform)
    return `${platform} = { asset_pattern = "${file}", checksum = "sha256:${sha256}" }\n`
  })
  return `[tools.${tool}]\nversion = "${version}"\n\n[tools.${tool}.platforms]\n${platforms.join('')}`
}

/** The hooks of this repository, where the package is installed from the registry in place of being built. */
function hooks() {
  const own = readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')
  return own.replaceAll(/^( *)language: node$/gm, `$&\n$1additional_dependencies: ["${name}@${version}"]`)
}

/** The page of the repository with the hooks. */
function hooksPage() {
  return `# ${name} for pre-commit

The [hooks of ${name}](${web}) for [pre-commit](https://pre-commit.com). pre-commit installs the package of the release from the npm
registry, with nothing to build.

\`\`\`yaml
repos:
  - repo: ${web}-pre-commit
    rev: v${version}
    hooks:
      - id: ${name}
\`\`\`

[Hooks and pipelines](${publication.files}docs/integrations.md#git-hooks) describes the hooks. \`scripts/recipes.mjs\` of ${name} writes
this repository.
`
}

const files = {
  [`homebrew/Formula/${name}.rb`]: formula(),
  [`scoop/bucket/${name}.json`]: scoop(),
  'mise/mise.toml': mise(),
  'pre-commit/.pre-commit-hooks.yaml': hooks(),
  // pre-commit packs and installs it with the dependencies of the hooks; it has no files.
  'pre-commit/package.json': `${JSON.stringify({ name: `${name}-pre-commit`, version, private: true, license, files: [] }, null, 2)}\n`,
  'pre-commit/README.md': hooksPage(),
  'pre-commit/LICENSE': readFileSync(join(root, 'LICENSE'), 'utf8'),
}
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
process.stdout.write(`${Object.keys(files).join('\n')}\n`)
