import timers from 'node:timers'
import timerPromises from 'node:timers/promises'
import { promisify } from 'node:util'
import { contextStorage } from '../context/test-context.ts'
import type { VirtualClock, VirtualTimer } from '../context/virtual-clock.ts'
import { joinReplacements, type Replacement, replaceProperty } from './replace-property.ts'
import { createTimerHandle, findVirtual } from './timer-handle.ts'
import { virtualTimerPromises } from './virtual-timer-promises.ts'

type AnyFunction = (...args: unknown[]) => unknown
type Owner = Record<string, AnyFunction>

const maxDelayMs = 2 ** 31 - 1
// Saved before a test can replace it.
const ownSetTimeout = globalThis.setTimeout

/** Sets timers on the clock of the test context, if it has one. Has no effect outside such a context. */
export function patchTimers(): Replacement {
  const promises = timerPromises as unknown as Owner
  return joinReplacements([
    ...[globalThis, timers].flatMap((owner) => patchCallbacks(owner as unknown as Owner)),
    ...Object.entries(virtualTimerPromises).map(([name, virtual]) => patchByClock(promises, name, virtual)),
    patchByClock(timerPromises.scheduler as unknown as Owner, 'wait', (clock, ...[ms, options]) =>
      virtualTimerPromises.setTimeout(clock, ms, undefined, options),
    ),
    patchByClock(AbortSignal as unknown as Owner, 'timeout', abortAfter),
    replaceProperty(performance, 'now', (original) =>
      wrap(original, (target) => elapsedOf(clockOf()) ?? target.call(performance)),
    ),
  ])
}

function patchCallbacks(owner: Owner): readonly Replacement[] {
  return [
    patchByClock(owner, 'setTimeout', (clock, ...[callback, ms, ...args]) => set(clock, { callback, ms, args })),
    patchByClock(owner, 'setInterval', (clock, ...[callback, ms, ...args]) =>
      set(clock, { callback, ms, args, repeats: true }),
    ),
    ...['clearTimeout', 'clearInterval'].map((name) =>
      replaceProperty(owner, name, (original) =>
        wrap(original, (target, given: unknown) => {
          const virtual = findVirtual(given)
          return virtual ? virtual.clear() : target(given)
        }),
      ),
    ),
  ]
}

/** Copies the properties of the original, which fake timers use to recognize their own functions. */
function wrap<TFunction extends (...args: never[]) => unknown>(
  original: TFunction,
  call: (target: TFunction, ...args: Parameters<TFunction>) => ReturnType<TFunction>,
): TFunction {
  return new Proxy(original, { apply: (target, _self, args) => call(target, ...(args as Parameters<TFunction>)) })
}

/** Makes a function that waits in real time use a virtual clock. */
function patchByClock(
  owner: Owner,
  name: string,
  virtual: (clock: VirtualClock, ...args: never[]) => unknown,
): Replacement {
  return replaceProperty(
    owner,
    name,
    (original) =>
      new Proxy(original as AnyFunction, {
        apply(target, self, args: never[]) {
          const clock = clockOf()
          return clock ? virtual(clock, ...args) : Reflect.apply(target, self, args)
        },
        get: (target, key) =>
          key === promisify.custom && name in virtualTimerPromises
            ? timerPromises[name as 'setTimeout']
            : Reflect.get(target, key),
      }),
  )
}

function clockOf(): VirtualClock | undefined {
  const clock = contextStorage.getStore()?.clock
  return clock?.active ? clock : undefined
}

function elapsedOf(clock: VirtualClock | undefined): number | undefined {
  return clock && clock.nowMs - clock.startMs
}

interface Setting {
  readonly callback: unknown
  readonly ms: unknown
  readonly args: readonly unknown[]
  readonly repeats?: boolean
}

function set(clock: VirtualClock, { callback, ms, args, repeats = false }: Setting): unknown {
  // Lets Node report the error.
  if (typeof callback !== 'function') return ownSetTimeout(callback as () => void)
  const delayMs = toDelay(ms)
  const start = (): VirtualTimer =>
    clock.set(() => void callback(...args), delayMs, repeats ? Math.max(1, delayMs) : undefined)
  return createTimerHandle(clock, start)
}

/** As in Node: an invalid or excessive delay becomes the shortest one. */
function toDelay(ms: unknown): number {
  const delay = Number(ms ?? 0)
  if (delay >= 0 && delay < 1) return 0
  return delay >= 1 && delay <= maxDelayMs ? Math.trunc(delay) : 1
}

function abortAfter(clock: VirtualClock, ms: number): AbortSignal {
  const controller = new AbortController()
  const reason = (): DOMException => new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  clock.set(() => controller.abort(reason()), toDelay(ms))
  return controller.signal
}
