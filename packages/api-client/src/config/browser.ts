/** Returns whether the code runs in a web page or one of its workers, where the secret key would be public. */
export function isBrowser(scope: object = globalThis): boolean {
  const read = (name: string): unknown => Reflect.get(scope, name)
  // Test runners on a server may simulate a page, so both kinds of globals exist; the simulated page must not hide a
  // real leak.
  const page = read('window')
  if (typeof page === 'object' && page !== null && Reflect.get(page, 'document') !== undefined) return true
  // `process` is not reliable: bundlers define it in web workers. Node has no importScripts.
  const isServer = read('Deno') !== undefined || read('Bun') !== undefined
  return !isServer && typeof read('importScripts') === 'function' && read('location') !== undefined
}
