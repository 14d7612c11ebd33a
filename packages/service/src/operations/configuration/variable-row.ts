import type { JsonObject } from '@trestle/protocol'
import { invalid, notFound, refuseTaken } from '../../api/api-error.ts'
import { secretMask } from '../../bridge/mask-secrets.ts'
import type { CallContext } from '../../context/service-context.ts'
import { sealedPlaces } from '../../secrets/sealed-places.ts'
import type { VariableRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'

/** Values of a variable by environment, as a caller sends them. */
export type VariableValues = readonly { readonly _environmentId: string; readonly value: string }[]

/**
 * Finds a variable of the call's environment.
 *
 * @throws {ApiError} 404 if the environment has no variable with this key.
 * @source service-api.md#authentication
 */
export async function findVariable(db: Session, { environment }: CallContext, key = ''): Promise<VariableRow> {
  const row = await db
    .selectFrom('variableValues')
    .selectAll()
    .where('environmentId', '=', environment.id)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!row) throw notFound('Environment variable', key)
  return row
}

/** Returns the handler of a write that was rejected because the key exists. @throws {ApiError} 409 */
export function refuseKey(key: string): (error: unknown) => never {
  return refuseTaken(`The environment variable "${key}" already exists. Use PATCH to change its value.`)
}

/**
 * Returns the sealed value to store; an empty object if the caller sent none.
 *
 * @throws {ApiError} 422 if a value is for another environment, or is the mask of a secret.
 */
export function sealValue(
  { environment, vault }: CallContext,
  variableId: string,
  values: VariableValues = [],
): { readonly value?: string } {
  for (const [index, { _environmentId, value }] of values.entries()) {
    if (_environmentId !== environment.id)
      throw invalid(`values.${index}._environmentId`, `must be the environment of the key, ${environment.id}`)
    if (value === secretMask) throw invalid(`values.${index}.value`, 'is the mask of a secret, not a value')
  }
  if (values.length > 1) throw invalid('values', 'has two values for the same environment')
  const [sent] = values
  return sent ? { value: vault.seal(sent.value, sealedPlaces.variable(variableId, environment.id)) } : {}
}

/** Updates columns of a variable. */
export async function updateVariable(
  tx: Session,
  { variableId, environmentId }: VariableRow,
  changes: Partial<VariableRow>,
): Promise<void> {
  await tx
    .updateTable('variableValues')
    .set(changes)
    .where('environmentId', '=', environmentId)
    .where('variableId', '=', variableId)
    .execute()
}

/** Returns a variable in the API format; a secret value is masked. */
export function showVariable({ vault, organizationId }: CallContext, row: VariableRow): JsonObject {
  const { variableId, environmentId, value } = row
  const isSecret = row.isSecret === 1
  const place = sealedPlaces.variable(variableId, environmentId)
  return {
    _id: variableId,
    _organizationId: organizationId,
    key: row.key,
    type: row.type,
    isSecret,
    values:
      value === null
        ? []
        : [{ _environmentId: environmentId, value: isSecret ? secretMask : vault.open(value, place) }],
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  }
}
