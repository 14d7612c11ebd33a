import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import { ApiError } from '../api/api-error.ts'
import type { Operation } from '../context/operation.ts'

/** An operation with the path parameters of a request. */
export interface Match {
  readonly operation: Operation
  /** The decoded parameters by name. */
  readonly params: Readonly<Record<string, string>>
}

/** Finds the operation of a request. */
export interface Router {
  /**
   * Returns the operation for a method and a path without its query. Ignores a trailing slash.
   *
   * @throws {ApiError} 404 if no operation has the path, 405 if one has it with a different method, 400 if a parameter
   * is malformed.
   */
  match(method: string, path: string): Match
}

/** Creates the router for a list of operations. If two paths match, the one with more fixed segments wins. */
export function createRouter(operations: readonly Operation[]): Router {
  const router = new SmartRouter<Operation>({ routers: [new RegExpRouter(), new TrieRouter()] })
  const ordered = [...operations].sort((a, b) => compare(weigh(a.path), weigh(b.path)))
  for (const operation of ordered)
    for (const path of namesOf(operation)) router.add(operation.method, toPattern(path), operation)
  const methods = [...new Set(operations.map(({ method }) => method))]

  return {
    match(method, path) {
      const exact = router.match(method, path)
      const [handlers, stash] = exact[0].length > 0 ? exact : router.match(method, path.replace(/\/$/, ''))
      const route = handlers[0]
      if (!route) throw refuse(router, methods, { method, path })
      const [operation, indexes] = route
      const params: Record<string, string> = Object.create(null)
      for (const [name, value] of Object.entries(indexes))
        params[name] = decode(name, (typeof value === 'number' ? stash?.[value] : value) ?? '')
      return { operation, params }
    },
  }
}

/** Older clients call workflows notification templates. @source service-api.md#endpoints */
const formerPath = '/v1/notification-templates'
const namesOf = ({ path }: Operation): readonly string[] =>
  /^\/v1\/workflows(\/|$)/.test(path) ? [path, path.replace('/v1/workflows', formerPath)] : [path]

/** Fixed segments sort before parameters. */
const weigh = (path: string): string => path.replaceAll(/\{\w+\}/g, '~')

/** Compares code units, because a locale would sort the brace of a parameter before letters. */
const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

const toPattern = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

function refuse(
  router: SmartRouter<Operation>,
  methods: readonly string[],
  { method, path }: { readonly method: string; readonly path: string },
): ApiError {
  const paths = [path, path.replace(/\/$/, '')]
  const allowed = methods.filter((other) => paths.some((one) => router.match(other, one)[0].length > 0))
  if (allowed.length === 0) return new ApiError(404, `Cannot ${method} ${path}${hint(router, { method, path })}`)
  const allow = allowed.join(', ')
  return new ApiError(405, `Cannot ${method} ${path}; allowed: ${allow}`, { headers: { allow } })
}

/** Clients join URLs from parts, and often repeat or omit one. */
function hint(
  router: SmartRouter<Operation>,
  { method, path }: { readonly method: string; readonly path: string },
): string {
  const parts = path.split('/').filter((part) => part !== '')
  const start = parts.findIndex((part) => !/^(api|v[12])$/i.test(part))
  const rest = parts.slice(start === -1 ? parts.length : start).join('/')
  const given = parts.filter((part) => /^v[12]$/i.test(part)).map((part) => part.toLowerCase())
  const versions = new Set([...given, 'v1', 'v2'])
  for (const version of versions)
    for (const other of [`/${version}/${rest}`, `/${version}/${rest}`.toLowerCase()]) {
      const [operation] = router.match(method, other)[0][0] ?? []
      if (operation) return `. Did you mean ${method} ${operation.path}?`
    }
  return ''
}

function decode(name: string, text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ApiError(400, `The path segment "${name}" is malformed.`)
  }
}
