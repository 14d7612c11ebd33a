import { callAccount } from '../../trigger/account.ts'
import { type KeyedSettings, nextKey } from '../../trigger/request-key.ts'
import type { HandlerContext } from '../../workflow/kinds/signature.ts'
import { readSignal } from '../state/lazy-signal.ts'
import type { RunScope } from '../state/step-run.ts'
import { toIdempotencyKey } from './idempotency-key.ts'

const scopeOf: unique symbol = Symbol('scope')
const keyOf: unique symbol = Symbol('idempotency key')

interface Hidden extends KeyedSettings {
  readonly [scopeOf]: RunScope
  readonly [keyOf]: string | undefined
  readonly [callAccount]: RunScope['account']
}

// Shared by all calls, because separate functions would give each call a hidden class. Computed on demand, because most
// handlers use neither.
const signal: PropertyDescriptor = {
  enumerable: true,
  get(this: Hidden) {
    return readSignal(this[scopeOf].abort)
  },
}
const idempotencyKey: PropertyDescriptor = {
  enumerable: true,
  get(this: Hidden) {
    return this[keyOf] ?? toIdempotencyKey(this[scopeOf])
  },
}

/**
 * Creates the context of a handler, which is its second argument after the controls.
 *
 * @param scope - The run of the step.
 * @returns A promise only if the runtime's HMAC is asynchronous, because reading the key is synchronous.
 */
export function toHandlerContext(scope: RunScope): HandlerContext | Promise<HandlerContext> {
  if (scope.hmac.synchronous) return create(scope, undefined)
  return Promise.resolve(toIdempotencyKey(scope)).then((key) => create(scope, key))
}

function create(scope: RunScope, key: string | undefined): HandlerContext {
  let requests = 0
  const context: Hidden = {
    [scopeOf]: scope,
    [keyOf]: key,
    [callAccount]: scope.account,
    // Another key was set by the caller.
    [nextKey]: (given) => (given === context.idempotencyKey ? `${given}.${requests++}` : given),
  }
  // Own properties, so that they survive `{ signal, ...rest }`.
  Reflect.defineProperty(context, 'signal', signal)
  Reflect.defineProperty(context, 'idempotencyKey', idempotencyKey)
  return context as unknown as HandlerContext
}
