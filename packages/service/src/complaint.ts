export { codeOf, UserError as Complaint } from '@keepfirst/cli/errors'
