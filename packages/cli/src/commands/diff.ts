import { resolve } from 'node:path'
import { resolveBridge } from '../app/resolve-bridge.ts'
import { readBridge } from '../bridge/read-bridge.ts'
import { reportWarnings } from '../bridge/report-warnings.ts'
import { toBridgeUrl } from '../bridge/to-bridge-url.ts'
import { readConfig } from '../config/read-config.ts'
import type { Change } from '../diff/change.ts'
import { changeLine } from '../diff/change-line.ts'
import { compareContracts } from '../diff/compare-contracts.ts'
import { type Contract, toContract } from '../diff/contract.ts'
import { readLockFile, usualLockFile, writeLockFile } from '../diff/lock-file.ts'
import type { Command, CommandInput } from '../terminal/command.ts'
import { CommandError } from '../terminal/command-error.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { sharedOptions } from './base/options.ts'

export const diff: Command = {
  name: 'diff',
  usage: '[options]',
  description:
    'Compares the workflows of a bridge with its lock file, or with another bridge such as production, and reports what a change breaks: existing callers, values saved in the service, and active runs.',
  args: { min: 0, max: 0 },
  options: {
    bridge: sharedOptions.bridge,
    'signature-header': sharedOptions['signature-header'],
    against: { value: 'URL', text: 'compares with this bridge instead of the lock file' },
    write: { text: 'writes the lock file, and compares with the previous one' },
    lock: { value: 'FILE', text: `the lock file (default ${usualLockFile})` },
    key: sharedOptions.key,
    listed: sharedOptions.listed,
    json: sharedOptions.json,
  },
  examples: [
    'trestle diff --write',
    'trestle diff',
    'trestle diff --against https://app.example.com/api/bridge --key sk_...',
  ],
  exits: {
    0: 'nothing breaks, or the lock file was written',
    1: 'a change breaks callers, saved values or runs, or with --listed a list of steps is incomplete',
  },
  run,
}

async function run(input: CommandInput): Promise<0 | 1> {
  const { text, flag, terminal, cwd } = input
  const against = text('against')
  if (against !== undefined && flag('write')) throw new UsageError('--write and --against exclude each other.')
  const { url } = await resolveBridge(input)
  const reply = await readBridge(url, input)
  const status = reportWarnings(reply.workflows, input)
  const after = toContract(reply)
  const file = text('lock') ?? (await readConfig(cwd)).lock ?? usualLockFile
  const path = resolve(cwd, file)
  if (flag('write')) {
    write(input, { path, file, after })
    return status
  }
  const before = against === undefined ? readLockFile(path) : await readOther(against, input)
  if (before === undefined)
    throw new CommandError(`The lock file ${file} does not exist.`, {
      fix: 'Create it with trestle diff --write, and commit it.',
    })
  const changes = compareContracts(before, after)
  report(input, changes)
  const breaking = changes.filter(({ kind }) => kind === 'breaking').length
  if (breaking > 0 && !flag('json'))
    terminal.note('Make the changes compatible, or accept them with trestle diff --write.')
  return breaking > 0 ? 1 : status
}

async function readOther(against: string, input: CommandInput): Promise<Contract> {
  return toContract(await readBridge(toBridgeUrl(against).url, input))
}

function write(
  input: CommandInput,
  { path, file, after }: { readonly path: string; readonly file: string; readonly after: Contract },
): void {
  const before = readLockFile(path)
  const changes = before === undefined ? [] : compareContracts(before, after)
  const isChanged = writeLockFile(path, after)
  if (input.flag('json')) {
    input.terminal.printJson({ ...toReport(changes), lock: file, written: isChanged })
    return
  }
  for (const change of changes) input.terminal.print(changeLine(change, input.terminal.paint))
  input.terminal.print(isChanged ? `Wrote ${file}.` : `${file} is unchanged.`)
}

function toReport(changes: readonly Change[]) {
  return { version: 1, breaking: changes.some(({ kind }) => kind === 'breaking'), changes }
}

function report({ flag, terminal }: CommandInput, changes: readonly Change[]): void {
  const { paint } = terminal
  if (flag('json')) {
    terminal.printJson(toReport(changes))
    return
  }
  const order = ['breaking', 'notice', 'safe']
  const sorted = changes.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
  for (const change of sorted) terminal.print(changeLine(change, paint))
  const breaking = changes.filter(({ kind }) => kind === 'breaking').length
  if (changes.length === 0) terminal.print(paint.green('Nothing has changed.'))
  else
    terminal.print(
      breaking === 0
        ? paint.green(`${changes.length} changed, nothing breaks.`)
        : paint.red(`${breaking} of ${changes.length} changes ${breaking === 1 ? 'breaks' : 'break'} something.`),
    )
}
