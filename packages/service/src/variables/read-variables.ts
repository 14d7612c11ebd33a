import type { NotNull } from 'kysely'
import { sealedPlaces } from '../secrets/sealed-places.ts'
import type { Vault } from '../secrets/vault.ts'
import { createQueryKey, runPrepared } from '../store/prepared.ts'
import type { Session } from '../store/store.ts'

const variablesOfEnvironmentQuery = createQueryKey('variables of an environment')

/** The variables of an environment, as sent in bridge calls. */
export interface EnvironmentVariables {
  /** Values by key, with decrypted secrets. */
  readonly variables: Readonly<Record<string, string>>
  /** The keys of secret variables. */
  readonly secretKeys: readonly string[]
  /** The values of secret variables, which must never be shown. */
  readonly secrets: readonly string[]
}

/**
 * Reads the variables of an environment.
 *
 * @param environmentId - Row id of the environment.
 */
export async function readVariables(db: Session, vault: Vault, environmentId: string): Promise<EnvironmentVariables> {
  const { rows } = await runPrepared(db, {
    key: variablesOfEnvironmentQuery,
    values: [environmentId],
    build: () =>
      db
        .selectFrom('variableValues')
        .select(['key', 'isSecret', 'variableId', 'value'])
        .where('environmentId', '=', environmentId)
        .where('value', 'is not', null)
        .$narrowType<{ value: NotNull }>()
        .orderBy('key'),
  })
  const opened = rows.map(({ key, isSecret, variableId, value }) => ({
    key,
    isSecret,
    value: vault.open(value, sealedPlaces.variable(variableId, environmentId)),
  }))
  const secret = opened.filter(({ isSecret }) => isSecret === 1)
  return {
    variables: Object.fromEntries(opened.map(({ key, value }) => [key, value])),
    secretKeys: secret.map(({ key }) => key),
    secrets: secret.map(({ value }) => value),
  }
}
