import { randomBytes } from 'node:crypto'
import { ACCOUNT_PLANS } from '@keepfirst/protocol'
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { monthNamed } from './accounts/usage.ts'
import { readConfig } from './config.ts'
import { localCommands } from './local/index.ts'
import type { OperatorDesk } from './operator/desk.ts'
import { print } from './print.ts'

/*
 * The command line: what commands there are. Each is loaded when it is called, so that the local ones do not
 * wait for a server's libraries. The shells' completions and the manual page are written from it (build/).
 */

const email = new Option('--account <email>', 'the account').makeOptionMandatory()
const plan = new Option('--plan <plan>', 'move the account to this plan').choices(ACCOUNT_PLANS)
const json = new Option('--json', 'print JSON for programs')

/** All commands, ready to be run: `await commandLine().parseAsync()`. */
export function commandLine(): Command {
  const program = new Command('keepfirst')
    .description('Removes duplicates from lists: first one kept, order kept, nothing else touched.')
    .configureOutput({ writeOut: print })
    .showHelpAfterError('(--help shows how it is used)')

  program
    .command('serve')
    .description('serve the API and the pages; settings come from the environment')
    .action(async () => {
      const config = readConfig(process.env) // a bad setting is said before the libraries are waited for
      const { serve } = await import('./serve.ts')
      await serve(config)
    })
  keysCommands(program)
  accountsCommands(program)
  usageCommand(program)
  localCommands(program)
  return program
}

function keysCommands(program: Command): void {
  const keys = program.command('keys').description('make, list and revoke API keys')
  keys
    .command('create')
    .description('make a key, and the account on first use; the token is printed once')
    .addOption(email)
    .addOption(plan)
    .option('--name <name>', 'what the key is for')
    .addOption(json)
    .action((options) => operate(async (desk) => (await import('./operator/keys.ts')).keysCreate(desk, options)))
  keys
    .command('list')
    .description('list keys, the revoked ones too')
    .option('--account <email>', 'of one account alone')
    .addOption(json)
    .action((options) => operate(async (desk) => (await import('./operator/keys.ts')).keysList(desk, options)))
  keys
    .command('revoke')
    .description('revoke a key, at once and for ever')
    .argument('<id>', 'the id that "keys list" shows')
    .action((id) => operate(async (desk) => (await import('./operator/keys.ts')).keysRevoke(desk, id)))
}

function accountsCommands(program: Command): void {
  const accounts = program.command('accounts').description('list accounts and move them between plans')
  accounts
    .command('list')
    .description('list accounts')
    .addOption(json)
    .action((options) => operate(async (desk) => (await import('./operator/accounts.ts')).accountsList(desk, options)))
  accounts
    .command('set-plan')
    .description('move an account to a plan, from its next request on')
    .argument('<email>', 'the account')
    .addArgument(new Argument('<plan>', 'the plan').choices(ACCOUNT_PLANS))
    .action((account, to) =>
      operate(async (desk) => (await import('./operator/accounts.ts')).accountsSetPlan(desk, account, to)),
    )
  accounts
    .command('password')
    .description('print a link, good once, with which the account’s owner sets a password for the pages')
    .argument('<email>', 'the account')
    .action((account) =>
      operate(async (desk) => (await import('./operator/accounts-password.ts')).accountsPassword(desk, account)),
    )
}

function usageCommand(program: Command): void {
  program
    .command('usage')
    .description('what accounts used in a month (UTC)')
    .option('--account <email>', 'of one account alone')
    .option('--month <YYYY-MM>', 'another month than this one', month)
    .option('--events', 'call by call, oldest first')
    .addOption(json)
    .action((options) => operate(async (desk) => (await import('./operator/usage.ts')).usage(desk, options)))
}

function month(text: string): string {
  const named = monthNamed(text)
  if (named === undefined) throw new InvalidArgumentError('It is written YYYY-MM.')
  return named
}

/** Opens the database for one operator's command and closes it afterwards; safe while the server runs. */
async function operate(command: (desk: OperatorDesk) => Promise<void>): Promise<void> {
  const { databaseUrl, tokenPrefix, baseUrl } = readConfig(process.env)
  const { openDatabase } = await import('./store/open.ts')
  const { store, kysely } = await openDatabase(databaseUrl, randomBytes)
  try {
    const printLine = (text: string): void => print(`${text}\n`)
    await command({ store, kysely, tokenPrefix, baseUrl, now: Date.now, randomBytes, print: printLine })
  } finally {
    await store.close()
  }
}
