/**
 * Returns whether a host of a URL is an address of this machine's loopback.
 *
 * @param host - As `URL.hostname` has it: IPv6 in brackets.
 */
export function isLoopbackHost(host: string): boolean {
  return /^127(\.\d{1,3}){3}$/.test(host) || host === '[::1]'
}
