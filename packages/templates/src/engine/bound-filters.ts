import type { Liquid } from 'liquidjs'
import { sizeOf } from '../text/value-size.ts'
import { countIndentation } from './json-indentation.ts'

/** The maximum size of a value, in characters. Comparing or printing a value cannot be interrupted. */
const maxSize = 2_000_000

/** Filters that print JSON. Their argument is the indentation, which the engine does not count. */
const jsonFilters: ReadonlySet<string> = new Set(['json', 'jsonify', 'inspect'])

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
    const bounded = bound(handler as Handler, jsonFilters.has(name))
    filters[name] = (typeof given === 'function' ? bounded : { ...given, handler: bounded }) as typeof given
  }
}

function bound(handler: Handler, isJsonFilter: boolean): Handler {
  return function (value, ...options) {
    const { memoryLimit, renderLimit } = this.context
    renderLimit.check(performance.now())
    const indentation = isJsonFilter ? countIndentation(value, options[0], memoryLimit) : 0
    // Inputs were counted when they were created.
    const countedLength = typeof value === 'string' ? value.length : indentation
    const check = (result: unknown): unknown => {
      if (typeof result === 'string') memoryLimit.use(result.length - countedLength)
      else if (sizeOf(result, maxSize) > maxSize) throw new Error(`a value exceeds ${maxSize} characters`)
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
