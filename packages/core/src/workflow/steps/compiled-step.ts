import { CodedError, type JsonObject } from '@trestle/protocol'
import { toThrown } from '../../base/thrown.ts'
import { compileSchema } from '../../schema/compile-schema.ts'
import type { CompiledSchema } from '../../schema/compiled-schema.ts'
import { toSchemaOutline } from '../../schema/schema-outline.ts'
import type { Schema } from '../../schema/schema-types.ts'
import type { StepKindRow } from '../kinds/step-kind.ts'
import { toEventResult } from './event-result.ts'
import type { StepCall } from './step-call.ts'
import { toStepData } from './step-data.ts'
import { isShapedByOption, type StepKind, stepKinds } from './step-kinds.ts'

const maxKeptSteps = 1000

/** A step's compiled schemas, with the schemas they were compiled from. */
export interface CompiledStep {
  readonly kind: StepKind
  readonly row: StepKindRow
  readonly controls: CompiledSchema
  /** The output of the handler. */
  readonly output: CompiledSchema
  /** The result for later steps. */
  readonly result: CompiledSchema
  /** The payload of the event that the step waits for. */
  readonly payload: CompiledSchema
  readonly controlSource: Schema | undefined
  readonly outputSource: Schema | undefined
  readonly payloadSource: Schema | undefined
  /** Whether the step waits for the runs that it triggers. */
  readonly isAwaited: boolean
}

/** The schemas of a step kind, shared by all steps of that kind. */
interface KindSchemas {
  readonly output: CompiledSchema
  readonly result: CompiledSchema
}

const kindSchemas: Partial<Record<StepKind, KindSchemas>> = {}

function schemasOfKind(kind: StepKind): KindSchemas {
  const cachedSchemas = kindSchemas[kind]
  if (cachedSchemas) return cachedSchemas
  const row = stepKinds[kind]
  const schemas = { output: compileOutput(row.output), result: compileSchema(row.result as Schema) }
  kindSchemas[kind] = schemas
  return schemas
}

/**
 * Compiles the schema of an output. Only its fields are published, because the complete schema would account for most
 * of a discovery's size.
 */
function compileOutput(output: JsonObject | undefined): CompiledSchema {
  const checked = compileSchema(output as Schema)
  if (!output) return checked
  const outline = toSchemaOutline(output)
  return { ...checked, jsonSchema: () => outline }
}

/**
 * Returns the schema of a step's result for later steps.
 *
 * @param kept - The workflow's cache by step id.
 * @param reuses - Whether to use the cached schemas even if the call's schemas differ. @default false
 * @throws CodedError - `WorkflowDiscoveryFailedError`: a schema of the step is invalid.
 */
export function resultSchemaOf(kept: Map<string, CompiledStep>, call: StepCall, reuses = false): CompiledSchema {
  const cachedStep = reuses ? kept.get(call.id) : undefined
  if (cachedStep?.kind === call.kind) return cachedStep.result
  const { schema, await: isAwaited } = call.options
  if (isShapedByOption(call.kind) || schema !== undefined || isAwaited) return compileStep(kept, call).result
  return schemasOfKind(call.kind).result
}

/**
 * Returns a step's compiled schemas, cached by step id. A schema defined inside the workflow function is a new object
 * in each run, and is only compiled again if its content differs.
 *
 * @param kept - The workflow's cache by step id.
 * @throws CodedError - `WorkflowDiscoveryFailedError`: a schema of the step is invalid.
 */
export function compileStep(kept: Map<string, CompiledStep>, call: StepCall): CompiledStep {
  const { controlSchema, outputSchema, schema, await: isAwaited = false } = call.options
  const cachedStep = kept.get(call.id)
  if (
    cachedStep &&
    cachedStep.kind === call.kind &&
    isSame(cachedStep.controlSource, controlSchema) &&
    isSame(cachedStep.outputSource, outputSchema) &&
    isSame(cachedStep.payloadSource, schema) &&
    cachedStep.isAwaited === isAwaited
  )
    return cachedStep
  const compiledStep = compile(call)
  kept.delete(call.id)
  kept.set(call.id, compiledStep)
  // Ids made of data have no end.
  const [oldest] = kept.keys()
  if (kept.size > maxKeptSteps && oldest !== undefined) kept.delete(oldest)
  return compiledStep
}

function compile(call: StepCall): CompiledStep {
  const { kind, options } = call
  const { controlSchema, outputSchema, schema, await: isAwaited = false } = options
  const row = stepKinds[kind]
  const own = isShapedByOption(kind) ? compileOwn(call, 'outputSchema', outputSchema) : undefined
  const { output, result } = own ? { output: own, result: own } : schemasOfKind(kind)
  const payload = compileOwn(call, 'schema', schema)
  return {
    kind,
    row,
    controls: compileOwn(call, 'controlSchema', controlSchema),
    output,
    result: payload.given ? toEventResult(payload, result) : isAwaited ? compileSchema(row.awaited as Schema) : result,
    payload,
    controlSource: controlSchema,
    outputSource: outputSchema,
    payloadSource: schema,
    isAwaited,
  }
}

function compileOwn(call: StepCall, option: string, schema: Schema | undefined): CompiledSchema {
  try {
    return compileSchema(schema)
  } catch (error) {
    throw unusableSchema(call, `the option ${option} cannot be used`, error)
  }
}

/** Returns the error for a schema of a step. It names the step, so that only the step fails, and not its run. */
export function unusableSchema(call: StepCall, what: string, cause: unknown): CodedError {
  const message = `Step "${call.id}": ${what}. ${toThrown(cause).message}`
  return new CodedError('WorkflowDiscoveryFailedError', message, {
    data: { ...toStepData(call), errors: [message] },
    cause,
  })
}

function isSame(left: Schema | undefined, right: Schema | undefined): boolean {
  if (left === right) return true
  if (!isPlainSchema(left) || !isPlainSchema(right)) return false
  return JSON.stringify(left) === JSON.stringify(right)
}

function isPlainSchema(schema: Schema | undefined): boolean {
  return typeof schema === 'object' && !('~standard' in schema)
}
