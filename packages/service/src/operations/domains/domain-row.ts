import { randomBytes } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import { ApiError, notFound } from '../../api/api-error.ts'
import type { CallContext } from '../../context/service-context.ts'
import { compact } from '../../json/json.ts'
import { createId } from '../../store/create-id.ts'
import type { DomainRow } from '../../store/schema/domain.ts'
import type { Session } from '../../store/store.ts'
import { toDomainName } from './domain-fields.ts'

const maxDomains = 100

/** The label of the name whose TXT record proves that a domain is the caller's. */
const challengeLabel = '_trestle-challenge'

/** A record that a domain must have. */
export interface DnsRecord {
  /** The type of record. */
  readonly type: 'TXT' | 'MX'
  /** The full name it is of. */
  readonly name: string
  /** Its content. */
  readonly content: string
  /** How long it may be cached. */
  readonly ttl: string
  /** The order among mail servers. */
  readonly priority?: number
}

/**
 * Returns the records a domain must have: the TXT record that proves whose it is, and the MX record that leads its mail here.
 *
 * @param row - The domain.
 * @param mailHost - The name of the service's mail server; without one there is no MX record to expect.
 */
export function toExpectedRecords(
  { name, token }: Pick<DomainRow, 'name' | 'token'>,
  mailHost: string | undefined,
): readonly DnsRecord[] {
  const proof = { type: 'TXT', name: `${challengeLabel}.${name}`, content: token, ttl: 'auto' } as const
  if (mailHost === undefined) return [proof]
  return [proof, { type: 'MX', name, content: mailHost, ttl: 'auto', priority: 10 }]
}

/** Returns a domain as the API shows it. */
export function toDomain(row: DomainRow, { settings, organizationId }: CallContext): JsonObject {
  return compact({
    _id: row.id,
    name: row.name,
    status: row.status,
    mxRecordConfigured: row.isMxConfigured === 1,
    _environmentId: row.environmentId,
    _organizationId: organizationId,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
    expectedDnsRecords: toExpectedRecords(row, settings.inboundMail?.hostName),
    data: row.data === null ? undefined : JSON.parse(row.data),
  })
}

/**
 * Returns a domain of the call's environment.
 *
 * @param db - The session.
 * @param context - The call.
 * @param named - Its name, or its id.
 * @throws {ApiError} 404
 */
export async function findDomain(
  db: Session,
  { environment }: Pick<CallContext, 'environment'>,
  named: string,
): Promise<DomainRow> {
  const row = await db
    .selectFrom('domains')
    .selectAll()
    .where('environmentId', '=', environment.id)
    .where(({ eb, or }) => or([eb('name', '=', toDomainName(named)), eb('id', '=', named)]))
    .executeTakeFirst()
  if (!row) throw notFound('Domain', named)
  return row
}

/** A domain that is added. */
export interface NewDomain {
  /** Its name. */
  readonly name: string
  /** Free fields. */
  readonly data?: Readonly<Record<string, string>> | undefined
}

/**
 * Stores a domain that is yet to be verified.
 *
 * @throws {ApiError} 409 if the environment has it already, or has as many as it may.
 */
export async function addDomain(tx: Session, context: CallContext, { name, data }: NewDomain): Promise<DomainRow> {
  const { environment, clock } = context
  const nowMs = clock.now()
  const { count } = await tx
    .selectFrom('domains')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('environmentId', '=', environment.id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxDomains)
    throw new ApiError(409, `The environment has ${maxDomains} domains, which is the most. Delete one first.`)
  const row = await tx
    .insertInto('domains')
    .values({
      ...{ id: createId(nowMs), environmentId: environment.id, name, status: 'pending', isMxConfigured: 0 },
      token: `trestle-verification=${randomBytes(16).toString('hex')}`,
      ...{ data: data === undefined ? null : JSON.stringify(data), createdAt: nowMs, updatedAt: nowMs },
    })
    .onConflict((conflict) => conflict.columns(['environmentId', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new ApiError(409, `The environment has the domain ${name} already.`)
  return row
}
