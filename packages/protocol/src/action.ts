const methods = {
  'health-check': 'GET',
  discover: 'GET',
  execute: 'POST',
  preview: 'POST',
  trigger: 'POST',
  'agent-event': 'POST',
} as const

/**
 * The actions a bridge answers, each with the HTTP method that carries it.
 * A bare GET (no `action`, or an empty one) counts as `health-check`.
 *
 * @source bridge-protocol.md#requests
 */
export const actionMethods: Readonly<typeof methods> = Object.freeze(methods)

/** The name of an action, as the query parameter `action` carries it. */
export type Action = keyof typeof actionMethods

/** The methods a bridge accepts; any other is answered with `MethodNotAllowedError`. */
export const bridgeMethods: readonly string[] = Object.freeze(['GET', 'POST', 'OPTIONS'])

/**
 * Returns whether a value is the name of an action. Inherited names (`constructor`, `__proto__`) are not.
 *
 * @param value - The query parameter.
 * @example
 * isAction('execute') // true
 * isAction('constructor') // false
 */
export function isAction(value: unknown): value is Action {
  return typeof value === 'string' && Object.hasOwn(actionMethods, value)
}
