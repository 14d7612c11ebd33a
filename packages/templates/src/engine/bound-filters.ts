import type { Liquid } from 'liquidjs'
import { sizeOf } from './value-size.ts'

/** The maximum size of a value, in characters. Comparing or printing a value cannot be interrupted. */
const maxSize = 2_000_000

/** The `this` of a filter: the engine's counters. */
interface Scope {
  readonly context: {
    readonly memoryLimit: { use(units: number): void }
    readonly renderLimit: { check(nowMs: number): void }
  }
}

type Handler = (this: Scope, value: unknown, ...options: unknown[]) => unknown

/**
 * Applies the time and memory limits to each filter, and limits the size of results. The engine only checks time between
 * template parts, and some filters do not count memory, so a chain of them could exceed both within one part. It also
 * counts a list that is contained many times only once.
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
    // Inputs were counted when they were created.
    const countedLength = typeof value === 'string' ? value.length : 0
    const check = (result: unknown): unknown => {
      if (typeof result === 'string') memoryLimit.use(result.length - countedLength)
      else if (sizeOf(result) > maxSize) throw new Error(`a value exceeds ${maxSize} characters`)
      return result
    }
    const result = handler.call(this, value, ...options)
    return isGenerator(result) ? checkEnd(result, check) : check(result)
  }
}

type Steps = Generator<unknown, unknown>

/** Some filters evaluate properties, and return a generator that the engine runs. */
function isGenerator(value: unknown): value is Steps {
  return typeof value === 'object' && value !== null && 'next' in value && typeof value.next === 'function'
}

function* checkEnd(steps: Steps, check: (result: unknown) => unknown): Steps {
  return check(yield steps)
}
