/**
 * Headers that only a connection, a browser or a proxy may set. With other values, a request could reach another host,
 * or make a page on this machine believe that it comes from a browser.
 */
const closed =
  /^(?:connection|content-length|cookie2?|expect|forwarded|host|keep-alive|origin|proxy-.*|sec-.*|te|trailer|transfer-encoding|upgrade|via|x-forwarded-.*)$/i

/**
 * Returns the headers that no request of a step, a webhook or a provider may set.
 *
 * @param names - Header names, in any case.
 */
export function findClosedHeaders(names: readonly string[]): readonly string[] {
  return names.filter((name) => closed.test(name.trim()))
}
