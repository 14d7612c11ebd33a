import { CodedError, type Warning } from '@trestle/protocol'
import { endSentence } from '../base/thrown.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import type { CompiledSchema } from '../schema/compiled-schema.ts'
import type { Schema } from '../schema/schema-types.ts'
import type { CompiledStep } from '../workflow/steps/compiled-step.ts'
import type { WorkflowDefinition, WorkflowOptions } from '../workflow/workflow.ts'

/** A workflow in a bridge, with its state between calls. */
export interface RegisteredWorkflow {
  readonly id: string
  readonly run: (context: unknown) => unknown
  readonly options: WorkflowOptions<Schema, Schema, Schema>
  /** Whether another workflow has the same id. */
  duplicate: boolean
  /** The schemas, compiled on first use. */
  schemas: WorkflowSchemas | undefined
  /** Compiled steps by step id. */
  readonly steps: Map<string, CompiledStep>
  /** The number of steps discovered so far. */
  stepCount: number
  /** Receives warnings about dropped unknown fields; without it, unknown fields and variables are errors. */
  readonly onUnknown: ((warning: Warning) => void) | undefined
  /** Whether the bridge's service runs the listed steps, so that runs cannot wait for events. */
  readonly followsList: boolean
}

/** The compiled schemas of a workflow. */
export interface WorkflowSchemas {
  readonly payload: CompiledSchema
  readonly controls: CompiledSchema
  readonly env: CompiledSchema
}

/**
 * Registers a workflow in a bridge, without compiling or running it.
 *
 * @param service - The service that the bridge is configured for.
 */
export function register(
  definition: WorkflowDefinition,
  { onUnknown, followsList = false }: Partial<Pick<RegisteredWorkflow, 'onUnknown' | 'followsList'>> = {},
): RegisteredWorkflow {
  return {
    id: definition.id,
    run: definition.run as (context: unknown) => unknown,
    options: definition.options,
    duplicate: false,
    schemas: undefined,
    steps: new Map(),
    stepCount: 0,
    onUnknown,
    followsList,
  }
}

/**
 * Returns a workflow's schemas, compiled once.
 *
 * @throws CodedError - `WorkflowDiscoveryFailedError`: a schema is invalid.
 */
export function schemasOf(workflow: RegisteredWorkflow): WorkflowSchemas {
  workflow.schemas ??= {
    payload: compile(workflow, 'payloadSchema'),
    controls: compile(workflow, 'controlSchema'),
    env: compile(workflow, 'envSchema'),
  }
  return workflow.schemas
}

/**
 * Returns the workflow's own controls: the defaults of their schema, because values cannot be saved for a workflow.
 *
 * @throws CodedError - `WorkflowDiscoveryFailedError`: a required field has no default.
 */
export async function controlsOf(workflow: RegisteredWorkflow): Promise<unknown> {
  const verdict = await schemasOf(workflow).controls.check({})
  if (!verdict.issues) return verdict.value
  const [{ path, message: reason }] = verdict.issues
  const message = endSentence(
    `Workflow "${workflow.id}": each field of the controlSchema needs a default or must be optional. ${path}: ${reason}`,
  )
  throw new CodedError('WorkflowDiscoveryFailedError', message, { data: { errors: [message] } })
}

function compile(
  workflow: RegisteredWorkflow,
  option: 'payloadSchema' | 'controlSchema' | 'envSchema',
): CompiledSchema {
  try {
    return compileSchema(workflow.options[option])
  } catch (error) {
    const message = `Workflow "${workflow.id}": the option ${option} cannot be used. ${(error as Error).message}`
    throw new CodedError('WorkflowDiscoveryFailedError', message, { data: { errors: [message] }, cause: error })
  }
}
