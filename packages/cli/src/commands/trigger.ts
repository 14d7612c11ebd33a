import { findService } from '../api/find-service.ts'
import { triggerWorkflow } from '../api/trigger-workflow.ts'
import type { Command, CommandInput } from '../terminal/command.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { endedWell, follow } from './base/follow.ts'
import { sharedOptions } from './base/options.ts'
import { readTriggerOptions } from './base/trigger-options.ts'

export const trigger: Command = {
  name: 'trigger',
  usage: 'WORKFLOW --to ID [options]',
  description:
    'Triggers a workflow through the REST API of a service. With --follow it prints each event until all its runs have ended; this needs the local service of trestle dev.',
  args: { min: 1, max: 1 },
  options: {
    to: {
      value: 'ID',
      text: 'the recipient: a subscriber id, or a JSON object such as {"type":"Topic","topicKey":"news"}',
    },
    email: { value: 'ADDRESS', text: 'the email address of the recipient; it is saved with the subscriber' },
    payload: { value: 'JSON', text: 'the payload, or @FILE to read it from a file' },
    transaction: { value: 'ID', text: 'your own transaction id' },
    follow: { text: 'prints each event until all runs have ended' },
    'skip-waits': { text: 'with --follow: skips all waits, also those of awaited runs' },
    api: sharedOptions.api,
    key: sharedOptions.key,
    json: sharedOptions.json,
  },
  examples: [
    'trestle trigger order-shipped --to ada --email ada@example.com --payload \'{ "id": "7" }\' --follow',
    'trestle trigger order-shipped --to ada --payload @order.json --json',
  ],
  exits: {
    0: 'it was triggered, and followed runs have completed',
    1: 'it was rejected, or a followed run has failed',
  },
  run,
}

async function run(input: CommandInput): Promise<0 | 1> {
  const { args, text, flag, terminal, signal } = input
  const [workflowId = ''] = args
  const { to, payload } = readTriggerOptions(input)
  if (to === undefined) throw new UsageError('trestle trigger needs --to, the recipient.')
  if (flag('skip-waits') && !flag('follow')) throw new UsageError('--skip-waits needs --follow.')
  const access = findService(input)
  const transactionId = text('transaction')
  const request = { workflowId, to, payload, ...(transactionId !== undefined && { transactionId }) }
  const end = terminal.progress(`Triggering ${workflowId}`)
  const triggered = await triggerWorkflow(access, request, signal).finally(end)
  if (!flag('follow')) {
    if (flag('json')) terminal.printJson({ ...triggered, runs: null, incomplete: null })
    else terminal.print(`${triggered.status}: transaction ${triggered.transactionId}`)
    return 0
  }
  const isQuiet = flag('json')
  if (!isQuiet) terminal.print(`transaction ${triggered.transactionId}`)
  const followed = await follow(access, { ...triggered, skipWaits: flag('skip-waits'), isQuiet }, input)
  if (isQuiet) terminal.printJson({ ...triggered, ...followed })
  return endedWell(followed) ? 0 : 1
}
