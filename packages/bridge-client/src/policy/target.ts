import { isIP } from 'node:net'
import { onAbort } from '../base/on-abort.ts'
import type { Lookup } from '../dns/lookup.ts'
import { codeOf, type Fault } from '../failure/fault.ts'
import { findCarriedIPv4, toPlainAddress } from './ip-address.ts'
import type { AdmittedUrl, Policy, Refusal } from './policy.ts'

/** A URL with its checked addresses; only these are connected to. */
export interface Target {
  readonly url: URL
  /** The host without brackets and trailing dots: a name or an address. */
  readonly host: string
  /** Checked addresses, in the order in which they are tried. */
  readonly addresses: readonly string[]
}

/** Configures {@link resolveTarget}. */
export interface TargetOptions {
  readonly policy: Policy
  /** Returns whether an endpoint is blocked regardless of the policy. */
  readonly isClosed: (endpoint: { readonly address: string; readonly port: number }) => boolean
  readonly lookup: Lookup
  /** Names resolved earlier in this call; new ones are added. */
  readonly resolvedNames: Set<string>
  readonly signal: AbortSignal
}

const finalCodes: readonly string[] = ['ENOTFOUND', 'ENODATA', 'ENONAME', 'EBADNAME', 'EAI_NONAME', 'EAI_NODATA']

/**
 * Resolves the addresses of a URL and checks all of them; one blocked address rejects the URL.
 *
 * @param options - Policy, resolver and earlier results.
 */
export async function resolveTarget(admitted: AdmittedUrl, options: TargetOptions): Promise<Target | Refusal | Fault> {
  const { url, host } = admitted
  const addresses = isIP(host) === 0 ? await lookUp(host, options) : [host]
  if ('fault' in addresses || 'refused' in addresses) return addresses
  for (const address of addresses) {
    const refusal = options.policy.checkAddress(address) ?? checkEndpoint(address, url, options)
    if (refusal !== undefined) return refusal
  }
  return { url, host, addresses: alternateFamilies(addresses) }
}

function checkEndpoint(address: string, url: URL, { isClosed }: TargetOptions): Refusal | undefined {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const plain = toPlainAddress(address)
  if (![plain, ...findCarriedIPv4(plain)].some((each) => isClosed({ address: each, port }))) return undefined
  return { refused: 'SSRF_BLOCKED', reason: `the endpoint ${plain} port ${port} is blocked`, address }
}

/** Sorts IPv4 first, then alternates families: if one has no route, the other is tried next. */
function alternateFamilies(addresses: readonly string[]): readonly string[] {
  const families = [4, 6].map((family) => addresses.filter((address) => isIP(address) === family))
  const length = Math.max(...families.map((family) => family.length))
  return Array.from({ length }, (_, index) => families.flatMap((family) => family.slice(index, index + 1))).flat()
}

async function lookUp(host: string, options: TargetOptions): Promise<readonly string[] | Refusal | Fault> {
  const { signal } = options
  let addresses: readonly string[]
  try {
    addresses = await untilAborted(() => options.lookup(host, { signal }), signal)
  } catch (error) {
    if (signal.aborted) return { fault: 'lookup', error: signal.reason }
    if (finalCodes.includes(codeOf(error))) return notFound(host, options)
    return { fault: 'lookup', error }
  }
  checkAddresses(addresses)
  if (addresses.length === 0) return notFound(host, options)
  options.resolvedNames.add(host)
  return [...new Set(addresses)]
}

/**
 * Rejects anything but a list of addresses: a custom lookup may return, for example, the objects of `dns.lookup`, and a
 * retry would not help.
 */
function checkAddresses(addresses: unknown): asserts addresses is readonly string[] {
  if (Array.isArray(addresses) && addresses.every((address) => typeof address === 'string')) return
  throw new TypeError('The option lookup must return a list of address strings.')
}

function notFound(host: string, { policy, resolvedNames }: TargetOptions): Refusal | Fault {
  const reason = `the name ${host} does not exist`
  if (!policy.isOff && !resolvedNames.has(host)) return { refused: 'DNS_LOOKUP_FAILED', reason }
  return { fault: 'lookup', error: Object.assign(new Error(reason), { code: 'ENOTFOUND' }) }
}

/** Stops waiting when the signal aborts, even if the lookup ignores it. */
function untilAborted<T>(start: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(signal.reason))
    if (signal.aborted) return
    // Also supports a synchronous lookup.
    new Promise<T>((settle) => settle(start())).then(resolve, reject).finally(stopListening)
  })
}
