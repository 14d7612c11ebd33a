import { isObject, isStepType, type StepManifest, type WorkflowManifest } from '@trestle/protocol'
import { findCancelOnFault } from '@trestle/run-rules'
import { isReachable, isStorable } from '../../api/input.ts'

/** The workflows in a reply to `discover`, checked one by one. */
export interface CheckedManifests {
  readonly healthy: readonly WorkflowManifest[]
  /** The errors of the other workflows, each with the workflow id if there is one. */
  readonly faults: readonly ManifestFault[]
}

/** Why a workflow cannot be stored. */
export interface ManifestFault {
  /** The workflow id; `undefined` for an entry without a storable id. */
  readonly workflowId: string | undefined
  /** What is wrong, including the id. */
  readonly message: string
}

/**
 * Finds parts of a reply to `discover` that the service cannot store: entries that are not workflows, duplicate ids,
 * workflows with ambiguous steps, names, descriptions, severities and tags that are not strings, preferences, payloads
 * and controls that are not objects, and events that cannot cancel runs.
 *
 * @param workflows - The unchecked workflows in the reply.
 */
export function checkManifests(workflows: readonly WorkflowManifest[]): CheckedManifests {
  const faults: ManifestFault[] = []
  const healthy = new Map<string, WorkflowManifest>()
  const seen = new Set<string>()
  for (const [index, workflow] of workflows.entries()) {
    const { workflowId } = workflow ?? {}
    if (!isId(workflowId) || !isReachable(workflowId)) {
      const message = `Entry ${index + 1} of the bridge's workflows has no valid workflowId: 1 to 255 printable characters, not "." or "..".`
      faults.push({ workflowId: undefined, message })
      continue
    }
    const fault = findFieldFault(workflow) ?? findStepFault(workflow)
    if (seen.has(workflowId)) {
      healthy.delete(workflowId)
      faults.push({ workflowId, message: `The bridge lists the workflow "${workflowId}" twice.` })
    } else if (fault === undefined) healthy.set(workflowId, workflow)
    seen.add(workflowId)
    if (fault !== undefined)
      faults.push({ workflowId, message: `The workflow "${workflowId}" cannot be stored: ${fault}.` })
  }
  return { healthy: [...healthy.values()], faults }
}

/**
 * Finds agents in a reply to `discover` that the service cannot store: entries without an id, and duplicate ids.
 *
 * @param agents - The unchecked agents in the reply; bridges of other versions list none.
 * @returns The problem; `undefined` if there is none.
 */
export function findAgentFault(agents: unknown): string | undefined {
  if (agents === undefined || agents === null) return undefined
  if (!Array.isArray(agents)) return "The bridge's agents are not a list."
  const faults: string[] = []
  const seen = new Set<string>()
  for (const [index, agent] of (agents as readonly ({ readonly agentId?: unknown } | null)[]).entries()) {
    const agentId = agent?.agentId
    if (!isId(agentId)) {
      faults.push(`Entry ${index + 1} of the bridge's agents has no valid agentId: 1 to 255 printable characters.`)
      continue
    }
    if (seen.has(agentId)) faults.push(`The bridge lists the agent "${agentId}" twice.`)
    seen.add(agentId)
  }
  return faults.length === 0 ? undefined : faults.join(' ')
}

/** Checks the types of fields: they can be omitted, but present ones must have the type that API clients rely on. */
function findFieldFault(workflow: object): string | undefined {
  const { name, description, tags, severity, payload, preferences, cancelOn } = workflow as Readonly<
    Record<string, unknown>
  >
  for (const [field, value] of Object.entries({ name, description, severity }))
    if (value !== undefined && value !== null && !isText(value)) return `its ${field} is not a string`
  if (tags !== undefined && tags !== null && !(Array.isArray(tags) && tags.every(isText)))
    return 'its tags are not a list of strings'
  if (!isAbsent(preferences) && !isObject(preferences)) return 'its preferences are not an object'
  const fault = isAbsent(cancelOn) ? undefined : findCancelOnFault(cancelOn)
  if (fault !== undefined) return `its cancelOn is invalid: ${fault}`
  return findSchemaFault('payload', payload)
}

/** Checks the payload or controls of a manifest, which must be objects that contain a JSON Schema. */
function findSchemaFault(name: string, holder: unknown): string | undefined {
  if (isAbsent(holder)) return undefined
  if (!isObject(holder)) return `the ${name} must be an object`
  const { schema } = holder
  const isSchema = isAbsent(schema) || typeof schema === 'boolean' || isObject(schema)
  return isSchema ? undefined : `the schema of the ${name} must be a JSON Schema`
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

const isText = (value: unknown): boolean => typeof value === 'string' && isStorable(value)

/**
 * Finds steps of a workflow that the service cannot store.
 *
 * @param workflow - The workflow with unchecked steps.
 * @returns What is wrong; `undefined` if nothing is.
 */
export function findStepFault({ steps }: Pick<WorkflowManifest, 'steps'>): string | undefined {
  if (!Array.isArray(steps)) return 'its steps are not a list'
  const seen = new Set<string>()
  for (const [index, step] of (steps as readonly StepManifest[]).entries()) {
    const { stepId, type, controls } = step ?? {}
    if (!isStepId(stepId))
      return `its step ${index + 1} has no valid stepId: 1 to 255 printable characters, not "." or ".."`
    if (seen.has(stepId)) return `it lists the step "${stepId}" twice`
    seen.add(stepId)
    if (!isStepType(type)) return `its step "${stepId}" has the unknown type ${JSON.stringify(type)}`
    const fault = findSchemaFault(`controls of the step "${stepId}"`, controls)
    if (fault !== undefined) return fault
  }
  return undefined
}

/**
 * Returns whether a value can identify a step: storable, and valid in a URL path.
 *
 * @param value - The unchecked value.
 */
export function isStepId(value: unknown): value is string {
  return isId(value) && isReachable(value)
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(value)
}
