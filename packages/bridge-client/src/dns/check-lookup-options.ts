import { Resolver } from 'node:dns'
import { checkForms, type Forms, isInteger, maxTimerMs } from '../base/check-forms.ts'

const isPath = (value: unknown): boolean => typeof value === 'string' && value !== '' && !value.includes('\0')

/** The check for each option. A value of `undefined` counts as absent. */
const forms: Forms<'servers' | 'hostsFile' | 'resolverFile' | 'serverTimeoutMs'> = {
  servers: [areServers, 'a list of name server addresses, such as 10.0.0.53 or [fd00::53]:5353'],
  hostsFile: [isPath, 'a file path'],
  resolverFile: [isPath, 'a file path'],
  serverTimeoutMs: [isInteger(maxTimerMs), `an integer from 1 to ${maxTimerMs}`],
}

/**
 * Checks the options at creation, so that a mistake does not look like an unreachable name server.
 *
 * @throws TypeError - An option is unknown or of the wrong type.
 */
export function checkLookupOptions(options: unknown): void {
  checkForms('createLookup', options, forms)
}

const { servers, serverTimeoutMs } = forms

/** @throws TypeError - An option is unknown or of the wrong type. */
export function checkRecordLookupOptions(options: unknown): void {
  checkForms('createRecordLookup', options, { servers, serverTimeoutMs })
}

function areServers(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || !value.every((server) => typeof server === 'string')) return false
  try {
    // Accepts what Node accepts.
    new Resolver().setServers(value)
    return true
  } catch {
    return false
  }
}
