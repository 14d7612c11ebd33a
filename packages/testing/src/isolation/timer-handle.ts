import type { VirtualClock, VirtualTimer } from '../context/virtual-clock.ts'

/** The result of Node's `setTimeout`, for a timer of a virtual clock. */
export interface TimerHandle {
  clear(): void
}

// Higher than any timer id that Node assigns.
const firstId = 2 ** 40
let ids = firstId
const byId = new Map<number, WeakRef<TimerHandle>>()
const handles = new WeakSet<object>()

/**
 * Creates a timer's handle.
 *
 * @param start - Sets the timer; called for each start.
 */
export function createTimerHandle(clock: VirtualClock, start: () => VirtualTimer): TimerHandle {
  let timer = start()
  let isReferenced = true
  const id = ids++
  const clear = (): void => {
    clock.clear(timer)
    byId.delete(id)
  }
  const reference = (is: boolean): TimerHandle => {
    isReferenced = is
    return handle
  }
  const handle = {
    clear,
    close() {
      clear()
      return handle
    },
    ref: () => reference(true),
    unref: () => reference(false),
    hasRef: () => isReferenced,
    refresh() {
      clock.clear(timer)
      timer = start()
      return handle
    },
    [Symbol.toPrimitive]() {
      byId.set(id, new WeakRef(handle))
      return id
    },
    [Symbol.dispose ?? Symbol.for('nodejs.dispose')]: clear,
  }
  handles.add(handle)
  return handle
}

/**
 * Finds the handle passed to `clearTimeout`.
 *
 * @param given - A handle, or its number.
 */
export function findVirtual(given: unknown): TimerHandle | undefined {
  if (typeof given === 'object' && given !== null) return handles.has(given) ? (given as TimerHandle) : undefined
  return typeof given === 'number' || typeof given === 'string' ? byId.get(Number(given))?.deref() : undefined
}
