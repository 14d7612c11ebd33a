import { isMissingRecord, type RecordLookup } from '@trestle/bridge-client'
import { ApiError } from '../../api/api-error.ts'
import type { DomainRow } from '../../store/schema/domain.ts'
import { toDomainName } from './domain-fields.ts'
import { toExpectedRecords } from './domain-row.ts'

/** What the records of a domain say. */
export interface CheckedRecords {
  /** Whether the TXT record proves that the domain is the caller's. */
  readonly isProved: boolean
  /** The mail servers, the first choice first. */
  readonly mailServers: readonly { readonly name: string; readonly priority: number }[]
  /** Whether the first choice is the service's mail server. */
  readonly isMxConfigured: boolean
}

/** What records are looked up with. */
export interface RecordPorts {
  /** Asks name servers. */
  readonly findRecords: RecordLookup
  /** The name of the service's mail server. */
  readonly mailHost: string
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal
}

/**
 * Looks up the records of a domain.
 *
 * @param row - The domain.
 * @param ports - What it is looked up with.
 * @throws {ApiError} 503 if the name servers do not answer, which says nothing about the domain.
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
 * Returns no records for a look-up that found none.
 *
 * @param error - What the look-up rejected with.
 * @throws {ApiError} 503 if the name servers did not say.
 */
export function toNone(error: unknown): never[] {
  if (isMissingRecord(error)) return []
  const { code = 'no code' } = error as { readonly code?: string }
  throw new ApiError(503, `The name servers did not answer (${code}), so nothing was changed. Please retry later.`, {
    headers: { 'retry-after': '10' },
  })
}
