import { resolve, sep } from 'node:path'
import type { DiscoverReply, WorkflowManifest } from '@trestle/protocol'
import { toStepName } from '@trestle/protocol'
import { toChangesOf } from '../api/changes-of-sync.ts'
import { syncBridge } from '../api/sync-bridge.ts'
import { createClient } from '../bridge/create-client.ts'
import { toCommandError } from '../bridge/describe-failure.ts'
import { findStep, findWorkflow } from '../bridge/find-step.ts'
import { isRendered } from '../bridge/is-rendered.ts'
import { compareContracts } from '../diff/compare-contracts.ts'
import { toContract } from '../diff/contract.ts'
import { readLockFile, usualLockFile } from '../diff/lock-file.ts'
import { diagnose } from '../doctor/diagnose.ts'
import { CommandError } from '../terminal/command-error.ts'
import { anyObject, boolean, change, integer, listOf, objectOf, string, stringOrNull } from './schemas.ts'
import { createTool, type McpPlace, type McpTool, readsOnly, toAccess, toBridge } from './tool.ts'
import { object, required, text } from './tool-input.ts'

const warning = objectOf({ code: string, message: string })
const workflow = objectOf({
  workflowId: string,
  tags: listOf(string),
  payloadSchema: anyObject,
  steps: listOf(objectOf({ stepId: string, type: string, conditional: boolean, controlSchema: anyObject })),
  warnings: listOf(warning),
})

/** The tools that call the app's bridge. */
export const bridgeTools: readonly McpTool[] = Object.freeze([
  createTool({
    name: 'list_workflows',
    title: 'List workflows',
    description:
      'Lists the workflows and agents that the running app serves: steps, payload and control schemas, warnings. Each call reads the app, so the result matches the current code.',
    input: { workflowId: text('Only this workflow.') },
    output: { workflows: listOf(workflow), agents: listOf(string) },
    hints: { ...readsOnly, openWorldHint: true },
    async run({ workflowId }, place) {
      const { workflows, agents } = await discover(place)
      const selected = workflowId === undefined ? workflows : [findWorkflow(workflows, workflowId)]
      return { workflows: selected.map(toWorkflow), agents: agents.map(({ agentId }) => agentId) }
    },
  }),
  createTool({
    name: 'sync',
    title: 'Sync workflows',
    description:
      "Syncs the app's workflows with the local service, and returns what changed and any discovery warnings. trestle dev also syncs shortly after the app has changed; call this to be sure before run_workflow. Workflows that the app no longer serves are removed with their saved control values.",
    input: {},
    output: { workflowIds: listOf(string), changes: listOf(change), warnings: listOf(warning) },
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    async run(_input, place) {
      const synced = await syncBridge(toAccess(place), toBridge(place).url, place.signal)
      const after = synced.after ?? (await discover(place)).workflows
      return {
        workflowIds: synced.workflowIds,
        changes: toChangesOf(synced),
        warnings: after.flatMap(({ warnings = [] }) => warnings),
      }
    },
  }),
  createTool({
    name: 'preview_step',
    title: 'Preview a step',
    description:
      'Renders one step of a workflow from the current code of the app, without a run. Without a payload it uses a sample generated from the payload schema. Nothing is sent. Steps of step.custom and step.httpRequest are rejected, because their handlers run code of the app.',
    input: {
      workflowId: required(text('The workflow.')),
      stepId: required(text('The step.')),
      payload: object('The trigger payload.'),
      controls: object('Control values of the step.'),
      subscriber: object('The recipient.'),
    },
    output: { outputs: anyObject, providers: anyObject, options: anyObject, metadata: anyObject },
    hints: { ...readsOnly, openWorldHint: true },
    async run({ workflowId, stepId, payload, controls, subscriber }, place) {
      await checkRendered(place, workflowId, stepId)
      const event = { ...(payload && { payload }), ...(controls && { controls }), ...(subscriber && { subscriber }) }
      try {
        const reply = await createClient(toBridge(place)).preview({ workflowId, stepId, event }, place)
        const { outputs, providers, options, metadata } = reply
        return { outputs, providers, options, metadata }
      } catch (error) {
        throw toCommandError(error)
      }
    },
  }),
  createTool({
    name: 'doctor',
    title: 'Diagnose the bridge',
    description: 'Calls the bridge in valid and invalid ways, and returns the code, cause and fix of each problem.',
    input: {},
    output: {
      version: integer,
      url: string,
      healthy: boolean,
      findings: listOf(objectOf({ code: string, severity: string, message: string, cause: string, fix: string })),
      probes: listOf(objectOf({ probe: string, title: string, result: string, reason: stringOrNull })),
    },
    hints: { ...readsOnly, openWorldHint: true },
    async run(_input, place) {
      return diagnose({ ...toBridge(place), environmentName: 'Development', signal: place.signal })
    },
  }),
  createTool({
    name: 'diff',
    title: 'Compare with the lock file',
    description: `Compares the workflows of the app with its lock file ${usualLockFile}, and returns which changes break callers, saved values or runs.`,
    input: { lock: text(`The lock file, in the folder of the app; ${usualLockFile} by default.`) },
    output: { breaking: boolean, changes: listOf(change) },
    hints: { ...readsOnly, openWorldHint: true },
    async run({ lock = usualLockFile }, place) {
      const path = resolve(place.cwd, lock)
      if (!path.startsWith(resolve(place.cwd) + sep))
        throw new CommandError('The lock file must be in the folder of the app.')
      const before = readLockFile(path)
      if (!before)
        throw new CommandError(`The lock file ${lock} does not exist.`, { fix: 'Create it with trestle diff --write.' })
      const changes = compareContracts(before, toContract(await discover(place)))
      return { breaking: changes.some(({ kind }) => kind === 'breaking'), changes }
    },
  }),
])

async function discover(place: McpPlace): Promise<DiscoverReply> {
  try {
    return await createClient(toBridge(place)).discover({ signal: place.signal })
  } catch (error) {
    throw toCommandError(error)
  }
}

/** Rejects steps whose handlers run code of the app, because the tool is marked as read-only. */
async function checkRendered(place: McpPlace, workflowId: string, stepId: string): Promise<void> {
  const { workflows } = await discover(place)
  const { type } = findStep(findWorkflow(workflows, workflowId), stepId)
  if (isRendered({ type })) return
  const message = `preview_step rejects step ${JSON.stringify(stepId)}: the handler of a step.${toStepName(type)} runs code of the app.`
  throw new CommandError(message, {
    fix: 'Call run_workflow, which runs the handler, or run trestle preview WORKFLOW STEP in a terminal.',
  })
}

function toWorkflow({ workflowId, name, description, tags, payload, steps, warnings }: WorkflowManifest): object {
  return {
    workflowId,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    tags,
    payloadSchema: payload.schema,
    steps: steps.map(({ stepId, type, conditional, controls }) => ({
      ...{ stepId, type, conditional, controlSchema: controls.schema },
    })),
    warnings: warnings ?? [],
  }
}
