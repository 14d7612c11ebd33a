import {
  type DiscoverReply,
  isOfClass,
  type ProviderManifest,
  type StepManifest,
  type WorkflowManifest,
} from '@trestle/protocol'
import { type Schema, toPlainSchema, toSorted } from './schemas/plain-schema.ts'

/** The form of the lock file. */
export const contractVersion = 1

/** A step, as far as stored values and runs under way depend on it. */
export interface StepContract {
  readonly stepId: string
  /** Its kind, as on the wire. */
  readonly type: string
  /** Whether some payloads leave it out. */
  readonly conditional: boolean
  /** What may be stored for its controls. */
  readonly controls: Schema
  /** What later steps see; only of kinds whose results the app defines. */
  readonly results?: Schema
  /** Ids of the providers it has overrides for. */
  readonly providers: readonly string[]
}

/** A workflow, as far as its callers depend on it. */
export interface WorkflowContract {
  readonly workflowId: string
  /** What may be sent as payload. */
  readonly payload: Schema
  /** What may be stored for the workflow's controls. */
  readonly controls: Schema
  /** What the environment's variables must be. */
  readonly env: Schema
  /** Defaults of the recipients' preferences. */
  readonly preferences: unknown
  /** How urgent it is. */
  readonly severity: string
  readonly tags: readonly string[]
  /** The steps, in the order in which runs meet them. */
  readonly steps: readonly StepContract[]
}

/** What a bridge promises, without anything that changes from run to run. */
export interface Contract {
  /** The form of the file. */
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
 * Returns the contract of a bridge: the same for the same workflows, whatever the order in which they are registered.
 *
 * @param reply - What the bridge answers to `discover`.
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
