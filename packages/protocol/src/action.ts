const methods = {
  'health-check': 'GET',
  discover: 'GET',
  execute: 'POST',
  preview: 'POST',
  trigger: 'POST',
  'agent-event': 'POST',
} as const

/**
 * The actions that a bridge supports, each with its HTTP method. A bare GET (no `action`, or an empty one) counts as
 * `health-check`.
 *
 * @source bridge-protocol.md#requests
 */
export const actionMethods: Readonly<typeof methods> = Object.freeze(methods)

/** The name of an action, as in the query parameter `action`. */
export type Action = keyof typeof actionMethods

/** The methods that a bridge accepts; all others fail with `MethodNotAllowedError`. */
export const bridgeMethods: readonly string[] = Object.freeze(['GET', 'POST', 'OPTIONS'])

/**
 * Returns whether a value is an action name. Inherited names (`constructor`, `__proto__`) do not count.
 *
 * @param value - The query parameter.
 * @example
 * isAction('execute') // true
 * isAction('constructor') // false
 */
export function isAction(value: unknown): value is Action {
  return typeof value === 'string' && Object.hasOwn(actionMethods, value)
}
