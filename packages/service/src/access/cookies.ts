import type { HttpCall } from '../api/http-call.ts'

/** Returns all values of a cookie, because another port of the host can have set one with the same name. */
export function readCookies(http: Pick<HttpCall, 'header'>, name: string): readonly string[] {
  const start = `${name}=`
  const pairs = (http.header('cookie') ?? '').split(/[;,]/).map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length))
}
