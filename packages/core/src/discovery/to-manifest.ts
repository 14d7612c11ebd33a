import {
  CodedError,
  type JsonObject,
  type SchemaPart,
  type StepDescription,
  type StepManifest,
  type Warning,
  type WorkflowManifest,
} from '@trestle/protocol'
import { lazy } from '../base/lazy.ts'
import { toThrown } from '../base/thrown.ts'
import { type RegisteredWorkflow, schemasOf } from '../bridge/registered-workflow.ts'
import type { Settings } from '../bridge/settings.ts'
import { findTemplateFaults } from '../controls/find-template-faults.ts'
import type { CompiledSchema } from '../schema/compiled-schema.ts'
import { toCancelOnManifest } from '../workflow/cancel-on.ts'
import { toPreferencesManifest } from '../workflow/preferences.ts'
import type { ChannelKind } from '../workflow/providers/channel-kind.ts'
import { checkProviders } from '../workflow/steps/check-providers.ts'
import { compileStep } from '../workflow/steps/compiled-step.ts'
import type { StepCall } from '../workflow/steps/step-call.ts'
import { stepKinds } from '../workflow/steps/step-kinds.ts'
import type { WorkflowSample } from '../workflow/workflow.ts'
import { checkListable } from './check-listable.ts'
import type { DiscoveredStep, Discovery } from './discovery.ts'

// Loaded if a step has provider overrides.
const overriding = lazy(() => import('../workflow/providers/provider-schemas.ts'))

/**
 * Returns a workflow as `discover` publishes it.
 *
 * @param workflow - The workflow to publish.
 * @param discovery - The workflow's discovered steps.
 * @param settings - Whether to publish source text, and the placeholder for missing schemas.
 * @throws CodedError - `WorkflowDiscoveryFailedError`: a schema cannot be converted, or the service cannot run the
 *   workflow; `ProviderNotFoundError`.
 * @source bridge-protocol.md#replies
 */
export async function toManifest(
  workflow: RegisteredWorkflow,
  discovery: Discovery,
  { exposeCode, service }: Pick<Settings, 'exposeCode' | 'service'>,
): Promise<WorkflowManifest> {
  const { name, description, tags = [], severity = 'none', preferences, samples = [], cancelOn } = workflow.options
  const cancelingEvents = toCancelOnManifest(cancelOn)
  const ignoredOptions = checkListable(workflow, discovery.steps, cancelingEvents.length > 0)
  const { payload, controls, env } = schemasOf(workflow)
  const steps: StepManifest[] = []
  for (const step of discovery.steps) steps.push(await toStep(workflow, step, exposeCode))
  const part = (schema: JsonObject): SchemaPart => ({
    schema: isEmpty(schema) ? (service?.noSchema ?? schema) : schema,
  })
  return {
    workflowId: workflow.id,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    tags,
    severity,
    preferences: toPreferencesManifest(preferences),
    ...(cancelingEvents.length > 0 && { cancelOn: cancelingEvents }),
    payload: part(withExamples(payload.jsonSchema(), samples)),
    controls: part(controls.jsonSchema()),
    env: part(env.jsonSchema()),
    steps: steps.map((step) => ({ ...step, controls: part(step.controls.schema) })),
    complete: discovery.isComplete,
    warnings: [...discovery.warnings, ...ignoredOptions, ...(await toTemplateWarnings(workflow.id, steps))],
    ...(exposeCode && { code: String(workflow.run) }),
  }
}

/**
 * Adds the samples to the examples: forms start with the first example and previews with the first sample, so both show the same data.
 */
function withExamples(schema: JsonObject, samples: readonly WorkflowSample[]): JsonObject {
  const examples = samples.flatMap(({ payload }) => (payload === undefined ? [] : [payload]))
  if (examples.length === 0) return schema
  const own = Array.isArray(schema['examples']) ? schema['examples'] : []
  return { ...schema, examples: [...examples, ...own] }
}

function isEmpty(schema: JsonObject): boolean {
  return Object.keys(schema).length === 0
}

async function toStep(workflow: RegisteredWorkflow, step: DiscoveredStep, exposeCode: boolean): Promise<StepManifest> {
  const { call, conditional, parallelGroup, isReached } = step
  const described = await describeStep(workflow, call, exposeCode && isReached)
  return { ...described, conditional, parallelGroup, ...(!isReached && { reached: false }) }
}

/**
 * Returns a step as `discover` publishes it, except its position.
 *
 * @param workflow - The workflow.
 * @param call - The call of the step.
 * @param exposeCode - Whether to publish source text.
 * @throws CodedError - `WorkflowDiscoveryFailedError`: a schema cannot be converted; `ProviderNotFoundError`.
 */
export async function describeStep(
  workflow: RegisteredWorkflow,
  call: StepCall,
  exposeCode: boolean,
): Promise<StepDescription> {
  const { id } = call
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
    providers: call.options.providers ? await toProviders(call, exposeCode) : [],
    options: { disableOutputSanitization: call.options.disableOutputSanitization ?? false },
    ...(exposeCode && { code: String(call.handler) }),
  }
}

async function toProviders({ kind, options }: StepCall, exposeCode: boolean): Promise<StepManifest['providers']> {
  const { findProvider } = await overriding()
  return Object.entries(options.providers ?? {}).map(([type, override]) => ({
    type,
    outputs: { schema: findProvider(kind as ChannelKind, type)?.schema ?? {} },
    ...(exposeCode && { code: String(override) }),
  }))
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

/**
 * Returns warnings about defaults that are invalid templates, because such a default makes each call of its step fail.
 */
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
