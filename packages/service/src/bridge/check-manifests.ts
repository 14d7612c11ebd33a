import { type StepManifest, stepTypes, type WorkflowManifest } from '@trestle/protocol'
import { isReachable, isStorable } from '../api/input.ts'
import { isObject } from '../json/json.ts'

/**
 * Looks for what a service cannot store of a discover answer: entries that are not workflows, two of one id, workflows
 * whose steps cannot be told apart, names, descriptions, severities and tags that are not texts, and preferences, payloads and
 * controls that are not objects.
 *
 * @param workflows - The workflows of the answer, as they came.
 * @returns What is wrong, with the names of the workflows; `undefined` when nothing is.
 */
export function findManifestFault(workflows: readonly WorkflowManifest[]): string | undefined {
  const faults: string[] = []
  const seen = new Set<string>()
  for (const [index, workflow] of workflows.entries()) {
    const { workflowId } = workflow ?? {}
    if (!isId(workflowId) || !isReachable(workflowId)) {
      faults.push(
        `The entry ${index + 1} of the bridge's workflows has no workflowId of 1 to 255 printable characters that is not "." or "..".`,
      )
      continue
    }
    if (seen.has(workflowId)) faults.push(`The bridge lists the workflow "${workflowId}" twice.`)
    seen.add(workflowId)
    const fault = findFieldFault(workflow) ?? findStepFault(workflow)
    if (fault !== undefined) faults.push(`The workflow "${workflowId}" cannot be stored: ${fault}.`)
  }
  return faults.length === 0 ? undefined : faults.join(' ')
}

/**
 * Looks for what a service cannot store of the agents of a discover answer: entries without an id, and two of one id.
 *
 * @param agents - The agents of the answer, as they came; bridges of other versions list none.
 * @returns What is wrong; `undefined` when nothing is.
 */
export function findAgentFault(agents: unknown): string | undefined {
  if (agents === undefined || agents === null) return undefined
  if (!Array.isArray(agents)) return "The bridge's agents are not a list."
  const faults: string[] = []
  const seen = new Set<string>()
  for (const [index, agent] of (agents as readonly ({ readonly agentId?: unknown } | null)[]).entries()) {
    const agentId = agent?.agentId
    if (!isId(agentId)) {
      faults.push(`The entry ${index + 1} of the bridge's agents has no agentId of 1 to 255 printable characters.`)
      continue
    }
    if (seen.has(agentId)) faults.push(`The bridge lists the agent "${agentId}" twice.`)
    seen.add(agentId)
  }
  return faults.length === 0 ? undefined : faults.join(' ')
}

/** What is left out is fine; what is there is shown by the API, whose clients rely on its type. */
function findFieldFault(workflow: object): string | undefined {
  const { name, description, tags, severity, payload, preferences } = workflow as Readonly<Record<string, unknown>>
  for (const [field, value] of Object.entries({ name, description, severity }))
    if (value !== undefined && value !== null && !isText(value)) return `its ${field} is not a text`
  if (tags !== undefined && tags !== null && !(Array.isArray(tags) && tags.every(isText)))
    return 'its tags are not a list of texts'
  if (!isAbsent(preferences) && !isObject(preferences)) return 'its preferences are not an object'
  return findSchemaFault('payload', payload)
}

/** Payload and controls of a manifest are objects that hold a JSON Schema. */
function findSchemaFault(name: string, holder: unknown): string | undefined {
  if (isAbsent(holder)) return undefined
  if (!isObject(holder)) return `the ${name} must be an object`
  const { schema } = holder
  const isSchema = isAbsent(schema) || typeof schema === 'boolean' || isObject(schema)
  return isSchema ? undefined : `the schema of the ${name} must be a JSON Schema`
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

const isText = (value: unknown): boolean => typeof value === 'string' && isStorable(value)

function findStepFault({ steps }: WorkflowManifest): string | undefined {
  if (!Array.isArray(steps)) return 'its steps are not a list'
  const seen = new Set<string>()
  for (const [index, step] of (steps as readonly StepManifest[]).entries()) {
    const { stepId, type, controls } = step ?? {}
    if (!isId(stepId) || !isReachable(stepId))
      return `its step ${index + 1} has no stepId of 1 to 255 printable characters that is not "." or ".."`
    if (seen.has(stepId)) return `it lists the step "${stepId}" twice`
    seen.add(stepId)
    if (!stepTypes.includes(type)) return `its step "${stepId}" is of the unknown type ${JSON.stringify(type)}`
    const fault = findSchemaFault(`controls of the step "${stepId}"`, controls)
    if (fault !== undefined) return fault
  }
  return undefined
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(value)
}
