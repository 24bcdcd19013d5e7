import { parse } from '../requests/steps/parse.ts'
import { type Tasks, tasksWith } from './tasks.ts'

const tasks = tasksWith(parse)

export const exact: Tasks['exact'] = tasks.exact
export const fuzzy: Tasks['fuzzy'] = tasks.fuzzy
export { parseEmails as emails } from '../requests/steps/parse-emails.ts'
