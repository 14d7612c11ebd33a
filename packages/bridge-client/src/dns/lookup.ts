import { Resolver } from 'node:dns/promises'
import { onAbort } from '../base/on-abort.ts'
import { checkLookupOptions } from './check-lookup-options.ts'
import { findInHostsFile, systemHostsFile } from './hosts-file.ts'
import { readSearchPath, toFullNames } from './search-path.ts'

/**
 * Finds the addresses of a host name. Rejects with Node's codes (`ENOTFOUND`, `EAI_AGAIN`); `signal` aborts when the
 * result is no longer needed.
 */
export type Lookup = (host: string, options?: { readonly signal?: AbortSignal }) => Promise<readonly string[]>

/** The options of {@link createLookup}. */
export interface LookupOptions {
  /** Name servers, `address` or `address:port`. @default those of the system */
  readonly servers?: readonly string[]
  /** The hosts file, which is read first. @default the system's */
  readonly hostsFile?: string
  /** The configuration whose `search` and `ndots` complete short names. @default '/etc/resolv.conf' */
  readonly resolverFile?: string
  /** The timeout of a name server before the next one is tried, in milliseconds. @default 1000 */
  readonly serverTimeoutMs?: number
}

interface Answer {
  readonly addresses: readonly string[]
  readonly error?: unknown
}

/** The codes of a name that does not exist or has no address. */
const finalCodes: readonly unknown[] = ['ENOTFOUND', 'ENODATA', 'ENONAME', 'EBADNAME']

/** How long to wait for the second address family after the first, in milliseconds. */
const secondFamilyMs = 100

/**
 * Creates a resolver that uses the hosts file and then queries name servers itself. Unlike the system resolver, it does
 * not use Node's thread pool, and an abort really cancels the lookup: unresponsive name servers of one host cannot
 * delay lookups of others.
 *
 * @param options - Name servers, files and the timeout of a server.
 * @throws TypeError - An option is unknown or of the wrong type.
 * @returns A lookup of IPv4 and IPv6 addresses. It rejects with `ENOTFOUND` if the name does not exist.
 *
 * @example
 * const lookup = createLookup({ servers: ['10.0.0.53'] })
 * const client = createBridgeClient({ secretKey, bridgeUrl, environmentName: 'Production', lookup })
 */
export function createLookup(options: LookupOptions = {}): Lookup {
  checkLookupOptions(options)
  const { servers, hostsFile = systemHostsFile, resolverFile = '/etc/resolv.conf', serverTimeoutMs = 1000 } = options
  return async (host, { signal } = {}) => {
    signal?.throwIfAborted()
    const name = host.toLowerCase()
    const listed = findInHostsFile(name, hostsFile)
    if (listed.length > 0) return listed
    if (/(?:^|\.)localhost$/.test(name)) return ['127.0.0.1', '::1']
    // One resolver per lookup, because a resolver can only cancel all of its queries.
    const resolver = new Resolver({ timeout: serverTimeoutMs, tries: 3 })
    if (servers !== undefined) resolver.setServers([...servers])
    const stopListening = onAbort(signal, () => resolver.cancel())
    try {
      return await askForEach(toFullNames(name, readSearchPath(resolverFile)), resolver, signal)
    } finally {
      stopListening()
      resolver.cancel()
    }
  }
}

async function askForEach(
  names: readonly string[],
  resolver: Resolver,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  let unsettled: unknown
  for (const name of names) {
    const { addresses, error } = await askBothFamilies(name, resolver)
    signal?.throwIfAborted()
    if (addresses.length > 0) return addresses
    unsettled ??= error
  }
  throw unsettled ?? Object.assign(new Error(`no address found for ${names.join(', ')}`), { code: 'ENOTFOUND' })
}

/** Returns the addresses of both families; once one has resolved, waits only briefly for the other. */
async function askBothFamilies(name: string, resolver: Resolver): Promise<Answer> {
  const queries = [settle(resolver.resolve4(name)), settle(resolver.resolve6(name))]
  const answers: Answer[] = []
  await new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined
    const onAnswer = (answer: Answer): void => {
      answers.push(answer)
      if (answers.length === queries.length) {
        clearTimeout(timer)
        resolve()
      } else if (answer.addresses.length > 0) timer = setTimeout(resolve, secondFamilyMs)
    }
    for (const query of queries) void query.then(onAnswer)
  })
  const failed = answers.find(({ error }) => error !== undefined)
  return { addresses: answers.flatMap(({ addresses }) => addresses), error: failed?.error }
}

async function settle(query: Promise<string[]>): Promise<Answer> {
  try {
    return { addresses: await query }
  } catch (error) {
    const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined
    return finalCodes.includes(code) ? { addresses: [] } : { addresses: [], error }
  }
}
