import { CodedError, type Warning } from '@trestle/protocol'
import { compileSchema } from '../schema/compile-schema.ts'
import type { CompiledSchema } from '../schema/compiled-schema.ts'
import type { Schema } from '../schema/schema-types.ts'
import type { CompiledStep } from '../workflow/steps/compiled-step.ts'
import type { WorkflowDefinition, WorkflowOptions } from '../workflow/workflow.ts'

/** A workflow in a bridge, with what is kept for it between calls. */
export interface RegisteredWorkflow {
  readonly id: string
  /** The function, types gone. */
  readonly run: (context: unknown) => unknown
  readonly options: WorkflowOptions<Schema, Schema, Schema>
  /** Another workflow has the same id. */
  duplicate: boolean
  /** The schemas, compiled at first need. */
  schemas: WorkflowSchemas | undefined
  /** Compiled steps by step id. */
  readonly steps: Map<string, CompiledStep>
  /** How many steps discovery has found so far. */
  stepCount: number
  /** Receives what is dropped as unknown; without it unknown fields and variables are errors. */
  readonly onUnknown: ((warning: Warning) => void) | undefined
}

/** The compiled schemas of a workflow. */
export interface WorkflowSchemas {
  readonly payload: CompiledSchema
  readonly controls: CompiledSchema
  readonly env: CompiledSchema
}

/**
 * Takes a workflow into a bridge. Nothing is compiled or run yet.
 *
 * @param definition - The workflow.
 * @param onUnknown - Receives what is dropped as unknown.
 */
export function register(
  definition: WorkflowDefinition,
  onUnknown?: RegisteredWorkflow['onUnknown'],
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
  }
}

/**
 * Returns a workflow's schemas, compiled once.
 *
 * @param workflow - The workflow.
 * @throws CodedError - `WorkflowDiscoveryFailedError`: one of them is no schema.
 */
export function schemasOf(workflow: RegisteredWorkflow): WorkflowSchemas {
  workflow.schemas ??= {
    payload: compile(workflow, 'payloadSchema'),
    controls: compile(workflow, 'controlSchema'),
    env: compile(workflow, 'envSchema'),
  }
  return workflow.schemas
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
