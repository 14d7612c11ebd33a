import { isIP } from 'node:net'

/** The hosts a workflow can reach while it runs: loopback only, all, or loopback and the listed hosts. */
export type NetworkPolicy = 'refuse' | 'allow' | readonly string[]

/**
 * Returns whether a host is allowed.
 *
 * @param host - A name or an address, with or without brackets.
 */
export function isAllowed(policy: NetworkPolicy, host: string): boolean {
  if (policy === 'allow') return true
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
  return isLoopback(name) || (policy !== 'refuse' && policy.some((allowed) => allowed.toLowerCase() === name))
}

function isLoopback(name: string): boolean {
  if (name === '' || name === 'localhost' || name.endsWith('.localhost')) return true
  if (isIP(name) === 4) return name.startsWith('127.')
  return isIP(name) === 6 && /^(::1|::ffff:(127\.|7f)|0*(:0*){1,6}:0*1$)/.test(name)
}

/** The error that code under test gets when it requests a blocked host. */
export class NetworkRefusedError extends Error {
  /** The error code, as in Node's network errors. */
  readonly code = 'NETWORK_REFUSED'
  /** The requested URL. */
  readonly url: string

  /** @param url - The requested URL. */
  constructor(url: string) {
    super(
      `${url} was blocked: a workflow under test has no network access. ` +
        'Give the step a double, or allow the host with the network option.',
    )
    this.name = 'NetworkRefusedError'
    this.url = url
  }
}
