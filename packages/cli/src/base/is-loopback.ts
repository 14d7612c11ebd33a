/**
 * Returns whether the host of a URL is a loopback address.
 *
 * @param host - As in `URL.hostname`: IPv6 in brackets.
 */
export function isLoopbackHost(host: string): boolean {
  return /^127(\.\d{1,3}){3}$/.test(host) || host === '[::1]'
}
