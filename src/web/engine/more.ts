// The asset for what few questions need: suggestions, patches, YAML beyond its plain form, shapes, catalogues that a page was given.
export { loadOperations } from '../../actions/operations.ts'
export { catalogueOfRecord, readRecord } from '../../actions/record.ts'
export { shapeProblems } from '../../parser/shape.ts'
export { readYaml } from '../../parser/yaml.ts'
export { suggest } from '../../propose/suggest.ts'
export { unifiedDiff } from '../../report/diff.ts'
export { suggestJson, suggestText } from '../../report/suggest.ts'
