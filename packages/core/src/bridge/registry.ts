import { CodedError, createHmac, type Hmac, type Warning } from '@trestle/protocol'
import type { AgentDefinition } from '../agent/agent-definition.ts'
import { createTimerQueue, type TimerQueue } from '../base/timer-queue.ts'
import { mount } from '../workflow/home.ts'
import type { BridgeOptions } from './bridge-options.ts'
import { checkBridgeOptions } from './check-bridge-options.ts'
import { createNotices, type Notices } from './notices.ts'
import { type RegisteredWorkflow, register } from './registered-workflow.ts'
import { resolveSettings, type Settings } from './settings.ts'

/** The internal state of a bridge: settings, workflows by id, and data kept between calls. */
export interface Registry {
  readonly settings: Settings
  /** The workflows by id; of duplicates, the first one, marked as a duplicate. */
  readonly workflows: ReadonlyMap<string, RegisteredWorkflow>
  /** The agents by id; of duplicates, the first one. */
  readonly agents: ReadonlyMap<string, AgentDefinition>
  /** The ids shared by several agents. */
  readonly duplicateAgents: ReadonlySet<string>
  /** The log messages for operators. */
  readonly notices: Notices
  /** The deadlines of all calls. */
  readonly deadlines: TimerQueue
  /** The HMAC implementation of this runtime. */
  readonly hmac: Hmac
  /** The response to `discover`, once it is complete. */
  manifest: string | undefined
}

/**
 * Creates the state that a bridge keeps between calls.
 *
 * @param options - The user's options, which are never modified.
 * @throws TypeError - An option is invalid.
 */
export function createRegistry(options: BridgeOptions): Registry {
  checkBridgeOptions(options)
  const notices = createNotices(options.logger)
  const onUnknown = options.service?.dropsUnknown
    ? ({ code, message }: Warning): void => notices.once(message, code)
    : undefined
  const workflows = new Map<string, RegisteredWorkflow>()
  for (const definition of options.workflows ?? []) {
    mount(definition, options)
    const existingWorkflow = workflows.get(definition.id)
    if (existingWorkflow) existingWorkflow.duplicate = true
    else workflows.set(definition.id, register(definition, { onUnknown, followsList: options.service !== undefined }))
  }
  const agents = new Map<string, AgentDefinition>()
  const duplicateAgents = new Set<string>()
  for (const agent of options.agents ?? []) {
    if (agents.has(agent.id)) duplicateAgents.add(agent.id)
    else agents.set(agent.id, agent)
  }
  const settings = resolveSettings(options)
  return {
    settings,
    workflows,
    agents,
    duplicateAgents,
    deadlines: createTimerQueue(settings.timeoutMs),
    notices,
    hmac: createHmac(),
    manifest: undefined,
  }
}

/**
 * Finds a workflow that can be run.
 *
 * @throws CodedError - `WorkflowNotFoundError`, `WorkflowAlreadyExistsError`.
 */
export function findWorkflow(registry: Registry, workflowId: string | undefined): RegisteredWorkflow {
  const workflow = workflowId === undefined ? undefined : registry.workflows.get(workflowId)
  if (!workflow) {
    const what = workflowId === undefined ? 'The query has no workflowId' : `Unknown workflow "${workflowId}"`
    throw new CodedError('WorkflowNotFoundError', `${what} in this bridge. Use discover to list its workflows.`)
  }
  if (workflow.duplicate) throw duplicateWorkflow(workflow.id)
  return workflow
}

/** Returns the error for a workflow that shares its id with another. */
export function duplicateWorkflow(workflowId: string): CodedError {
  return new CodedError(
    'WorkflowAlreadyExistsError',
    `Two workflows have the id "${workflowId}". Workflow ids must be unique.`,
    {
      data: { workflowId },
    },
  )
}

/**
 * Finds an agent that can be called.
 *
 * @throws CodedError - `AgentNotFoundError`, `AgentAlreadyExistsError`.
 */
export function findAgent(registry: Registry, agentId: string | undefined): AgentDefinition {
  const agent = agentId === undefined ? undefined : registry.agents.get(agentId)
  if (!agent) {
    const what = agentId === undefined ? 'The query has no agentId' : `Unknown agent "${agentId}"`
    throw new CodedError('AgentNotFoundError', `${what} in this bridge. Use discover to list its agents.`)
  }
  if (registry.duplicateAgents.has(agent.id)) throw duplicateAgent(agent.id)
  return agent
}

/** Returns the error for an agent that shares its id with another. */
export function duplicateAgent(agentId: string): CodedError {
  return new CodedError('AgentAlreadyExistsError', `Two agents have the id "${agentId}". Agent ids must be unique.`, {
    data: { agentId },
  })
}
