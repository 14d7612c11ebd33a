import { CodedError, findPointer, type Issue } from '@trestle/protocol'
import { endSentence } from '../base/thrown.ts'
import { type RegisteredWorkflow, schemasOf } from '../bridge/registered-workflow.ts'
import type { CompiledSchema } from '../schema/compiled-schema.ts'
import { resultSchemaOf } from '../workflow/steps/compiled-step.ts'
import type { RecordedRun } from './recording/recorded-run.ts'

/**
 * Validates the payloads and environment variables of the developer's samples.
 *
 * @throws CodedError - `WorkflowDiscoveryFailedError`: a sample does not match its schema.
 */
export async function checkSamples(workflow: RegisteredWorkflow): Promise<void> {
  const schemas = schemasOf(workflow)
  for (const [index, { payload, env }] of (workflow.options.samples ?? []).entries()) {
    const { issues } = payload === undefined ? {} : await schemas.payload.check(payload)
    if (issues) throw invalid(workflow, `the payload of samples[${index}] does not match the payloadSchema`, issues[0])
    const issue = await findIssue(schemas.env, env)
    if (issue) throw invalid(workflow, `the env of samples[${index}] does not match the envSchema`, issue)
  }
}

/**
 * Validates the step results of the developer's samples, whose schemas are only known after a run.
 *
 * @param runs - The runs that called the steps, on any data.
 * @throws CodedError - `WorkflowDiscoveryFailedError`: a result does not match its schema.
 */
export async function checkSampleResults(workflow: RegisteredWorkflow, runs: readonly RecordedRun[]): Promise<void> {
  const calls = new Map(runs.flatMap((run) => run.calls.map(({ id, call }) => [id, call])))
  for (const [index, { results = {} }] of (workflow.options.samples ?? []).entries())
    for (const [id, result] of Object.entries(results)) {
      const call = calls.get(id)
      const issue = call && (await findIssue(resultSchemaOf(workflow.steps, call), result))
      if (issue)
        throw invalid(workflow, `the result of step "${id}" in samples[${index}] does not match its schema`, issue)
    }
}

/** Returns the first issue of a given value. Missing values are ignored, because they are generated. */
async function findIssue(schema: CompiledSchema, given: unknown): Promise<Issue | undefined> {
  if (given === undefined) return undefined
  const { issues } = await schema.check(given)
  return issues?.find(({ path }) => path !== '' && findPointer(given, path) !== undefined)
}

function invalid({ id }: RegisteredWorkflow, what: string, { path, message }: Issue): CodedError {
  const text = endSentence(`Workflow "${id}": ${what}. ${path}: ${message}`)
  return new CodedError('WorkflowDiscoveryFailedError', text, { data: { errors: [text] } })
}
