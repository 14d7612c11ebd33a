import timers from 'node:timers'
import timerPromises from 'node:timers/promises'
import { contextStorage } from '../context/test-context.ts'
import { joinReplacements, type Replacement, replaceProperty } from './replace-property.ts'

type AnyFunction = (...args: unknown[]) => unknown
type Owner = Record<string, AnyFunction>

const places: readonly (readonly [owner: object, names: readonly string[]])[] = [
  [globalThis, ['setImmediate', 'clearImmediate', 'queueMicrotask']],
  [timers, ['setImmediate', 'clearImmediate']],
  [timerPromises, ['setImmediate']],
  [process, ['nextTick']],
]

// Saved before a test can replace them.
const kept = places.flatMap(([owner, names]) =>
  names.map((name) => ({ owner: owner as Owner, name, own: (owner as Owner)[name] })),
)

/**
 * Lets code in a test context use event loop turns while fake timers hold them: turns take no time that could be
 * skipped, and reading a response needs them.
 */
export function patchTurns(): Replacement {
  return joinReplacements(kept.map(keepTurn))
}

function keepTurn({ owner, name, own }: (typeof kept)[number]): Replacement {
  if (!own || owner[name] === own)
    return {
      get isInPlace() {
        return owner[name] === own
      },
      restore: () => undefined,
    }
  return replaceProperty(
    owner,
    name,
    (original) =>
      new Proxy(original as AnyFunction, {
        apply: (target, self, args) => Reflect.apply(contextStorage.getStore() ? own : target, self, args),
      }),
  )
}
