import { WorkLimitError } from '@trestle/worker-pool'
import { runInSandbox } from '../sandbox/sandbox.ts'
import type { SchemaAnswer, SchemaFault } from './payload-schema.ts'

/**
 * Thrown for a JSON Schema that values cannot be validated against, because it is invalid or the validation takes too
 * long.
 */
export class UnusableSchemaError extends Error {
  override readonly name = 'UnusableSchemaError'
}

export interface OwnedSchema {
  /** The schema as JSON. */
  readonly schema: string
  /** The id of the environment. */
  readonly owner: string
}

/**
 * Validates a value. Returns its errors; empty if it is valid.
 *
 * @throws {UnusableSchemaError} The schema is invalid, or the validation exceeded its limits.
 */
export async function findPayloadFaults({
  owner,
  ...input
}: OwnedSchema & { readonly value: unknown }): Promise<readonly SchemaFault[]> {
  const answer = await ask({ task: 'findFaults', input, owner })
  if ('faults' in answer) return answer.faults
  throw new UnusableSchemaError(answer.unusable)
}

/** Returns why values cannot be validated against a schema; undefined if they can. */
export async function findSchemaFault({ owner, schema }: OwnedSchema): Promise<string | undefined> {
  const answer = await ask({ task: 'checkSchema', input: { schema }, owner })
  return 'unusable' in answer ? answer.unusable : undefined
}

async function ask(work: Parameters<typeof runInSandbox>[0]): Promise<SchemaAnswer> {
  try {
    return (await runInSandbox(work)) as SchemaAnswer
  } catch (error) {
    if (error instanceof WorkLimitError) return { unusable: error.message }
    throw error
  }
}
