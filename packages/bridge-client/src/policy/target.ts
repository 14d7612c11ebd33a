import { isIP } from 'node:net'
import { deadline, type Fault } from '../failure/fault.ts'
import type { AdmittedUrl, Policy, Refusal } from './policy.ts'

/** Finds the addresses of a host name. Rejects with Node's codes (`ENOTFOUND`, `EAI_AGAIN`). */
export type Lookup = (host: string) => Promise<readonly string[]>

/** A URL with the addresses that were checked; a connection is made to these and to no others. */
export interface Target {
  /** Where the request goes. */
  readonly url: URL
  /** The host without brackets and trailing dots: a name or an address. */
  readonly host: string
  /** Checked addresses, in the order in which they are tried. */
  readonly addresses: readonly string[]
}

/** What {@link resolveTarget} works with. */
export interface TargetOptions {
  /** The outbound address policy. */
  readonly policy: Policy
  /** The resolver. */
  readonly lookup: Lookup
  /** Names that were found earlier in this call; found ones are added. */
  readonly found: Set<string>
  /** Ends the wait for the resolver. */
  readonly signal: AbortSignal
}

const finalCodes: readonly unknown[] = ['ENOTFOUND', 'ENODATA', 'ENONAME', 'EBADNAME', 'EAI_NONAME', 'EAI_NODATA']

/**
 * Finds the addresses of a URL and checks every one of them; a single refused one refuses the URL.
 *
 * @param admitted - A URL the policy admitted.
 * @param options - Policy, resolver and what was found before.
 */
export async function resolveTarget(admitted: AdmittedUrl, options: TargetOptions): Promise<Target | Refusal | Fault> {
  const { url, host } = admitted
  const addresses = isIP(host) === 0 ? await lookUp(host, options) : [host]
  if ('fault' in addresses || 'refused' in addresses) return addresses
  for (const address of addresses) {
    const refusal = options.policy.checkAddress(address)
    if (refusal !== undefined) return refusal
  }
  // IPv4 first: a process without IPv6 would otherwise fail on hosts that have both.
  const ordered = [...addresses].sort((left, right) => isIP(left) - isIP(right))
  return { url, host, addresses: ordered }
}

async function lookUp(host: string, options: TargetOptions): Promise<readonly string[] | Refusal | Fault> {
  try {
    const addresses = await untilAborted(options.lookup(host), options.signal)
    if (addresses.length === 0) return notFound(host, options)
    options.found.add(host)
    return addresses
  } catch (error) {
    if (finalCodes.includes(codeOf(error))) return notFound(host, options)
    return { fault: 'lookup', error }
  }
}

function notFound(host: string, { policy, found }: TargetOptions): Refusal | Fault {
  const reason = `the name ${host} is not known`
  if (!policy.isOff && !found.has(host)) return { refused: 'DNS_LOOKUP_FAILED', reason }
  return { fault: 'lookup', error: Object.assign(new Error(reason), { code: 'ENOTFOUND' }) }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason ?? deadline)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
