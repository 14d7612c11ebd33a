import type { HandlerContext } from '../workflow/step.ts'
import { toIdempotencyKey } from './idempotency-key.ts'
import { readSignal } from './lazy-signal.ts'
import type { RunScope } from './step-run.ts'

const scopeOf: unique symbol = Symbol('scope')
const keyOf: unique symbol = Symbol('idempotency key')

interface Hidden {
  readonly [scopeOf]: RunScope
  readonly [keyOf]: string | undefined
}

// Shared by all calls, and read only when a handler asks: most ask for neither.
const prototype: HandlerContext = {
  get signal() {
    return readSignal((this as unknown as Hidden)[scopeOf].abort)
  },
  get idempotencyKey() {
    const { [keyOf]: known, [scopeOf]: scope } = this as unknown as Hidden
    return known ?? (toIdempotencyKey(scope) as string)
  },
}

/**
 * Makes what a handler is given beside its controls.
 *
 * @param scope - The run.
 * @returns A promise only where the runtime's hash is asynchronous, since reading the key is not.
 */
export function toHandlerContext(scope: RunScope): HandlerContext | Promise<HandlerContext> {
  if (scope.hmac.synchronous) return create(scope, undefined)
  return Promise.resolve(toIdempotencyKey(scope)).then((key) => create(scope, key))
}

function create(scope: RunScope, key: string | undefined): HandlerContext {
  const context = Object.create(prototype)
  context[scopeOf] = scope
  context[keyOf] = key
  return context
}
