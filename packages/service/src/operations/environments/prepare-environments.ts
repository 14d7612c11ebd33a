import { randomBytes } from 'node:crypto'
import { SettingsError } from '../../config/settings.ts'
import { hashKey } from '../../keys/hash-key.ts'
import type { Vault } from '../../secrets/vault.ts'
import { createId } from '../../store/create-id.ts'
import type { EnvironmentRow } from '../../store/schema/account.ts'
import type { Session, Store } from '../../store/store.ts'
import { isReplacedKey, storeApiKey } from './api-key.ts'
import { checkVault, findSealedKey } from './sealed-key.ts'

/** The environments that every service has. @source service-api.md#authentication */
export const firstEnvironments = ['Development', 'Production'] as const

/** A new key. It cannot be read again. */
export interface FreshKey {
  /** The name of the environment. */
  readonly environment: string
  readonly applicationIdentifier: string
  readonly secretKey: string
}

/** The organization and environments found or created at startup. */
export interface Organization {
  readonly organizationId: string
  /** The keys created at this startup; those that are configured are not included. */
  readonly freshKeys: readonly FreshKey[]
  /** Row ids of the built-in and configured environments. All others were created by keys. */
  readonly ownEnvironmentIds: ReadonlySet<string>
  /** The names of environments whose configured key was regenerated, and is therefore not used. */
  readonly replacedKeys: readonly string[]
}

export interface PrepareOptions {
  readonly vault: Vault
  /** Configured keys by environment name. */
  readonly secretKeys: Readonly<Record<string, string>>
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

/**
 * Creates the organization and its first environments at first start, and applies configured keys. Safe for processes
 * that start concurrently.
 *
 * @throws {SettingsError} The database was used with a different encryption key, or two environments have the same key.
 */
export function prepareEnvironments(store: Store, options: PrepareOptions): Promise<Organization> {
  return store.transaction(async (tx) => {
    const organizationId = await findOrganization(tx, options.nowMs)
    // Two processes with different encryption keys may have started on the empty database at the same time.
    checkVault(options.vault, await findSealedKey(tx))
    const names = new Set([...firstEnvironments, ...Object.keys(options.secretKeys)])
    const freshKeys: FreshKey[] = []
    const ids = new Set<string>()
    const replacedKeys: string[] = []
    for (const name of names) {
      const prepared = await prepareEnvironment(tx, name, options)
      if (ids.has(prepared.id)) throw new SettingsError(`secretKeys: ${name} has the key of another environment.`)
      ids.add(prepared.id)
      freshKeys.push(...prepared.freshKeys)
      if (prepared.isReplaced) replacedKeys.push(name)
    }
    return { organizationId, freshKeys, ownEnvironmentIds: ids, replacedKeys }
  })
}

/** The row is written first, so that a second process waits here for the first one. */
async function findOrganization(tx: Session, nowMs: number): Promise<string> {
  const row = { key: 'organizationId', value: createId(nowMs) }
  await tx
    .insertInto('settings')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet((set) => ({ value: set.ref('settings.value') })))
    .execute()
  const setting = await tx.selectFrom('settings').select('value').where('key', '=', row.key).executeTakeFirstOrThrow()
  return setting.value
}

async function prepareEnvironment(tx: Session, name: string, options: PrepareOptions): Promise<Prepared> {
  const { secretKeys, vault, nowMs } = options
  const configured = secretKeys[name]
  const isReplaced = configured !== undefined && (await isReplacedKey(tx, configured))
  const wanted = isReplaced ? undefined : configured
  const existingEnvironment = (await findByKey(tx, wanted)) ?? (await findByRole(tx, name))
  const environment = existingEnvironment ?? (await addEnvironment(tx, { name, nowMs }))
  const { id } = environment
  await keepRole(tx, { name, id })
  if (existingEnvironment && (wanted === undefined || (await hasKey(tx, existingEnvironment.id, wanted))))
    return { id, isReplaced, freshKeys: [] }
  const secretKey = await storeApiKey(tx, environment.id, { secret: wanted, vault, nowMs })
  const { applicationIdentifier } = environment
  // The operator knows a configured key, which must not appear in a log.
  const freshKeys = wanted === undefined ? [{ environment: name, applicationIdentifier, secretKey }] : []
  return { id, isReplaced, freshKeys }
}

interface Prepared {
  readonly id: string
  /** Whether the configured key was regenerated. */
  readonly isReplaced: boolean
  readonly freshKeys: readonly FreshKey[]
}

const roleOf = (name: string): string => `environment of ${name}`

/** A key may rename its environment, so it is looked up by key first, then by the saved id. */
async function findByKey(tx: Session, secret: string | undefined): Promise<EnvironmentRow | undefined> {
  if (secret === undefined) return undefined
  return tx
    .selectFrom('environments')
    .innerJoin('apiKeys', 'apiKeys.environmentId', 'environments.id')
    .selectAll('environments')
    .where('apiKeys.hash', '=', hashKey(secret))
    .executeTakeFirst()
}

async function findByRole(tx: Session, name: string): Promise<EnvironmentRow | undefined> {
  const kept = tx.selectFrom('settings').select('value').where('key', '=', roleOf(name))
  const row = await tx.selectFrom('environments').selectAll().where('id', '=', kept).executeTakeFirst()
  return row ?? tx.selectFrom('environments').selectAll().where('name', '=', name).executeTakeFirst()
}

async function keepRole(tx: Session, { name, id }: { readonly name: string; readonly id: string }): Promise<void> {
  await tx
    .insertInto('settings')
    .values({ key: roleOf(name), value: id })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: id }))
    .execute()
}

async function hasKey(tx: Session, environmentId: string, secret: string): Promise<boolean> {
  const row = await tx
    .selectFrom('apiKeys')
    .select('hash')
    .where('environmentId', '=', environmentId)
    .executeTakeFirst()
  return row?.hash === hashKey(secret)
}

export interface NewEnvironment {
  readonly name: string
  /** Row id of the environment it is derived from. */
  readonly parentId?: string | null | undefined
  /** The display color. */
  readonly color?: string | null | undefined
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

/** Inserts a new environment with its workflow group, without a key. */
export async function addEnvironment(tx: Session, given: NewEnvironment): Promise<EnvironmentRow> {
  const { name, parentId = null, color = null, nowMs } = given
  const row: EnvironmentRow = {
    id: createId(nowMs),
    name,
    parentId,
    applicationIdentifier: randomBytes(9).toString('base64url'),
    color,
    bridgeUrl: null,
    syncedAt: null,
    extra: '{}',
    createdAt: nowMs,
    updatedAt: nowMs,
  }
  await tx.insertInto('environments').values(row).execute()
  const group = { id: createId(nowMs), environmentId: row.id, name: 'General', createdAt: nowMs, updatedAt: nowMs }
  await tx.insertInto('workflowGroups').values(group).execute()
  return row
}
