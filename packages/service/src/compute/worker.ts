import { runRequest } from '@keepfirst/engine/request'
import { parseEmails } from './parse-emails.ts'
import { parseRequest } from './parse-request.ts'
import { createTasks, type Tasks } from './tasks.ts'

const tasks = createTasks({ parseRequest, runRequest, parseEmails })

export const parse: Tasks['parse'] = tasks.parse
export const emails: Tasks['emails'] = tasks.emails
export const run: Tasks['run'] = tasks.run
