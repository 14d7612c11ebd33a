import { pino } from 'pino'

/**
 * Returns an error as it is logged: type, message, stack and scalar fields. Drivers attach objects such as the
 * connection,
 * which holds credentials.
 *
 * @param error - The thrown value.
 */
export function serializeError(error: Error): object {
  const fields = Object.entries(pino.stdSerializers.err(error))
  return Object.fromEntries(fields.filter(([, value]) => typeof value !== 'object' && typeof value !== 'function'))
}
