import { resolve, sep } from 'node:path'
import { followRuns, type RunEvent } from '../api/follow-runs.ts'
import type { ServiceAccess } from '../api/service-access.ts'
import { triggerWorkflow } from '../api/trigger-workflow.ts'
import { isRecord } from '../base/is-record.ts'
import { createClient } from '../bridge/create-client.ts'
import { toCommandError } from '../bridge/describe-failure.ts'
import { compareContracts } from '../diff/compare-contracts.ts'
import { toContract } from '../diff/contract.ts'
import { readLockFile, usualLockFile } from '../diff/lock-file.ts'
import { examine } from '../doctor/examine.ts'
import { CommandError } from '../terminal/command-error.ts'

/** What the tools work with. */
export interface McpPlace {
  /** The service; undefined until it runs. */
  readonly access: ServiceAccess | undefined
  /** The bridge; undefined until one was found. */
  readonly bridgeUrl: string | undefined
  /** The folder of the app. */
  readonly cwd: string
  /** Ends the call. */
  readonly signal: AbortSignal
}

/** A tool for agents. */
export interface McpTool {
  /** Its name. */
  readonly name: string
  /** What it does, for the agent. */
  readonly description: string
  /** JSON Schema of its arguments. */
  readonly inputSchema: object
  /**
   * Does it.
   *
   * @throws {CommandError} It cannot; the agent reads why.
   */
  run(input: Readonly<Record<string, unknown>>, place: McpPlace): Promise<object>
}

const text = (description: string): object => ({ type: 'string', description })
const object = (description: string): object => ({ type: 'object', description })
const runTimeoutMs = 60_000

/** The tools, in the order in which they are listed. */
export const mcpTools: readonly McpTool[] = Object.freeze([
  {
    name: 'list_workflows',
    description: 'Lists the workflows of the app with their steps, payload schemas and warnings.',
    inputSchema: { type: 'object', properties: {} },
    async run(_input, place) {
      const { workflows } = await discover(place)
      return {
        workflows: workflows.map(({ workflowId, name, description, tags, payload, steps, warnings }) => ({
          workflowId,
          ...(name !== undefined && { name }),
          ...(description !== undefined && { description }),
          tags,
          payloadSchema: payload.schema,
          steps: steps.map(({ stepId, type, conditional, controls }) => ({
            stepId,
            type,
            conditional,
            controlSchema: controls.schema,
          })),
          warnings,
        })),
      }
    },
  },
  {
    name: 'preview_step',
    description: 'Renders one step of a workflow. Without a payload a sample of its schema is used. Nothing is sent.',
    inputSchema: {
      type: 'object',
      properties: {
        workflowId: text('The workflow.'),
        stepId: text('The step.'),
        payload: object('The data of the trigger.'),
        controls: object('Values of the controls of the step.'),
        subscriber: object('The recipient.'),
      },
      required: ['workflowId', 'stepId'],
    },
    async run(input, place) {
      const [workflowId, stepId] = [readText(input, 'workflowId'), readText(input, 'stepId')]
      const [payload, controls, subscriber] = ['payload', 'controls', 'subscriber'].map((name) =>
        readObject(input, name),
      )
      const event = { ...(payload && { payload }), ...(controls && { controls }), ...(subscriber && { subscriber }) }
      try {
        return await createClient(toBridge(place)).preview({ workflowId, stepId, event }, place)
      } catch (error) {
        throw toCommandError(error)
      }
    },
  },
  {
    name: 'run_workflow',
    description:
      'Triggers a workflow in the local service and follows its run to the end, with delays and digests cut short. Messages stay in the outbox of the studio.',
    inputSchema: {
      type: 'object',
      properties: {
        workflowId: text('The workflow.'),
        payload: object('The data of the trigger.'),
        to: text('The subscriber id of the recipient; ada where it is left out.'),
      },
      required: ['workflowId'],
    },
    async run(input, place) {
      const { access } = place
      if (!access) throw new CommandError('The service is not ready yet.')
      const signal = AbortSignal.any([place.signal, AbortSignal.timeout(runTimeoutMs)])
      const to = input['to'] === undefined ? 'ada' : readText(input, 'to')
      const request = { workflowId: readText(input, 'workflowId'), to, payload: readObject(input, 'payload') ?? {} }
      const { transactionId, status } = await triggerWorkflow(access, request, signal)
      const events: RunEvent[] = []
      const onEvent = (event: RunEvent): void => void events.push(event)
      const runs = await followRuns(access, { transactionId, skipWaits: true, onEvent, signal })
      return { transactionId, status, runs, events }
    },
  },
  {
    name: 'doctor',
    description:
      'Examines the bridge with right and deliberately wrong calls, and names the code, the cause and the fix of what is wrong.',
    inputSchema: { type: 'object', properties: {} },
    async run(_input, place) {
      return examine({ ...toBridge(place), environmentName: 'Development', signal: place.signal })
    },
  },
  {
    name: 'diff',
    description: `Compares the workflows of the app with its lock file ${usualLockFile}, and says which changes break callers, stored values or runs.`,
    inputSchema: {
      type: 'object',
      properties: { lock: text(`The lock file, within the folder of the app; ${usualLockFile} where it is left out.`) },
    },
    async run(input, place) {
      const file = input['lock'] === undefined ? usualLockFile : readText(input, 'lock')
      const path = resolve(place.cwd, file)
      if (!path.startsWith(resolve(place.cwd) + sep))
        throw new CommandError('The lock file must lie in the folder of the app.')
      const before = readLockFile(path)
      if (!before)
        throw new CommandError(`There is no lock file ${file}.`, { fix: 'Write it with trestle diff --write.' })
      const changes = compareContracts(before, toContract(await discover(place)))
      return { breaking: changes.some(({ kind }) => kind === 'breaking'), changes }
    },
  },
])

async function discover(place: McpPlace) {
  try {
    return await createClient(toBridge(place)).discover({ signal: place.signal })
  } catch (error) {
    throw toCommandError(error)
  }
}

function toBridge({ access, bridgeUrl }: McpPlace): { readonly url: string; readonly key: string | undefined } {
  if (bridgeUrl !== undefined) return { url: bridgeUrl, key: access?.key }
  throw new CommandError('No app was found yet.', { fix: 'Start the app, or start trestle dev with --bridge URL.' })
}

function readText(input: Readonly<Record<string, unknown>>, name: string): string {
  const value = input[name]
  if (typeof value === 'string' && value !== '') return value
  throw new CommandError(`The argument ${name} must be a text that is not empty.`)
}

function readObject(input: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> | undefined {
  const value = input[name]
  if (value === undefined || value === null) return undefined
  if (isRecord(value)) return { ...value }
  throw new CommandError(`The argument ${name} must be an object.`)
}
