import { randomBytes } from 'node:crypto'
import { hashKey } from '../../keys/hash-key.ts'
import type { Vault } from '../../secrets/vault.ts'
import { createId } from '../../store/create-id.ts'
import type { EnvironmentRow } from '../../store/schema/account.ts'
import type { Session, Store } from '../../store/store.ts'
import { storeApiKey } from './api-key.ts'

/** The environments every service has. @source Authentication, 3 */
export const firstEnvironments = ['Development', 'Production'] as const

/** A key that was made now; it cannot be read again. */
export interface FreshKey {
  /** The name of the environment. */
  readonly environment: string
  /** Its public identifier. */
  readonly applicationIdentifier: string
  /** The secret key. */
  readonly secretKey: string
}

/** The state that the service finds at its start. */
export interface Organization {
  /** Identifies it. */
  readonly organizationId: string
  /** The keys that were made now. */
  readonly freshKeys: readonly FreshKey[]
}

/** Dependencies of preparing. */
export interface PrepareOptions {
  /** Encrypts keys. */
  readonly vault: Vault
  /** Keys that environments shall have, by name. */
  readonly secretKeys: Readonly<Record<string, string>>
  /** The time, milliseconds since 1970. */
  readonly nowMs: number
}

/**
 * Creates the organization with its first environments, at first start, and gives environments the keys that the options
 * name. Processes that start together make them once.
 */
export function prepareEnvironments(store: Store, options: PrepareOptions): Promise<Organization> {
  return store.transaction(async (tx) => {
    const organizationId = await findOrganization(tx, options.nowMs)
    const names = new Set([...firstEnvironments, ...Object.keys(options.secretKeys)])
    const freshKeys: FreshKey[] = []
    for (const name of names) freshKeys.push(...(await prepareEnvironment(tx, name, options)))
    return { organizationId, freshKeys }
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
  const found = await tx.selectFrom('settings').select('value').where('key', '=', row.key).executeTakeFirstOrThrow()
  return found.value
}

async function prepareEnvironment(tx: Session, name: string, options: PrepareOptions): Promise<readonly FreshKey[]> {
  const { secretKeys, vault, nowMs } = options
  const found = await tx.selectFrom('environments').selectAll().where('name', '=', name).executeTakeFirst()
  const environment = found ?? (await addEnvironment(tx, { name, nowMs }))
  const wanted = secretKeys[name]
  if (found && (wanted === undefined || (await hasKey(tx, found.id, wanted)))) return []
  const secretKey = await storeApiKey(tx, environment.id, { secret: wanted, vault, nowMs })
  return [{ environment: name, applicationIdentifier: environment.applicationIdentifier, secretKey }]
}

async function hasKey(tx: Session, environmentId: string, secret: string): Promise<boolean> {
  const row = await tx
    .selectFrom('apiKeys')
    .select('hash')
    .where('environmentId', '=', environmentId)
    .executeTakeFirst()
  return row?.hash === hashKey(secret)
}

/** The fields of a new environment. */
export interface NewEnvironment {
  /** Its name. */
  readonly name: string
  /** The environment it is derived from. */
  readonly parentId?: string | null | undefined
  /** How a user interface shows it. */
  readonly color?: string | null | undefined
  /** The time, milliseconds since 1970. */
  readonly nowMs: number
}

/** Stores a new environment, with its group of workflows, and without a key. */
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
