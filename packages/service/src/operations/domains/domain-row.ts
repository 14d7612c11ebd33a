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

/** The label of the DNS name whose TXT record proves ownership of a domain. */
const challengeLabel = '_trestle-challenge'

export interface DnsRecord {
  readonly type: 'TXT' | 'MX'
  /** The full DNS name. */
  readonly name: string
  readonly content: string
  /** How long the record may be cached. */
  readonly ttl: string
  /** The priority of a mail server; lower numbers come first. */
  readonly priority?: number
}

/**
 * Returns the records a domain needs: a TXT record that proves ownership, and an MX record that routes its mail to the
 * service.
 *
 * @param mailHost - The host name of the service's mail server. Without it, no MX record is expected.
 */
export function toExpectedRecords(
  { name, token }: Pick<DomainRow, 'name' | 'token'>,
  mailHost: string | undefined,
): readonly DnsRecord[] {
  const proof = { type: 'TXT', name: `${challengeLabel}.${name}`, content: token, ttl: 'auto' } as const
  if (mailHost === undefined) return [proof]
  return [proof, { type: 'MX', name, content: mailHost, ttl: 'auto', priority: 10 }]
}

/** Returns a domain in the API format. */
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
 * @param named - The name or id of the domain.
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

export interface NewDomain {
  readonly name: string
  readonly data?: Readonly<Record<string, string>> | undefined
}

/**
 * Inserts an unverified domain.
 *
 * @throws {ApiError} 409 if the environment already has the domain, or the maximum number of domains.
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
    throw new ApiError(409, `The environment has ${maxDomains} domains, which is the maximum. Delete one first.`)
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
  if (!row) throw new ApiError(409, `The environment already has the domain ${name}.`)
  return row
}
