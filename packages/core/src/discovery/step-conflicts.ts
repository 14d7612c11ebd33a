import { CodedError } from '@trestle/protocol'
import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import type { Schema } from '../schema/schema-types.ts'
import type { StepCall } from '../workflow/steps/step-call.ts'
import type { ExploringRun, RecordedCall } from './recording/recorded-run.ts'
import { sourceOf } from './text/source-of.ts'

const schemaCure =
  'Give each step its own id, and do not build its schemas from call data; a default may be a template, such as ' +
  '{{ subscriber.firstName }}.'
/**
 * The maximum number of compared calls: a schema can be created in each run, and publishing it costs more than the run.
 */
const maxCompared = 3

/**
 * Finds a step that a run called more than once. If a list has two items, the cause can be the sample, for example if
 * both have the same enum value. Therefore only runs with single-item lists and only literal ids are checked: sample
 * data repeats values that differ in real data.
 *
 * @param workflow - The workflow of the runs.
 * @param runs - Runs that ended normally.
 */
export function findDuplicate(workflow: RegisteredWorkflow, runs: readonly ExploringRun[]): CodedError | undefined {
  for (const run of runs) {
    if (hasLongLists(run)) continue
    const double = run.doubles.find(({ id }) => isLiteral(workflow, id))
    if (double) return conflict(workflow.id, double.id, 'is called twice in one run')
  }
  return undefined
}

/** Returns whether an id is a string literal in the source text. */
function isLiteral(workflow: RegisteredWorkflow, id: string): boolean {
  const source = sourceOf(workflow)
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${id}${quote}`))
}

function hasLongLists({ reads }: ExploringRun): boolean {
  // For lists, the first choice has one item, the second two and the last none; the lengths of literals come next.
  return [...reads.values()].some(({ isList, chosen, count }) => isList && (chosen === 1 || chosen >= count))
}

/**
 * Finds an id that different runs use for different steps.
 *
 * @param workflowId - The id of the workflow.
 * @param runs - All recorded runs.
 */
export async function findConflict(workflowId: string, runs: readonly ExploringRun[]): Promise<CodedError | undefined> {
  const callsById = new Map<string, { readonly first: RecordedCall; compared: number }>()
  for (const { calls } of runs)
    for (const call of calls) {
      const seen = callsById.get(call.id)
      if (!seen) {
        callsById.set(call.id, { first: call, compared: 0 })
        continue
      }
      const { first } = seen
      if (first.call.kind !== call.call.kind)
        return conflict(workflowId, call.id, `is ${first.call.kind} in one run and ${call.call.kind} in another`)
      if (
        (hasSchemas(first) || hasSchemas(call)) &&
        seen.compared++ < maxCompared &&
        !(await haveSameSchemas(first.call, call.call))
      )
        return conflict(workflowId, call.id, 'has different schemas in different runs', schemaCure)
    }
  return undefined
}

function hasSchemas({ call: { options } }: RecordedCall): boolean {
  const { controlSchema, outputSchema, schema } = options
  return controlSchema !== undefined || outputSchema !== undefined || schema !== undefined
}

async function haveSameSchemas(left: StepCall, right: StepCall): Promise<boolean> {
  return (
    (await isSame(left.options.controlSchema, right.options.controlSchema)) &&
    (await isSame(left.options.outputSchema, right.options.outputSchema)) &&
    (await isSame(left.options.schema, right.options.schema))
  )
}

async function isSame(left: Schema | undefined, right: Schema | undefined): Promise<boolean> {
  if (left === right) return true
  if (left === undefined || right === undefined) return false
  return (await publish(left)) === (await publish(right))
}

/** Published schemas, cached because each call is compared with several other calls of its step. */
const publishedOf = new WeakMap<object, string>()

async function publish(schema: Schema): Promise<string> {
  if (typeof schema === 'boolean') return String(schema)
  const cachedJson = publishedOf.get(schema)
  if (cachedJson !== undefined) return cachedJson
  const compiled = compileSchema(schema)
  await compiled.prepare()
  const published = JSON.stringify(compiled.jsonSchema())
  publishedOf.set(schema, published)
  return published
}

function conflict(
  workflowId: string,
  stepId: string,
  ...[what, cure = 'Give each step its own id.']: readonly [string, string?]
): CodedError {
  return new CodedError('StepAlreadyExistsError', `Workflow "${workflowId}": step "${stepId}" ${what}. ${cure}`, {
    data: { workflowId, stepId },
  })
}
