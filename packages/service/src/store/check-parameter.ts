/** Thrown for a value that the databases would alter or refuse, such as a text that holds the character U+0000. */
export class UnstorableValueError extends TypeError {
  override readonly name = 'UnstorableValueError'
}

const { isWellFormed } = String.prototype as unknown as { isWellFormed(this: string): boolean }

/**
 * Returns a query parameter as it came, when both databases store it unaltered.
 *
 * @throws {UnstorableValueError} For U+0000 or a lone surrogate in a text, a number that is not finite or an integer
 * beyond 2^53, and for anything else but texts, numbers, bytes and null.
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
  if (text.includes('\0')) throw new UnstorableValueError('A text that holds the character U+0000 cannot be stored.')
  if (!isWellFormed.call(text))
    throw new UnstorableValueError('A text that holds half a surrogate pair cannot be stored.')
  return text
}
