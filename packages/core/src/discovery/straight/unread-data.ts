import { exceed, type Recording } from '../recording/record-step.ts'
import type { SampleRunData } from '../samples/sample-run-data.ts'

/**
 * Creates data that nobody may ask: whatever is asked of it ends the run. It may be handed on, and awaited.
 *
 * @param recording - The run.
 */
export function createUnreadData(recording: Recording): SampleRunData {
  const refuse = (): never => {
    throw exceed(recording, 'asks for data, so that it is run on samples of it')
  }
  const traps: ProxyHandler<Record<string, never>> = {
    // Asked of whatever a promise is resolved with.
    get: (_, key) => (key === 'then' ? undefined : refuse()),
    set: refuse,
    has: refuse,
    ownKeys: refuse,
    getOwnPropertyDescriptor: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
    setPrototypeOf: refuse,
    isExtensible: refuse,
    preventExtensions: refuse,
  }
  const unread = (): Record<string, never> => new Proxy({}, traps)
  return {
    payload: unread(),
    env: unread(),
    controls: unread(),
    subscriber: unread,
    context: unread,
    // There may be none.
    actor: refuse,
    resultOf: unread,
    contextOf: () => undefined,
  }
}
