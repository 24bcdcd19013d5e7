import { addLocalCommands, createProgram, document } from '@keepfirst/cli'
import { print } from '@keepfirst/cli/print'
import { ACCOUNT_PLANS } from '@keepfirst/protocol'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { accountEmail } from './accounts/accounts.ts'
import { KEY_NAME_RULE, keyName } from './accounts/keys.ts'
import type { OperatorContext } from './operator/context.ts'
import { COMMAND_DOCUMENTATION } from './operator/documentation.ts'
import { PACKAGE } from './package-files.ts'
import { monthNamed } from './store/periods.ts'

/*
 * All commands. Each is loaded when it is called, so that none waits for another's libraries. Shell completions and the
 * manual page are generated from this (build/).
 */

const forAccount = new Option('--account <email>', 'the account').argParser(address).makeOptionMandatory()
const ofAccount = new Option('--account <email>', 'of one account only').argParser(address)
const email = new Argument('<email>', 'the account').argParser(address)
const plan = new Option('--plan <plan>', 'move the account to this plan').choices(ACCOUNT_PLANS)
const json = new Option('--json', 'print JSON')

/** All commands, ready to run: general ones first, then the operator's. */
export function commandLine(): Command {
  const program = createProgram(new URL('package.json', PACKAGE))
  addLocalCommands(program.commandsGroup('On your own machine:').helpCommand(true))
  serverCommands(program.commandsGroup('For operators:'))
  return program
}

function serverCommands(program: Command): void {
  const serve = program
    .command('serve')
    .description('serve the API and the pages; settings come from the environment')
    .action(async () => {
      const { readConfig } = await import('./config.ts')
      const config = readConfig(process.env) // a bad setting is reported before the libraries are loaded
      const { serve } = await import('./serve.ts')
      await serve(config)
    })
  document(serve, COMMAND_DOCUMENTATION.serve)
  keysCommands(program)
  accountsCommands(program)
  usageCommand(program)
  migrateCommand(program)
  backupCommand(program)
}

function keysCommands(program: Command): void {
  const keys = program.command('keys').description('create, list and revoke API keys')
  const create = keys
    .command('create')
    .description('create a key, and the account on first use; the token is printed once')
    .addOption(forAccount)
    .addOption(plan)
    .option('--name <name>', 'what the key is for', name)
    .addOption(json)
    .action((options) => operate(async (context) => (await import('./operator/keys.ts')).keysCreate(context, options)))
  const list = keys
    .command('list')
    .description('list keys, including revoked ones')
    .addOption(ofAccount)
    .addOption(json)
    .action((options) => operate(async (context) => (await import('./operator/keys.ts')).keysList(context, options)))
  const revoke = keys
    .command('revoke')
    .description('revoke a key, at once and permanently')
    .argument('<id>', 'the id shown by "keys list"')
    .action((id) => operate(async (context) => (await import('./operator/keys.ts')).keysRevoke(context, id)))
  document(keys, COMMAND_DOCUMENTATION.keys)
  document(create, COMMAND_DOCUMENTATION.keysCreate)
  document(list, COMMAND_DOCUMENTATION.keysList)
  document(revoke, COMMAND_DOCUMENTATION.keysRevoke)
}

function accountsCommands(program: Command): void {
  const accounts = program
    .command('accounts')
    .description('list accounts, move them between plans, hand them over, delete them')
  const list = accounts
    .command('list')
    .description('list accounts')
    .addOption(json)
    .action((options) =>
      operate(async (context) => (await import('./operator/accounts.ts')).accountsList(context, options)),
    )
  const setPlan = accounts
    .command('set-plan')
    .description('move an account to a plan, from its next request on')
    .addArgument(email)
    .addArgument(new Argument('<plan>', 'the plan').choices(ACCOUNT_PLANS))
    .action((account, to) =>
      operate(async (context) => (await import('./operator/accounts.ts')).accountsSetPlan(context, account, to)),
    )
  const password = accounts
    .command('password')
    .description('print a one-time link for the account’s owner to set a password')
    .addArgument(email)
    .action((account) =>
      operate(async (context) => (await import('./operator/accounts-password.ts')).accountsPassword(context, account)),
    )
  const exportCommand = accounts
    .command('export')
    .description('print everything that is stored about an account, as JSON')
    .addArgument(email)
    .action((account) =>
      operate(async (context) => (await import('./operator/accounts.ts')).accountsExport(context, account)),
    )
  const remove = accounts
    .command('delete')
    .description('delete an account with its keys and sessions, at once and permanently')
    .addArgument(email)
    .action((account) =>
      operate(async (context) => (await import('./operator/accounts.ts')).accountsDelete(context, account)),
    )
  document(accounts, COMMAND_DOCUMENTATION.accounts)
  document(list, COMMAND_DOCUMENTATION.accountsList)
  document(setPlan, COMMAND_DOCUMENTATION.accountsSetPlan)
  document(password, COMMAND_DOCUMENTATION.accountsPassword)
  document(exportCommand, COMMAND_DOCUMENTATION.accountsExport)
  document(remove, COMMAND_DOCUMENTATION.accountsDelete)
}

function usageCommand(program: Command): void {
  const usage = program
    .command('usage')
    .description('what accounts used in a month (UTC)')
    .addOption(ofAccount)
    .option('--month <YYYY-MM>', 'a month other than the current one', month)
    .option('--events', 'call by call, oldest first')
    .addOption(
      new Option('--verify', 'check that every counter is the sum of its events; exit code 1 if not').conflicts(
        'events',
      ),
    )
    .addOption(json)
    .action((options) => operate(async (context) => (await import('./operator/usage.ts')).usage(context, options)))
  document(usage, COMMAND_DOCUMENTATION.usage)
}

function migrateCommand(program: Command): void {
  const migrate = program
    .command('migrate')
    .description('migrate the database’s schema, as serve does if its role is allowed to')
    .action(() => operate(async ({ print }) => print('the schema is up to date')))
  document(migrate, COMMAND_DOCUMENTATION.migrate)
}

function backupCommand(program: Command): void {
  const backup = program
    .command('backup')
    .description('copy the embedded database to a new file, even while the server runs')
    .argument('<file>', 'the new file')
    .action(async (file) => {
      const { readConfig } = await import('./config.ts')
      const { backup } = await import('./operator/backup.ts')
      backup(readConfig(process.env), file)
    })
  document(backup, COMMAND_DOCUMENTATION.backup)
}

function address(text: string): string {
  const account = accountEmail(text)
  if (account === undefined) throw new InvalidArgumentError('Expected an email address.')
  return account
}

function name(text: string): string {
  const named = keyName(text)
  if (named === undefined) throw new InvalidArgumentError(KEY_NAME_RULE)
  return named
}

function month(text: string): string {
  const named = monthNamed(text)
  if (named === undefined) throw new InvalidArgumentError('Expected YYYY-MM.')
  return named
}

/** Opens the database for an operator's command and closes it afterwards; safe while the server runs. */
async function operate(command: (context: OperatorContext) => Promise<void>): Promise<void> {
  const { readConfig } = await import('./config.ts')
  const { databaseUrl, isDatabasePooled: isPooled, tokenPrefix, baseUrl } = readConfig(process.env)
  const [{ randomBytes }, { explainFailure, openDatabase }] = await Promise.all([
    import('node:crypto'),
    import('./store/open.ts'),
  ])
  const { store, kysely, reports } = await openDatabase(databaseUrl, randomBytes, { isPooled })
  try {
    const printLine = (text: string): void => print(`${text}\n`)
    await command({ store, kysely, reports, tokenPrefix, baseUrl, now: Date.now, randomBytes, print: printLine })
  } catch (error) {
    throw explainFailure(error)
  } finally {
    await store.close()
  }
}
