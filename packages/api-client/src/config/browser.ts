/**
 * Returns whether the code runs in a web page or in one of its workers, where the secret key would be everyone's.
 *
 * @param scope - The global object.
 */
export function isBrowser(scope: object = globalThis): boolean {
  const read = (name: string): unknown => Reflect.get(scope, name)
  // Servers with a simulated page (test runners) have both; the simulated page must not hide a real leak.
  const page = read('window')
  if (typeof page === 'object' && page !== null && Reflect.get(page, 'document') !== undefined) return true
  // `process` proves nothing: bundlers give it to workers of a page, and Node itself has no importScripts.
  const isServer = read('Deno') !== undefined || read('Bun') !== undefined
  return !isServer && typeof read('importScripts') === 'function' && read('location') !== undefined
}
