import type { JsonObject } from '@trestle/protocol'
import { ApiError, invalid, notFound } from '../../api/api-error.ts'
import { secretMask } from '../../bridge/mask-secrets.ts'
import type { CallContext } from '../../context/service-context.ts'
import { sealedPlaces } from '../../secrets/sealed-places.ts'
import { isUniqueViolation } from '../../store/faults/unique-violation.ts'
import type { VariableRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'

/** Values of a variable by environment, as a caller sends them. */
export type VariableValues = readonly { readonly _environmentId: string; readonly value: string }[]

/**
 * Finds a variable.
 *
 * @param db - Where from.
 * @param key - Its key.
 * @throws {ApiError} There is none.
 */
export async function findVariable(db: Session, key = ''): Promise<VariableRow> {
  const row = await db.selectFrom('variables').selectAll().where('key', '=', key).executeTakeFirst()
  if (!row) throw notFound('Environment variable', key)
  return row
}

/**
 * Returns whether an environment other than that of the call has a value of a variable.
 *
 * @param db - Where from.
 * @param context - The call.
 * @param row - The variable.
 * @source Authentication, 3
 */
export async function isOthersToo(db: Session, { environment }: CallContext, row: VariableRow): Promise<boolean> {
  const other = await db
    .selectFrom('variableValues')
    .select('environmentId')
    .where('variableId', '=', row.id)
    .where('environmentId', '!=', environment.id)
    .executeTakeFirst()
  return other !== undefined
}

/**
 * Stores a variable.
 *
 * @param key - Its key, for the error.
 * @param write - Stores it.
 * @throws {ApiError} The key is taken.
 */
export async function unlessTaken(key: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const hint = 'PATCH stores its value in the environment of the key.'
    throw new ApiError(409, `The environment variable "${key}" exists already. ${hint}`)
  }
}

/**
 * Stores the values of a variable, encrypted.
 *
 * @param tx - The transaction.
 * @param context - The call: only the values of its environment can be stored.
 * @param change - The variable and its values.
 * @throws {ApiError} A value is meant for another environment, or is the mask of a secret.
 */
export async function storeValues(
  tx: Session,
  { environment, vault, clock }: CallContext,
  { row, values }: { readonly row: VariableRow; readonly values: VariableValues },
): Promise<void> {
  if (new Set(values.map(({ _environmentId }) => _environmentId)).size < values.length)
    throw invalid('values', 'holds one environment twice')
  for (const [index, { _environmentId, value }] of values.entries()) {
    if (_environmentId !== environment.id)
      throw invalid(`values.${index}._environmentId`, `must be the environment of the key, ${environment.id}`)
    if (value === secretMask) throw invalid(`values.${index}.value`, 'is the mask of a secret, not a value')
    const stored = { value: vault.seal(value, sealedPlaces.variable(row.id, environment.id)), updatedAt: clock.now() }
    await tx
      .insertInto('variableValues')
      .values({ variableId: row.id, environmentId: environment.id, ...stored })
      .onConflict((conflict) => conflict.columns(['variableId', 'environmentId']).doUpdateSet(stored))
      .execute()
  }
}

/**
 * Returns a variable as the API shows it: with the value of the call's environment, a secret one masked.
 *
 * @param db - Where from.
 * @param context - The call.
 * @param row - The variable.
 */
export async function showVariable(
  db: Session,
  { environment, vault, organizationId }: CallContext,
  row: VariableRow,
): Promise<JsonObject> {
  const values = await db
    .selectFrom('variableValues')
    .select('value')
    .where('variableId', '=', row.id)
    .where('environmentId', '=', environment.id)
    .execute()
  return {
    _id: row.id,
    _organizationId: organizationId,
    key: row.key,
    type: row.type,
    isSecret: row.isSecret === 1,
    values: values.map(({ value }) => ({
      _environmentId: environment.id,
      value: row.isSecret === 1 ? secretMask : vault.open(value, sealedPlaces.variable(row.id, environment.id)),
    })),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  }
}
