/** Thrown for a value that the databases would change or reject, such as a string with the character U+0000. */
export class UnstorableValueError extends TypeError {
  override readonly name = 'UnstorableValueError'
}

const { isWellFormed } = String.prototype as unknown as { isWellFormed(this: string): boolean }

/**
 * Returns a query parameter unchanged if both databases store it without changes.
 *
 * @throws {UnstorableValueError} For U+0000 or a lone surrogate in a string, a number that is not finite or an integer
 * beyond 2^53, and for anything other than strings, numbers, bytes and null.
 */
export function checkParameter(value: unknown): unknown {
  if (typeof value === 'string') return checkText(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
      throw new UnstorableValueError(`The number ${value} cannot be stored.`)
    return value
  }
  if (value === null || value instanceof Uint8Array) return value
  throw new UnstorableValueError(`A value of type ${typeof value} cannot be stored.`)
}

function checkText(text: string): string {
  if (text.includes('\0')) throw new UnstorableValueError('A string with the character U+0000 cannot be stored.')
  if (!isWellFormed.call(text)) throw new UnstorableValueError('A string with an unpaired surrogate cannot be stored.')
  return text
}
