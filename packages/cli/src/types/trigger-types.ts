import { isObject } from '@trestle/protocol'
import { cleanText } from '../base/clean-text.ts'
import { type Schema, toPlainSchema } from '../diff/schemas/plain-schema.ts'
import { schemaToType } from './schema-to-type.ts'

/** The part of a workflow that callers need. */
export interface TriggeredWorkflow {
  readonly workflowId: string
  /** Its display name. */
  readonly name?: string | undefined
  /** What it does. */
  readonly description?: string | undefined
  /** JSON Schema of the payload. */
  readonly payload: unknown
}

/**
 * Returns TypeScript source with the payload types of workflows by id, and a typed `trigger(workflowId, payload)`.
 *
 * @param workflows - The workflows, with their payload schemas.
 * @param options - Whether to return only declarations, for a `.d.ts` file.
 * @example
 * const reply = await client.discover()
 * const workflows = reply.workflows.map((one) => ({ ...one, payload: one.payload.schema }))
 * writeFileSync('workflows.ts', toTriggerTypes(workflows))
 */
export function toTriggerTypes(
  workflows: readonly TriggeredWorkflow[],
  options: { readonly isDeclaration?: boolean } = {},
): string {
  const used = new Set([
    'WorkflowPayloads',
    'WorkflowId',
    'TriggerOptions',
    'Trigger',
    'EventsApi',
    'Readonly',
    'Record',
    'Promise',
  ])
  const createName = (hint: string): string => {
    const base = toTypeName(hint)
    let name = base
    for (let count = 2; used.has(name); count++) name = `${base}${count}`
    used.add(name)
    return name
  }
  const sorted = workflows.toSorted((one, other) => (one.workflowId < other.workflowId ? -1 : 1))
  const definitions: string[] = []
  const rows = sorted.map(({ workflowId, name, description, payload }) => {
    const root: Schema = toSchemaOf(payload)
    const named = new Map<string, { readonly name: string; text: string }>()
    const type = schemaToType(root, { root, named, createName }).replaceAll('\n', '\n  ')
    for (const { name: id, text } of named.values()) definitions.push(`export type ${id} = ${text}\n`)
    const words = [name, description].filter((one) => one !== undefined && one !== workflowId).join(': ')
    const comment = words === '' ? '' : `  /** ${cleanText(words, 300).replaceAll('*/', '* /')} */\n`
    return `${comment}  readonly ${JSON.stringify(workflowId)}: ${type === 'unknown' ? 'Readonly<Record<string, unknown>>' : type}`
  })
  return [
    '// Written by `trestle types`; changes are lost when it runs again.\n',
    ...definitions,
    `/** The payload of each workflow, by its id. */\nexport interface WorkflowPayloads {\n${rows.join('\n')}\n}\n`,
    declarations,
    ...(options.isDeclaration ? [] : [runtime]),
  ].join('\n')
}

/** Returns a payload's schema with its descriptions, which become comments. */
function toSchemaOf(payload: unknown): Schema {
  return isObject(payload) ? (payload as Schema) : toPlainSchema(payload ?? true, { keepDefaults: true })
}

function toTypeName(hint: string): string {
  const words = decodeURIComponent(hint.replaceAll('%', '%25')).split(/[^A-Za-z0-9]+/)
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
  return /^[A-Z]/.test(name) ? name : `Part${name}`
}

const declarations = `/** The id of a workflow. */
export type WorkflowId = keyof WorkflowPayloads & string

/** The recipients and the other data of a trigger. */
export interface TriggerOptions {
  /** A subscriber id, an object with \`subscriberId\`, a topic, or a list of these. */
  readonly to: string | object | readonly (string | object)[]
  /** Your own id for the transaction. */
  readonly transactionId?: string
  /** Overrides by channel, provider and step. */
  readonly overrides?: object
  /** Who caused it. */
  readonly actor?: string | object
}

/** Triggers a workflow with the payload that it takes. */
export type Trigger = <TId extends WorkflowId>(
  workflowId: TId,
  payload: WorkflowPayloads[TId],
  options: TriggerOptions,
) => Promise<{ readonly transactionId?: string | undefined; readonly status: string }>
`

const runtime = `/** What is needed of a client of the REST API: \`createApiClient\` of @trestle/api-client fits. */
export interface EventsApi {
  readonly events: { trigger(input: never): Promise<{ readonly data: unknown }> }
}

/** Returns a typed \`trigger\` that calls the REST API. */
export function createTrigger(api: EventsApi): Trigger {
  return async (workflowId, payload, options) => {
    const { data } = await api.events.trigger({ body: { name: workflowId, payload, ...options } } as never)
    return data as { readonly transactionId?: string; readonly status: string }
  }
}
`
