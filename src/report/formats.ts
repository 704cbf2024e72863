import { agentReport } from './agent.ts'
import { azureReport } from './azure.ts'
import { checkstyleReport } from './checkstyle.ts'
import { githubReport } from './github.ts'
import { gitlabReport } from './gitlab.ts'
import { junitReport } from './junit.ts'
import type { LintReport } from './lint.ts'
import { markdownReport } from './markdown.ts'
import { rdjsonlReport, rdjsonReport } from './rdjson.ts'
import { sarifReport } from './sarif.ts'

/** The formats for build servers, reviewers and programs, by name: in one place, to be loaded when one is asked for. */
export const formats = {
  sarif: sarifReport,
  github: githubReport,
  gitlab: gitlabReport,
  junit: junitReport,
  checkstyle: checkstyleReport,
  markdown: markdownReport,
  agent: agentReport,
  azure: azureReport,
  rdjson: rdjsonReport,
  rdjsonl: rdjsonlReport,
} as const satisfies Readonly<Record<string, (report: LintReport) => string>>
