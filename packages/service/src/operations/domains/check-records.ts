import { isMissingRecord, type RecordLookup } from '@trestle/bridge-client'
import { ApiError } from '../../api/api-error.ts'
import type { DomainRow } from '../../store/schema/domain.ts'
import { toDomainName } from './domain-fields.ts'
import { toExpectedRecords } from './domain-row.ts'

/** The result of a check of a domain's records. */
export interface CheckedRecords {
  /** Whether the TXT record proves ownership of the domain. */
  readonly isProved: boolean
  /** Mail servers in order of priority. */
  readonly mailServers: readonly { readonly name: string; readonly priority: number }[]
  /** Whether the service's mail server has the highest priority. */
  readonly isMxConfigured: boolean
}

/** Dependencies of record look-ups. */
export interface RecordPorts {
  readonly findRecords: RecordLookup
  /** The host name of the service's mail server. */
  readonly mailHost: string
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
}

/**
 * Looks up the records of a domain.
 *
 * @throws {ApiError} 503 if the name servers do not respond, which says nothing about the domain.
 */
export async function checkRecords(
  row: DomainRow,
  { findRecords, mailHost, signal }: RecordPorts,
): Promise<CheckedRecords> {
  const [proof] = toExpectedRecords(row, mailHost)
  const [texts, servers] = await Promise.all([
    findRecords(proof?.name ?? '', 'TXT', { signal }).catch(toNone),
    findRecords(row.name, 'MX', { signal }).catch(toNone),
  ])
  const mailServers = servers
    .map(({ exchange, priority }) => ({ name: toDomainName(exchange), priority }))
    .sort((one, other) => one.priority - other.priority)
  const best = mailServers.filter(({ priority }) => priority === mailServers[0]?.priority)
  return {
    isProved: texts.some((pieces) => pieces.join('') === proof?.content),
    mailServers,
    isMxConfigured: best.some(({ name }) => name === toDomainName(mailHost)),
  }
}

/**
 * Returns an empty list if a look-up found no records.
 *
 * @param error - The rejection of the look-up.
 * @throws {ApiError} 503 if the name servers did not respond.
 */
export function toNone(error: unknown): never[] {
  if (isMissingRecord(error)) return []
  const { code = 'no code' } = error as { readonly code?: string }
  throw new ApiError(503, `The name servers did not answer (${code}), so nothing was changed. Retry later.`, {
    headers: { 'retry-after': '10' },
  })
}
