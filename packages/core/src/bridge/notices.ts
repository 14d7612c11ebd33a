import type { Logger } from './bridge-options.ts'

const maxNotices = 200

/** The framework's messages to whoever runs the app. None of them can break a call. */
export interface Notices {
  /**
   * Logs a warning, the first time this text comes.
   *
   * @param message - The text.
   * @param kind - The kind of warning; of each kind 200 are logged, so that one cannot drown the others. @default one for all
   */
  once(message: string, kind?: string): void
  /**
   * Logs a failure.
   *
   * @param message - What failed.
   * @param err - What was thrown.
   */
  error(message: string, err: unknown): void
  /**
   * Calls a hook of the app. What it throws, or rejects with, is logged and changes nothing.
   *
   * @param name - The hook's name.
   * @param hook - Calls it.
   */
  guard(name: string, hook: () => unknown): void
}

/**
 * Creates the messages of one bridge.
 *
 * @param given - Where they go; whatever it throws is dropped, since there is nowhere left to report it.
 * @default console
 */
export function createNotices(given: Logger = console): Notices {
  const logger = given === console ? readable : given
  const known = new Map<string, Set<string>>()
  const error = (message: string, err: unknown): void => attempt(() => logger.error({ err }, message))
  return {
    once(message, kind = '') {
      const told = known.get(kind) ?? new Set()
      known.set(kind, told)
      if (told.has(message) || told.size >= maxNotices) return
      told.add(message)
      attempt(() => logger.warn({}, message))
    },
    error,
    guard: (name, hook) => attempt(hook, (failure) => error(`The hook ${name} failed.`, failure)),
  }
}

/** On a terminal the text comes first. */
const readable: Logger = {
  warn: (_details, message) => console.warn(message),
  error: ({ err }, message) => console.error(message, err),
}

/** Code of the app beside a call must neither fail the call nor, by a rejection nobody handles, end the process. */
function attempt(work: () => unknown, onFailure: (failure: unknown) => void = () => undefined): void {
  try {
    const done = work()
    if (typeof done === 'object' && done !== null && 'then' in done) Promise.resolve(done).catch(onFailure)
  } catch (failure) {
    onFailure(failure)
  }
}
