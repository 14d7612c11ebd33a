import { type CodedError, isCodedError, type JsonObject } from '@trestle/protocol'
import { toSample } from '../../discovery/samples/values/sample.ts'
import { compileSchema } from '../../schema/compile-schema.ts'
import type { CompiledSchema } from '../../schema/compiled-schema.ts'
import { dropUnknownKeys } from '../../schema/drop-unknown-keys.ts'
import type { Schema } from '../../schema/schema-types.ts'
import type { ChannelKind } from '../../workflow/providers/channel-kind.ts'
import { findProvider } from '../../workflow/providers/provider-schemas.ts'
import type { StepCall } from '../../workflow/steps/step-call.ts'
import { toDropWarning } from '../state/drop-warning.ts'
import type { StepRun } from '../state/step-run.ts'
import { invalidOutput } from './invalid-output.ts'
import { toFailure } from './step-failure.ts'
import { toJson } from './to-json.ts'

const compiled = new Map<string, CompiledSchema>()

/**
 * Runs a step's provider overrides, in sequence.
 *
 * @param run - The step and its run.
 * @param controls - The step's controls.
 * @param outputs - The handler's output, validated and sanitized.
 * @throws CodedError - `ProviderExecutionFailedError`, `ExecutionProviderOutputInvalidError`.
 */
export async function runProviders(run: StepRun, controls: unknown, outputs: JsonObject): Promise<JsonObject> {
  const results: JsonObject = {}
  for (const [id, override] of Object.entries(run.call.options.providers ?? {})) {
    if (run.progress.ended) break
    run.progress.phase = `the override for provider "${id}" of step "${run.call.id}"`
    try {
      // A copy, so that an override cannot change the output.
      const returned = await override({ controls, outputs: structuredClone(outputs) })
      results[id] = await toProviderOutput(run, id, returned)
    } catch (error) {
      if (run.scope.sampleData) results[id] = toSample(schemaOf(run.call, id).jsonSchema()) as JsonObject
      else throw toProviderFailure(run, id, error)
    }
  }
  return results
}

function toProviderFailure(run: StepRun, id: string, error: unknown): CodedError {
  if (isCodedError(error) && error.code === 'ExecutionProviderOutputInvalidError') return error
  const what = `the override for provider "${id}" of step "${run.call.id}"`
  return toFailure(run, error, { code: 'ProviderExecutionFailedError', what })
}

async function toProviderOutput(run: StepRun, id: string, returned: unknown): Promise<JsonObject> {
  const wire = toJson(returned)
  if (wire.issues) throw invalidOutput(run, wire.issues, overrideOutput(id))
  const schema = schemaOf(run.call, id)
  const checked = { value: wire.value, verdict: await schema.check(wire.value) }
  const { workflow } = run.scope
  const where = `the override for provider "${id}" of step "${run.call.id}" of workflow "${workflow.id}"`
  const { onUnknown } = workflow
  const { value, verdict } = onUnknown
    ? await dropUnknownKeys(schema, checked, (path) => onUnknown(toDropWarning(path, where)))
    : checked
  if (verdict.issues) throw invalidOutput(run, verdict.issues, overrideOutput(id))
  return value
}

function schemaOf({ kind }: StepCall, id: string): CompiledSchema {
  const key = `${kind}/${id}`
  const cachedSchema = compiled.get(key)
  if (cachedSchema) return cachedSchema
  const compiledSchema = compileSchema(findProvider(kind as ChannelKind, id)?.schema as Schema)
  compiled.set(key, compiledSchema)
  return compiledSchema
}

function overrideOutput(id: string): { readonly code: 'ExecutionProviderOutputInvalidError'; readonly what: string } {
  return { code: 'ExecutionProviderOutputInvalidError', what: `the override for provider "${id}"` }
}
