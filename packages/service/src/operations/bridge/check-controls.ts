import { isObject, type JsonObject, toPointer } from '@trestle/protocol'
import { WorkLimitError } from '@trestle/worker-pool'
import { ApiError } from '../../api/api-error.ts'
import type { BridgeFailure } from '../../bridge/bridge-call.ts'
import { toBridgeError } from '../../bridge/bridge-error.ts'
import type { FieldSource, UnknownField } from '../../compose/unknown-fields.ts'
import { hideSecrets } from '../../context/hide-secrets.ts'
import type { CallContext } from '../../context/service-context.ts'
import { readText, toObject } from '../../json/json.ts'
import { runInSandbox } from '../../sandbox/sandbox.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'
import { askPreview } from '../workflows/preview-step.ts'

/** A problem with a control value. */
export interface ControlIssue {
  /** JSON pointer of the value. */
  readonly path: string
  readonly message: string
  /** The line in the template, starting at 1. */
  readonly line?: number
  /** The column in the template, starting at 1. */
  readonly column?: number
}

/**
 * Tests control values on sample data, as the step will use them.
 *
 * @param params - `workflowId` and `stepId`.
 * @throws {ApiError} 404 for an unknown step; the status of the bridge's failure if they could not be tested.
 */
export async function findControlIssues(
  context: CallContext,
  params: Readonly<Record<string, string>>,
  controls: JsonObject,
): Promise<readonly ControlIssue[]> {
  const { outcome, workflow, step } = await askPreview(context, params, { controls, storedControls: false })
  const issues = outcome.reply ? [] : toIssues(outcome.failure)
  if (issues === undefined) throw toBridgeError(outcome.failure)
  const unknownFields = await findUnknownFields(
    { controls, payloadSchema: payloadSchemaOf(workflow) },
    context.environment.id,
  )
  const unknown: readonly ControlIssue[] = [...findUnknownControls(controls, step.controlSchema), ...unknownFields]
  const issueKeys = new Set(issues.map(({ path, line }) => JSON.stringify([path, line])))
  const allIssues = [...issues, ...unknown.filter(({ path, line }) => !issueKeys.has(JSON.stringify([path, line])))]
  return (await hideSecrets(context, allIssues)) as readonly ControlIssue[]
}

/** Returns the fields that do not exist; none for templates that take too long to read. The step has its own limits. */
async function findUnknownFields(input: FieldSource, owner: string): Promise<readonly UnknownField[]> {
  try {
    return (await runInSandbox({ task: 'findUnknownFields', input, owner })) as readonly UnknownField[]
  } catch (error) {
    if (!(error instanceof WorkLimitError)) throw error
    return []
  }
}

/** Keywords by which a schema may have properties other than those it lists. */
const openings = ['patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref', 'if', 'dependentSchemas'] as const

/**
 * Returns the controls that a step does not have. They have no effect, unless the schema says that it allows others.
 *
 * @param schema - JSON Schema of the step's controls.
 */
function findUnknownControls(controls: JsonObject, schema: JsonObject): readonly ControlIssue[] {
  const { properties, additionalProperties = false } = schema
  if (!isObject(properties) || additionalProperties !== false || openings.some((name) => name in schema)) return []
  const names = Object.keys(properties)
  return Object.keys(controls)
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => ({
      path: toPointer([name]),
      message: `unknown control "${name}"; the step has ${names.join(', ') || 'no controls'}`,
    }))
}

/**
 * Rejects control values that the step would reject. If the bridge cannot be called, they are not tested.
 *
 * @returns Whether they were tested.
 * @throws {ApiError} 422 with the problems by field.
 */
export async function refuseWrongControls(
  context: CallContext,
  params: Readonly<Record<string, string>>,
  controls: JsonObject,
): Promise<boolean> {
  // Empty values restore the defaults from the code.
  if (Object.keys(controls).length === 0) return true
  const issues = await findControlIssues(context, params, controls).catch((error: unknown) => {
    if (error instanceof ApiError && error.status !== 404) return undefined
    throw error
  })
  if (issues === undefined) return false
  if (issues.length === 0) return true
  const errors: Record<string, { messages: string[] }> = {}
  for (const { path, message, line, column } of issues) {
    const place = line === undefined ? '' : `line ${line}, column ${column ?? 1}: `
    const field = ['variables', ...path.split('/').slice(1)].join('.')
    errors[field] ??= { messages: [] }
    errors[field].messages.push(place + message)
  }
  const [first] = Object.entries(errors)
  throw new ApiError(422, `${first?.[0]}: ${first?.[1].messages[0]}`, { errors })
}

function payloadSchemaOf({ payloadSchema, manifest }: WorkflowRow): JsonObject | undefined {
  if (payloadSchema !== null) return toObject(JSON.parse(payloadSchema))
  const { schema } = manifest === null ? {} : toObject(toObject(JSON.parse(manifest))['payload'])
  return isObject(schema) ? schema : undefined
}

/** Errors that a step only reports after its controls were accepted. */
const laterCodes: ReadonlySet<string> = new Set([
  'StepExecutionFailedError',
  'StepExecutionTimeoutError',
  'ExecutionStateOutputInvalidError',
  'ProviderExecutionFailedError',
  'ExecutionProviderOutputInvalidError',
])

/** Returns the problems of the controls; undefined if the failure is not about them. */
function toIssues(failure: BridgeFailure | undefined): readonly ControlIssue[] | undefined {
  if (failure === undefined) return undefined
  const { code, message, data } = failure
  if (laterCodes.has(code)) return []
  if (code === 'StepControlCompilationFailedError') {
    const { path: where, message: detail, line, column } = toObject(data)
    const place = typeof line === 'number' && typeof column === 'number' ? { line, column } : {}
    return [{ path: readText(where) ?? '', message: readText(detail) ?? message, ...place }]
  }
  if (code !== 'ExecutionStateControlInvalidError') return undefined
  // Bridges of the public framework send only the list.
  const listed = Array.isArray(data) ? data : toObject(data)['issues']
  const rawIssues = (Array.isArray(listed) ? listed : []).filter(isObject)
  const issues = rawIssues.map((one) => ({
    path: String(one['path'] ?? ''),
    message: readText(one['message']) ?? message,
  }))
  return issues.length > 0 ? issues : [{ path: '', message }]
}
