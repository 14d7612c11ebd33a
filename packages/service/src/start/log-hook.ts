import type { LoggerOptions } from 'pino'
import { isOverload } from '../store/faults/is-overload.ts'
import { LostDatabaseError } from '../store/faults/lost-database.ts'

const everyMs = 10_000
/** An outage has a few distinct messages; any others are logged as they occur. */
const mostKept = 100

/**
 * Creates a log hook that logs a repeated database failure once every ten seconds with a count of suppressed lines,
 * because all background work encounters it several times a second.
 */
export function createLogHook(): NonNullable<LoggerOptions['hooks']> {
  const loggedFailures = new Map<string, { readonly atMs: number; count: number }>()
  return {
    logMethod(args, method) {
      const [fields, text] = args as unknown as readonly [unknown, unknown]
      const { err } = Object(fields) as { readonly err?: unknown }
      if (!isOverload(err) && !(err instanceof LostDatabaseError)) return method.apply(this, args)
      const key = `${String(text)} ${(err as Error).message}`
      const last = loggedFailures.get(key)
      const nowMs = performance.now()
      if (last && nowMs < last.atMs + everyMs) {
        last.count++
        return
      }
      if (loggedFailures.size >= mostKept) loggedFailures.clear()
      loggedFailures.set(key, { atMs: nowMs, count: 0 })
      const leftOut = last?.count ? { leftOut: last.count } : {}
      return method.call(this, { ...Object(fields), ...leftOut }, text as string)
    },
  }
}
