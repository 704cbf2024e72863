import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The bill of materials of the bundles (CycloneDX 1.6): every package that files of them are from, with version, licence and the
 * digest that the lockfile has. Nothing in it depends on when or where it was made.
 */
export function billOfMaterials(root, inputs) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const components = packageFolders(inputs).map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    const [algorithm, digest] = packages[folder]?.integrity?.split(/-(.*)/s) ?? []
    if (algorithm !== 'sha512') throw new Error(`${folder} is not in the lockfile with a SHA-512 digest`)
    return {
      type: 'library',
      'bom-ref': purl(name, version),
      name,
      version,
      purl: purl(name, version),
      hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
      licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }],
    }
  })
  const own = {
    type: 'application',
    'bom-ref': purl(name, version),
    name,
    version,
    purl: purl(name, version),
    licenses: [{ license: { id: license } }],
  }
  const dependsOn = components.map((each) => each['bom-ref'])
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: own },
    components,
    dependencies: [{ ref: own['bom-ref'], dependsOn }],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** The folders of the packages that files are from, as the lockfile has them, sorted. */
export function packageFolders(inputs) {
  const folders = inputs.map((input) => /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(input)?.[1])
  return [...new Set(folders.filter(Boolean))].sort()
}

function purl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}
