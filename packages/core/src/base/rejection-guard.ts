/** The part of `node:v8` that tells of promises: https://nodejs.org/api/v8.html#promise-hooks */
interface PromiseHooks {
  createHook(hooks: Record<'init' | 'before' | 'after', (promise: Promise<unknown>) => void>): () => void
}

const { then } = Promise.prototype
const ignore = (): void => undefined

let guards = 0
let stopHooks: (() => void) | undefined
/** How deep the running code is within code that is guarded. */
let depth = 0
let isBusy = false

/**
 * Keeps Node from ending the process for what code throws of sample data: a branch that is started first and awaited
 * later (`const branch = notify(); await step.delay(…); await branch`) may fail before anybody awaits it. Only promises
 * of the guarded code count as handled. Elsewhere than in Node nothing is guarded.
 *
 * @returns Ends the guard. What was begun before stays guarded.
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

/**
 * Calls what is guarded, with all that it sets off.
 *
 * @param call - The code.
 */
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
  // What an earlier guard has seen must not count: its code may be at work while this one begins.
  const own = new WeakSet<Promise<unknown>>()
  try {
    return findHooks()?.createHook({
      init(promise) {
        if (depth === 0 || isBusy) return
        own.add(promise)
        // To handle a promise makes another; a subclass would run code of the app for it.
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
    // Bun and Deno have the function, and throw.
    return undefined
  }
}

let hooks: PromiseHooks | null | undefined

/** Without a mention that bundlers for edge runtimes stumble over. */
function findHooks(): PromiseHooks | null {
  if (hooks !== undefined) return hooks
  const { process } = globalThis as { process?: object }
  const load: unknown = process && Reflect.get(process, ['get', 'BuiltinModule'].join(''))
  const v8 = typeof load === 'function' ? Reflect.apply(load, process, ['node:v8']) : undefined
  hooks = (v8 as { promiseHooks?: PromiseHooks } | undefined)?.promiseHooks ?? null
  return hooks
}
