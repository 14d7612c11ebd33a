import { runInSandbox, SandboxError } from '../sandbox/sandbox.ts'
import type { SchemaAnswer, SchemaFault } from './payload-schema.ts'

/** Thrown for a JSON Schema that a value cannot be checked against: it is wrong, or the check takes too long. */
export class UnusableSchemaError extends Error {
  override readonly name = 'UnusableSchemaError'
}

/** A schema, and whose it is. */
export interface OwnedSchema {
  /** The schema as JSON. */
  readonly schema: string
  /** The id of the environment. */
  readonly owner: string
}

/**
 * Returns what a schema refuses about a value; nothing if the value fits.
 *
 * @throws {UnusableSchemaError} The schema cannot be used, or the check exceeded its budget.
 */
export async function findPayloadFaults({
  owner,
  ...input
}: OwnedSchema & { readonly value: unknown }): Promise<readonly SchemaFault[]> {
  const answer = await ask({ task: 'findFaults', input, owner })
  if ('faults' in answer) return answer.faults
  throw new UnusableSchemaError(answer.unusable)
}

/** Returns why no value can be checked against a schema; undefined if values can. */
export async function findSchemaFault({ owner, schema }: OwnedSchema): Promise<string | undefined> {
  const answer = await ask({ task: 'checkSchema', input: { schema }, owner })
  return 'unusable' in answer ? answer.unusable : undefined
}

async function ask(work: Parameters<typeof runInSandbox>[0]): Promise<SchemaAnswer> {
  try {
    return (await runInSandbox(work)) as SchemaAnswer
  } catch (error) {
    if (error instanceof SandboxError) return { unusable: error.message }
    throw error
  }
}
