import type { Element } from './xml.ts'

interface Kind {
  readonly required: readonly string[]
  readonly optional: readonly string[]
  readonly children: readonly string[]
}

const result: Kind = { required: [], optional: ['type', 'message'], children: [] }
const output: Kind = { required: [], optional: [], children: [] }

/** The attributes and children that the schema of build servers for reports (`junit-10.xsd`) allows for each element. */
const kinds: Readonly<Record<string, Kind>> = {
  testsuites: { required: [], optional: ['name', 'time', 'tests', 'failures', 'errors'], children: ['testsuite'] },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'],
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
  },
  testcase: {
    required: ['name'],
    optional: ['time', 'classname', 'group'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  properties: { required: [], optional: [], children: ['property'] },
  property: { required: ['name', 'value'], optional: [], children: [] },
  failure: result,
  error: result,
  skipped: result,
  'system-out': output,
  'system-err': output,
}

/** Where a report is not what that schema takes. */
export function junitFaults(root: Element): readonly string[] {
  const faults = root.name === 'testsuites' || root.name === 'testsuite' ? [] : [`${root.name} is no root`]
  const open = [root]
  for (let element = open.pop(); element; element = open.pop()) {
    const { name, attributes, children } = element
    const kind = kinds[name]
    if (!kind) {
      faults.push(`${name} is unknown`)
      continue
    }
    const given = Object.keys(attributes)
    faults.push(...kind.required.filter((each) => !given.includes(each)).map((each) => `${name} has no ${each}`))
    faults.push(...given.filter((each) => ![...kind.required, ...kind.optional].includes(each)).map((each) => `${name} has ${each}`))
    faults.push(...children.filter((each) => !kind.children.includes(each.name)).map((each) => `${name} holds ${each.name}`))
    const { time } = attributes
    if (time !== undefined && name !== 'testcase' && !/^[0-9]*(\.[0-9]*)?$/.test(time)) faults.push(`${name} takes ${time}`)
    open.push(...children)
  }
  return faults
}
