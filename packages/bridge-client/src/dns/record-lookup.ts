import type { MxRecord } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { onAbort } from '../base/on-abort.ts'
import { checkRecordLookupOptions } from './check-lookup-options.ts'
import type { LookupOptions } from './lookup.ts'

/** What a name server holds for a name, by the type of record. */
export interface DnsRecords {
  readonly A: string[]
  readonly AAAA: string[]
  /** Other names of the name. */
  readonly CNAME: string[]
  readonly MX: MxRecord[]
  /** Names of an address. */
  readonly PTR: string[]
  /** Texts, each in the pieces it is stored in. */
  readonly TXT: string[][]
}

/**
 * Finds the records of a name, in the form of Node's `resolve`. Rejects with Node's codes: `ENOTFOUND` or `ENODATA` if there
 * are none, others such as `ESERVFAIL` or `ETIMEOUT` if name servers do not say.
 */
export type RecordLookup = <TType extends keyof DnsRecords>(
  name: string,
  type: TType,
  options?: { readonly signal?: AbortSignal },
) => Promise<DnsRecords[TType]>

/** Where {@link createRecordLookup} looks. */
export type RecordLookupOptions = Pick<LookupOptions, 'servers' | 'serverTimeoutMs'>

/**
 * Creates a look-up of DNS records, such as the `TXT` and `MX` records of a mail domain. Like `createLookup` it needs none of
 * the threads that Node shares, and a look-up ends for good when its signal aborts. Names are full names: no search domains
 * and no hosts file.
 *
 * @param options - Name servers, and the time of one of them.
 * @throws TypeError - An option is unknown or of the wrong kind.
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
    // One resolver for each look-up, because only all queries of a resolver can be cancelled.
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
 * Returns whether a {@link RecordLookup} rejected because there are no such records, and not because name servers did not
 * answer.
 *
 * @param error - What it rejected with.
 * @example
 * const servers = await findRecords('example.com', 'MX').catch((error) => {
 *   if (isMissingRecord(error)) return []
 *   throw error
 * })
 */
export function isMissingRecord(error: unknown): boolean {
  return absentCodes.includes((error as { readonly code?: unknown } | null)?.code)
}
