import { CodedError, type SchemaPart, type StepManifest, type Warning, type WorkflowManifest } from '@trestle/protocol'
import { toThrown } from '../base/thrown.ts'
import { type RegisteredWorkflow, schemasOf } from '../bridge/registered-workflow.ts'
import { findTemplateFaults } from '../controls/find-template-faults.ts'
import type { CompiledSchema } from '../schema/compiled-schema.ts'
import { toPreferencesManifest } from '../workflow/preferences.ts'
import type { ChannelKind } from '../workflow/providers/channel-kind.ts'
import { findProvider } from '../workflow/providers/provider-schemas.ts'
import { checkProviders } from '../workflow/steps/check-providers.ts'
import { compileStep } from '../workflow/steps/compiled-step.ts'
import { stepKinds } from '../workflow/steps/step-kinds.ts'
import type { DiscoveredStep, Discovery } from './discovery.ts'

/**
 * Returns a workflow as `discover` publishes it.
 *
 * @param workflow - The workflow.
 * @param discovery - Its steps.
 * @param exposeCode - Whether source text is told.
 * @throws CodedError - `WorkflowDiscoveryFailedError`: a schema cannot be shown; `ProviderNotFoundError`.
 * @source Protocol, "Replies".
 */
export async function toManifest(
  workflow: RegisteredWorkflow,
  discovery: Discovery,
  exposeCode: boolean,
): Promise<WorkflowManifest> {
  const { name, description, tags = [], severity = 'none', preferences } = workflow.options
  const { payload, controls, env } = schemasOf(workflow)
  const steps: StepManifest[] = []
  for (const step of discovery.steps) steps.push(await toStep(workflow, step, exposeCode))
  return {
    workflowId: workflow.id,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    tags,
    severity,
    preferences: toPreferencesManifest(preferences),
    payload: { schema: payload.jsonSchema() },
    controls: { schema: controls.jsonSchema() },
    env: { schema: env.jsonSchema() },
    steps,
    warnings: [...discovery.warnings, ...(await toTemplateWarnings(workflow.id, steps))],
    ...(exposeCode && { code: String(workflow.run) }),
  }
}

async function toStep(workflow: RegisteredWorkflow, step: DiscoveredStep, exposeCode: boolean): Promise<StepManifest> {
  const { id, call, conditional, parallelGroup } = step
  checkProviders(call)
  const compiled = compileStep(workflow.steps, call)
  const part = (schema: CompiledSchema, what: string): Promise<SchemaPart> =>
    publish(schema, `Workflow "${workflow.id}": the ${what} of step "${id}" cannot be published.`)
  return {
    stepId: id,
    type: stepKinds[call.kind].type,
    controls: await part(compiled.controls, 'controlSchema'),
    outputs: await part(compiled.output, 'outputSchema'),
    results: await part(compiled.result, 'result schema'),
    providers: Object.entries(call.options.providers ?? {}).map(([type, override]) => ({
      type,
      outputs: { schema: findProvider(call.kind as ChannelKind, type)?.schema ?? {} },
      ...(exposeCode && { code: String(override) }),
    })),
    options: { disableOutputSanitization: call.options.disableOutputSanitization ?? false },
    conditional,
    parallelGroup,
    ...(exposeCode && { code: String(call.handler) }),
  }
}

async function publish(schema: CompiledSchema, what: string): Promise<SchemaPart> {
  try {
    await schema.prepare()
    return { schema: schema.jsonSchema() }
  } catch (error) {
    const message = `${what} ${toThrown(error).message}`
    throw new CodedError('WorkflowDiscoveryFailedError', message, { data: { errors: [message] }, cause: error })
  }
}

/** A default that is a broken template fails each call of its step; whoever syncs should see it before. */
async function toTemplateWarnings(workflowId: string, steps: readonly StepManifest[]): Promise<readonly Warning[]> {
  const warnings = await Promise.all(
    steps.map(async ({ stepId, controls }) => {
      const faults = await findTemplateFaults(controls.schema)
      return faults.map((fault): Warning => {
        const message = `Workflow "${workflowId}": a default in the controlSchema of step "${stepId}" fails. ${fault}`
        return { code: 'ControlTemplateInvalid', message }
      })
    }),
  )
  return warnings.flat()
}
