import { isIP } from 'node:net'

/** Returns whether a host name or address stays on the machine. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true
  return isIP(host) === 4 && host.startsWith('127.')
}
