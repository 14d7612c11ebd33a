import type { Liquid } from 'liquidjs'

/** The `this` of a filter: the engine's counters. */
interface Scope {
  readonly context: {
    readonly memoryLimit: { use(units: number): void }
    readonly renderLimit: { check(nowMs: number): void }
  }
}

type Handler = (this: Scope, value: unknown, ...options: unknown[]) => unknown

/**
 * Holds each filter to the limits of time and memory. The engine looks at the time only between the parts of a template,
 * and some of its filters count no memory: a chain of them would run on, and grow, within one part.
 *
 * @param liquid - The engine; its filters are changed.
 */
export function boundFilters({ filters }: Liquid): void {
  for (const [name, given] of Object.entries(filters)) {
    const handler = typeof given === 'function' ? given : given.handler
    if (!handler) continue
    const bounded = bound(handler as Handler)
    filters[name] = (typeof given === 'function' ? bounded : { ...given, handler: bounded }) as typeof given
  }
}

function bound(handler: Handler): Handler {
  return function (value, ...options) {
    const { memoryLimit, renderLimit } = this.context
    renderLimit.check(performance.now())
    const result = handler.call(this, value, ...options)
    // What goes in was counted where it was made.
    if (typeof result === 'string') memoryLimit.use(result.length - (typeof value === 'string' ? value.length : 0))
    return result
  }
}
