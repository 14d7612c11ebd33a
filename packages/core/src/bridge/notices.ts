import type { Logger } from './bridge-options.ts'

const maxNotices = 200

/** Log messages of the framework for operators. They never make a call fail. */
export interface Notices {
  /**
   * Logs a warning once for each text.
   *
   * @param kind - The kind of warning; at most 200 of each kind are logged, so that one does not hide the others.
   *   @default one for all
   */
  once(message: string, kind?: string): void
  error(message: string, err: unknown): void
  /** Calls a hook and catches its errors. Errors are logged and otherwise ignored. */
  guard(name: string, hook: () => unknown): void
}

/**
 * Creates the log of one bridge.
 *
 * @param given - The logger; errors that it throws are ignored, because they could not be logged.
 * @default console
 */
export function createNotices(given: Logger = console): Notices {
  const logger = given === console ? readable : given
  const messagesByKind = new Map<string, Set<string>>()
  const error = (message: string, err: unknown): void => attempt(() => logger.error({ err }, message))
  return {
    once(message, kind = '') {
      const loggedMessages = messagesByKind.get(kind) ?? new Set()
      messagesByKind.set(kind, loggedMessages)
      if (loggedMessages.has(message) || loggedMessages.size >= maxNotices) return
      loggedMessages.add(message)
      attempt(() => logger.warn({}, message))
    },
    error,
    guard: (name, hook) => attempt(hook, (failure) => error(`The hook ${name} failed.`, failure)),
  }
}

/** On a terminal, prints the message before the details. */
const readable: Logger = {
  warn: (_details, message) => console.warn(message),
  error: ({ err }, message) => console.error(message, err),
}

/** Ensures that app code neither makes the call fail nor ends the process with an unhandled rejection. */
function attempt(work: () => unknown, onFailure: (failure: unknown) => void = () => undefined): void {
  try {
    const done = work()
    if (typeof done === 'object' && done !== null && 'then' in done) Promise.resolve(done).catch(onFailure)
  } catch (failure) {
    onFailure(failure)
  }
}
