import { toChangesOf } from '../api/changes-of-sync.ts'
import { findService } from '../api/find-service.ts'
import { syncBridge } from '../api/sync-bridge.ts'
import { resolveBridge } from '../app/resolve-bridge.ts'
import { readBridge } from '../bridge/read-bridge.ts'
import { reportWarnings } from '../bridge/report-warnings.ts'
import { changeLine } from '../diff/change-line.ts'
import type { Command, CommandInput } from '../terminal/command.ts'
import { sharedOptions } from './base/options.ts'

export const sync: Command = {
  name: 'sync',
  usage: '[options]',
  description:
    'Saves the address of a bridge for the environment of the key and syncs its workflows. Prints what was added, changed and removed, and warnings. The service must be able to reach the address: a remote service needs a public one.',
  args: { min: 0, max: 0 },
  options: {
    bridge: sharedOptions.bridge,
    'signature-header': sharedOptions['signature-header'],
    api: sharedOptions.api,
    key: sharedOptions.key,
    listed: sharedOptions.listed,
    json: sharedOptions.json,
  },
  examples: [
    'trestle sync --bridge https://app.example.com/api/bridge --api https://api.example.com --key sk_...',
    'trestle sync --bridge 4000',
  ],
  exits: {
    0: 'the workflows were synced',
    1: 'the sync was rejected or failed, or a list of steps is incomplete for a service that runs only listed steps',
  },
  run,
}

async function run(input: CommandInput): Promise<0 | 1> {
  const { terminal, signal, flag } = input
  const access = findService(input)
  const { url } = await resolveBridge(input)
  const end = terminal.progress(`Syncing ${url}`)
  const synced = await syncBridge(access, url, signal).finally(end)
  const changes = toChangesOf(synced)
  const workflows = synced.after ?? (await readBridge(url, input)).workflows
  const status = reportWarnings(workflows, input)
  if (flag('json')) {
    terminal.printJson({ bridgeUrl: url, apiUrl: access.apiUrl, workflows: synced.workflowIds, changes })
    return status
  }
  for (const change of changes) terminal.print(changeLine(change, terminal.paint))
  const count = synced.workflowIds.length
  const what = changes.length === 0 ? ', nothing has changed' : ''
  terminal.print(
    `${terminal.paint.green('synced')} ${count} ${count === 1 ? 'workflow' : 'workflows'} of ${url}${what}`,
  )
  return status
}
