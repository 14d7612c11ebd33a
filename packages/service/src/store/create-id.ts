import { randomBytes } from 'node:crypto'

const processPart = randomBytes(3).toString('hex')
const counterLimit = 2 ** 24
let counter = randomBytes(2).readUInt16BE()

/** The format of identifiers. */
export const idPattern: RegExp = /^[0-9a-f]{24}$/

/**
 * Creates an identifier of 24 hexadecimal digits: 12 for the time in milliseconds, 6 for a counter, 6 for the process.
 * Identifiers of one process sort by creation time.
 *
 * @param nowMs - The time, in milliseconds since 1970.
 */
export function createId(nowMs: number): string {
  counter = (counter + 1) % counterLimit
  const time = Math.max(0, Math.trunc(nowMs)).toString(16).padStart(12, '0')
  return `${time}${counter.toString(16).padStart(6, '0')}${processPart}`
}
