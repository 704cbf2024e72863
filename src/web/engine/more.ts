// The asset for what edits, lists and few texts need: differences, fixes, suggestions, patches, texts of `who` and `what`, YAML, shapes, catalogues.
import { readYaml as readAnyYaml } from '../../parser/yaml.ts'
import { readPlainYaml } from '../../parser/yaml-plain.ts'
import type { Source } from '../../source.ts'

export { loadOperations } from '../../actions/operations.ts'
export { catalogueOfRecord, readRecord } from '../../actions/record.ts'
export { changeWords } from '../../ask/changes.ts'
export { answerJson, answerText } from '../../ask/forms.ts'
export { diff } from '../../diff/diff.ts'
export { fixTexts } from '../../lint/fix.ts'
export { fixFiles } from '../../lint/fix-files.ts'
export { shapeProblems } from '../../parser/shape.ts'
export { suggest } from '../../propose/suggest.ts'
export { unifiedDiff } from '../../report/diff.ts'
export { differenceJson, differenceText } from '../../report/difference.ts'
export { suggestJson, suggestText } from '../../report/suggest.ts'

export const readYaml = (source: Source) => readPlainYaml(source) ?? readAnyYaml(source)
