import type { Logger } from './bridge-options.ts'

const maxNotices = 200

/** The framework's messages to whoever runs the app. None of them can break a call. */
export interface Notices {
  /** Logs a warning, the first time this text comes. */
  once(message: string): void
  /** Logs a failure. */
  error(message: string, details?: unknown): void
}

/**
 * Makes the messages of one bridge.
 *
 * @param logger - Where they go; whatever it throws is dropped, since there is nowhere left to report it.
 */
export function createNotices(logger: Logger): Notices {
  const known = new Set<string>()
  return {
    once(message) {
      if (known.has(message) || known.size >= maxNotices) return
      known.add(message)
      attempt(() => logger.warn(message))
    },
    error: (message, details) => attempt(() => logger.error(message, details)),
  }
}

function attempt(log: () => unknown): void {
  try {
    const logged = log()
    if (logged instanceof Promise) logged.catch(() => undefined)
  } catch {
    // A logger that fails must not turn a served call into a failed one.
  }
}
