import type { MxRecord } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { onAbort } from '../base/on-abort.ts'
import { checkRecordLookupOptions } from './check-lookup-options.ts'
import type { LookupOptions } from './lookup.ts'

/** DNS records by type. */
export interface DnsRecords {
  readonly A: string[]
  readonly AAAA: string[]
  /** Canonical names of an alias. */
  readonly CNAME: string[]
  readonly MX: MxRecord[]
  /** Host names of an address. */
  readonly PTR: string[]
  /** Text records, each as its stored parts. */
  readonly TXT: string[][]
}

/**
 * Finds the DNS records of a name, in the format of Node's `resolve`. Rejects with Node's codes: `ENOTFOUND` or
 * `ENODATA` if there are none, others such as `ESERVFAIL` or `ETIMEOUT` if name servers fail.
 */
export type RecordLookup = <TType extends keyof DnsRecords>(
  name: string,
  type: TType,
  options?: { readonly signal?: AbortSignal },
) => Promise<DnsRecords[TType]>

/** The options of {@link createRecordLookup}. */
export type RecordLookupOptions = Pick<LookupOptions, 'servers' | 'serverTimeoutMs'>

/**
 * Creates a lookup of DNS records, such as the `TXT` and `MX` records of a mail domain. Like `createLookup`, it does
 * not use Node's thread pool, and an abort really cancels the lookup. Names must be complete: search domains and the
 * hosts file are not used.
 *
 * @param options - Name servers, and their timeout.
 * @throws TypeError - An option is unknown or of the wrong type.
 *
 * @example
 * const findRecords = createRecordLookup()
 * const servers = await findRecords('example.com', 'MX')
 */
export function createRecordLookup(options: RecordLookupOptions = {}): RecordLookup {
  checkRecordLookupOptions(options)
  const { servers, serverTimeoutMs = 1000 } = options
  return async (name, type, { signal } = {}) => {
    signal?.throwIfAborted()
    // One resolver per lookup, because a resolver can only cancel all of its queries.
    const resolver = new Resolver({ timeout: serverTimeoutMs, tries: 3 })
    if (servers !== undefined) resolver.setServers([...servers])
    const stopListening = onAbort(signal, () => resolver.cancel())
    try {
      return (await resolver.resolve(name, type)) as DnsRecords[typeof type]
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      stopListening()
    }
  }
}

const absentCodes: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

/**
 * Returns whether a {@link RecordLookup} rejected because the records do not exist, not because name servers failed.
 *
 * @param error - The error of the lookup.
 * @example
 * const servers = await findRecords('example.com', 'MX').catch((error) => {
 *   if (isMissingRecord(error)) return []
 *   throw error
 * })
 */
export function isMissingRecord(error: unknown): boolean {
  return absentCodes.includes((error as { readonly code?: unknown } | null)?.code)
}
