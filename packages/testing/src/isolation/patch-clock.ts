import { contextStorage, type TestContext, timeOf } from '../context/test-context.ts'
import { joinReplacements, type Replacement, replaceProperty } from './replace-property.ts'

/**
 * Makes `Date` return the time of the test context, and lets a replay control `Math.random` of a workflow function. Has
 * no effect outside a test context.
 */
export function patchClock(): Replacement {
  return joinReplacements([
    replaceProperty(globalThis, 'Date', (original) => new Proxy(original, toTraps(original))),
    replaceProperty(Math, 'random', (original) => () => forcedRandom(contextStorage.getStore()) ?? original()),
  ])
}

function toTraps(original: DateConstructor): ProxyHandler<DateConstructor> {
  const now = (): number => {
    const context = contextStorage.getStore()
    return context ? timeOf(context) : original.now()
  }
  return {
    construct(target, args: unknown[], newTarget) {
      // A subclass of Date keeps its own prototype.
      return Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object
    },
    apply: () => new original(now()).toString(),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  }
}

function forcedRandom(context: TestContext | undefined): number | undefined {
  return context?.inFunction ? context.replay?.random : undefined
}
