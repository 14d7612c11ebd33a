import {
  type DiscoverReply,
  isOfClass,
  type ProviderManifest,
  type StepManifest,
  type WorkflowManifest,
} from '@trestle/protocol'
import { type Schema, toPlainSchema, toSorted } from './schemas/plain-schema.ts'

/** The format version of the lock file. */
export const contractVersion = 1

/** The part of a step that saved values and active runs depend on. */
export interface StepContract {
  readonly stepId: string
  /** Its type, as in the protocol. */
  readonly type: string
  /** Whether the step is skipped for some payloads. */
  readonly conditional: boolean
  /** The schema of its saved control values. */
  readonly controls: Schema
  /** The result for later steps; only for kinds whose results the app defines. */
  readonly results?: Schema
  /** Ids of the providers that it overrides. */
  readonly providers: readonly string[]
}

/** The parts of a workflow that its callers depend on. */
export interface WorkflowContract {
  readonly workflowId: string
  /** The schema of the payload. */
  readonly payload: Schema
  /** The schema of saved workflow control values. */
  readonly controls: Schema
  /** The schema of the environment's variables. */
  readonly env: Schema
  /** Defaults of the recipients' preferences. */
  readonly preferences: unknown
  /** How urgent it is. */
  readonly severity: string
  readonly tags: readonly string[]
  /** The steps, in execution order. */
  readonly steps: readonly StepContract[]
}

/** The stable part of what a bridge publishes. */
export interface Contract {
  /** The format version of the file. */
  readonly version: number
  /** The workflows, sorted by id. */
  readonly workflows: readonly WorkflowContract[]
  /** Ids of the agents, sorted. */
  readonly agents: readonly string[]
}

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
const plain = (part: { readonly schema?: unknown } | undefined): Schema =>
  toPlainSchema(part?.schema, { keepDefaults: true })

/**
 * Returns the contract of a bridge, independent of registration order.
 *
 * @param reply - The bridge's reply to `discover`.
 * @example
 * const contract = toContract(await client.discover())
 */
export function toContract({ workflows, agents }: Pick<DiscoverReply, 'workflows'> & Partial<DiscoverReply>): Contract {
  return {
    version: contractVersion,
    workflows: workflows.map(toWorkflow).sort((one, other) => byText(one.workflowId, other.workflowId)),
    agents: (agents ?? []).map(({ agentId }) => agentId).sort(byText),
  }
}

function toWorkflow(workflow: WorkflowManifest): WorkflowContract {
  const { workflowId, payload, controls, env, preferences, severity, tags, steps } = workflow
  return {
    workflowId,
    payload: plain(payload),
    controls: plain(controls),
    env: plain(env),
    preferences: toSorted(preferences ?? {}),
    severity: severity ?? 'none',
    tags: [...(tags ?? [])].sort(byText),
    steps: steps.map(toStep),
  }
}

function toStep({ stepId, type, conditional, controls, results, providers }: StepManifest): StepContract {
  return {
    stepId,
    type,
    conditional: conditional ?? false,
    controls: plain(controls),
    ...(isOfClass(type, 'data') && { results: plain(results) }),
    providers: (providers ?? []).map(({ type: id }: ProviderManifest) => id).sort(byText),
  }
}
