import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import { ApiError } from '../api/api-error.ts'
import type { Operation } from '../context/operation.ts'

/** An operation with the parameters its path had. */
export interface Match {
  /** The operation. */
  readonly operation: Operation
  /** The decoded parameters by name. */
  readonly params: Readonly<Record<string, string>>
}

/** Finds the operation of a request. */
export interface Router {
  /**
   * Returns the operation for a method and a path without its query.
   *
   * @throws {ApiError} 404 where no operation has the path, 405 where one has it with another method, 400 where a
   * parameter is not well encoded.
   */
  match(method: string, path: string): Match
}

/** Creates the router of a table of operations; where two paths fit, the one with more fixed parts wins. */
export function createRouter(operations: readonly Operation[]): Router {
  const router = new SmartRouter<Operation>({ routers: [new RegExpRouter(), new TrieRouter()] })
  const ordered = [...operations].sort((a, b) => compare(weigh(a.path), weigh(b.path)))
  for (const operation of ordered) router.add(operation.method, toPattern(operation.path), operation)
  const methods = [...new Set(operations.map(({ method }) => method))]

  return {
    match(method, path) {
      const [handlers, stash] = router.match(method, path)
      const found = handlers[0]
      if (!found) throw refuse(router, methods, { method, path })
      const [operation, indexes] = found
      const params: Record<string, string> = Object.create(null)
      for (const [name, value] of Object.entries(indexes))
        params[name] = decode(name, (typeof value === 'number' ? stash?.[value] : value) ?? '')
      return { operation, params }
    },
  }
}

/** Parts that are fixed come before parameters. */
const weigh = (path: string): string => path.replaceAll(/\{\w+\}/g, '~')

/** By code units: a locale sorts the sign of a parameter before letters. */
const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

const toPattern = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

function refuse(
  router: SmartRouter<Operation>,
  methods: readonly string[],
  { method, path }: { readonly method: string; readonly path: string },
): ApiError {
  const allowed = methods.filter((other) => router.match(other, path)[0].length > 0)
  if (allowed.length === 0) return new ApiError(404, `Cannot ${method} ${path}`)
  const allow = allowed.join(', ')
  return new ApiError(405, `Cannot ${method} ${path}; allowed: ${allow}`, { headers: { allow } })
}

function decode(name: string, text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ApiError(400, `The part "${name}" of the path is not well encoded.`)
  }
}
