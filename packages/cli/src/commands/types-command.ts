import { resolve } from 'node:path'
import { createApiClient } from '@trestle/api-client'
import { findService } from '../api/find-service.ts'
import { toServiceError } from '../api/service-access.ts'
import { resolveBridge } from '../app/resolve-bridge.ts'
import { readBridge } from '../bridge/read-bridge.ts'
import { reportWarnings } from '../bridge/report-warnings.ts'
import type { Command, CommandInput } from '../terminal/command.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { type TriggeredWorkflow, toTriggerTypes } from '../types/trigger-types.ts'
import { sharedOptions } from './base/options.ts'
import { prepareOutput } from './base/prepare-output.ts'

export const types: Command = {
  name: 'types',
  usage: '[options]',
  description:
    'Writes the payload type of each workflow and a typed trigger(workflowId, payload, { to }), from a bridge or, with --api, from a service. The same workflows produce the same output.',
  args: { min: 0, max: 0 },
  options: {
    bridge: sharedOptions.bridge,
    'signature-header': sharedOptions['signature-header'],
    api: { value: 'URL', text: 'reads the workflows from a service instead of a bridge' },
    key: sharedOptions.key,
    listed: sharedOptions.listed,
    out: { value: 'FILE', text: 'the output file; .d.ts for declarations only (default: standard output)' },
    json: { text: 'prints the ids and payload schemas as JSON' },
  },
  examples: [
    'trestle types --out src/workflows.ts',
    'trestle types --api https://api.example.com --key sk_... --out src/workflows.d.ts',
  ],
  exits: {
    0: 'the types were written',
    1: 'the workflows could not be read, or with --listed a list of steps is incomplete',
  },
  run,
}

async function run(input: CommandInput): Promise<0 | 1> {
  const { text, flag, terminal, cwd } = input
  const out = text('out')
  if (text('api') !== undefined && text('bridge') !== undefined)
    throw new UsageError('--api and --bridge exclude each other.')
  const write = out === undefined || flag('json') ? undefined : prepareOutput('out', resolve(cwd, out))
  const { workflows, status } = text('api') === undefined ? await readFromBridge(input) : await readFromService(input)
  if (flag('json')) {
    terminal.printJson({ workflows: workflows.map(({ workflowId, payload }) => ({ workflowId, payload })) })
    return status
  }
  const source = toTriggerTypes(workflows, { isDeclaration: out?.endsWith('.d.ts') ?? false })
  if (!write) {
    terminal.print(source.trimEnd())
    return status
  }
  write(source)
  terminal.print(
    `Wrote the types for ${workflows.length} ${workflows.length === 1 ? 'workflow' : 'workflows'} to ${out}.`,
  )
  return status
}

interface Read {
  readonly workflows: readonly TriggeredWorkflow[]
  readonly status: 0 | 1
}

async function readFromBridge(input: CommandInput): Promise<Read> {
  const { url } = await resolveBridge(input)
  const { workflows } = await readBridge(url, input)
  const triggered = workflows.map(({ workflowId, name, description, payload }) => {
    return { workflowId, name, description, payload: payload.schema }
  })
  return { workflows: triggered, status: reportWarnings(workflows, input) }
}

async function readFromService(input: CommandInput): Promise<Read> {
  const access = findService(input)
  const api = createApiClient({ secretKey: access.key, apiUrl: access.apiUrl })
  const { signal } = input
  const end = input.terminal.progress(`Reading the workflows of ${access.apiUrl}`)
  const triggered: TriggeredWorkflow[] = []
  try {
    for await (const { workflowId } of api.workflows.list.each({ query: { limit: 100 } }, { signal })) {
      const { data } = await api.workflows.get({ workflowId }, { signal })
      const { name, description, payloadSchema } = data
      triggered.push({ workflowId, name, description, payload: payloadSchema ?? {} })
    }
    return { workflows: triggered, status: 0 }
  } catch (error) {
    throw toServiceError(error, access)
  } finally {
    end()
  }
}
