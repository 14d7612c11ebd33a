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
 * Applies the time and memory limits to each filter. The engine only checks time between template parts, and some
 * filters do not count memory, so a chain of them could exceed both within one part.
 *
 * @param liquid - The engine, whose filters are replaced.
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
    // Inputs were counted when they were created.
    if (typeof result === 'string') memoryLimit.use(result.length - (typeof value === 'string' ? value.length : 0))
    return result
  }
}
