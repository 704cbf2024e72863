// Writes the comment on a pull or merge request. All settings are variables of the environment:
//
//   GRANTWISE_TOKEN           a token that may comment; it is never printed
//   GRANTWISE_DIFF_MARKDOWN, GRANTWISE_LINT_MARKDOWN   reports; empty: the command was not asked for; a file that is
//                             not there: the command gave no answer
//   GRANTWISE_REPORT_URL      the address of the HTML report
//   GRANTWISE_COMMENT_KEY     distinguishes several comments on one change
//   GRANTWISE_SUMMARY         false: what cannot be a comment goes to the job summary
//
// Exits with 0 if the comment stands, or cannot stand because the change comes from a fork; with 2 otherwise.
import { comment } from './comment.mjs'

process.exitCode = await comment(process.env, console.log)
