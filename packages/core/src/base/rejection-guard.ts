/** The promise hooks of `node:v8`: https://nodejs.org/api/v8.html#promise-hooks */
interface PromiseHooks {
  createHook(hooks: Record<'init' | 'before' | 'after', (promise: Promise<unknown>) => void>): () => void
}

const { then } = Promise.prototype
const ignore = (): void => undefined

let guards = 0
let stopHooks: (() => void) | undefined
/** The current nesting depth of guarded code. */
let depth = 0
let isBusy = false

/**
 * Prevents unhandled rejections on sample data from ending a Node process: a branch that is started first and awaited
 * later (`const branch = notify(); await step.delay(…); await branch`) may reject before it is awaited. Only promises
 * of the guarded code are marked as handled. Does nothing on other runtimes.
 *
 * @returns A function that ends the guard. Work that has already started stays guarded.
 * @source https://nodejs.org/api/process.html#event-unhandledrejection
 */
export function guardRejections(): () => void {
  if (guards++ === 0) stopHooks = startHooks()
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    if (--guards > 0) return
    stopHooks?.()
    stopHooks = undefined
  }
}

/** Calls a function and guards everything that it starts. */
export function runGuarded<TResult>(call: () => TResult): TResult {
  depth++
  try {
    return call()
  } finally {
    depth--
  }
}

function startHooks(): (() => void) | undefined {
  depth = 0
  // Promises seen by an earlier guard do not count, because its code may still be running.
  const own = new WeakSet<Promise<unknown>>()
  try {
    return findHooks()?.createHook({
      init(promise) {
        if (depth === 0 || isBusy) return
        own.add(promise)
        // Handling a promise creates another one; for a subclass this would run app code.
        isBusy = true
        if (Object.getPrototypeOf(promise) === Promise.prototype) then.call(promise, undefined, ignore)
        isBusy = false
      },
      before(promise) {
        if (own.has(promise)) depth++
      },
      after(promise) {
        if (own.has(promise)) depth--
      },
    })
  } catch {
    // Bun and Deno define the function, but it throws.
    return undefined
  }
}

let hooks: PromiseHooks | null | undefined

/** Loads `node:v8` without naming it in an import, because bundlers for edge runtimes would fail on it. */
function findHooks(): PromiseHooks | null {
  if (hooks !== undefined) return hooks
  const { process } = globalThis as { process?: object }
  const load: unknown = process && Reflect.get(process, ['get', 'BuiltinModule'].join(''))
  const v8 = typeof load === 'function' ? Reflect.apply(load, process, ['node:v8']) : undefined
  hooks = (v8 as { promiseHooks?: PromiseHooks } | undefined)?.promiseHooks ?? null
  return hooks
}
