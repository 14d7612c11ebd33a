import type { Context, Token } from 'liquidjs'

type Library = Pick<typeof import('liquidjs'), 'evalTokenValue' | 'Token' | 'Tokenizer' | 'TokenKind'>

/** Near 2 ** 53, adding 1 does not change a number, so the engine would add items to a range forever. */
const maxBound = 2 ** 31

/** The part of the engine that reads `(1..5)`, also from the arguments of filters while they run. */
interface RangeReader {
  readGroupOrRange(this: unknown): Token | undefined
}

interface RangeToken extends Token {
  lhs: Token
  rhs: Token
}

const bounded = new WeakSet<object>()

/**
 * Rejects ranges with large bounds, for all engines of the library: it has no option for this.
 *
 * @param library - Any build of `liquidjs`, of which the tokenizer is changed.
 */
export function boundRanges(library: Library): void {
  const reader = library.Tokenizer.prototype as unknown as RangeReader
  if (bounded.has(reader)) return
  bounded.add(reader)
  const { readGroupOrRange } = reader
  reader.readGroupOrRange = function () {
    const token = readGroupOrRange.call(this)
    if (token?.kind !== library.TokenKind.Range) return token
    const range = token as RangeToken
    range.lhs = checkBound(range.lhs, library)
    range.rhs = checkBound(range.rhs, library)
    return range
  }
}

/** Wraps a token in a group, `(x)`, whose evaluation checks the value. */
function checkBound(token: Token, { evalTokenValue, Token: Base, TokenKind }: Library): Token {
  const { input, begin, end, file } = token
  const initial = {
    postfix: [token],
    *evaluate(context: Context): Generator<unknown, unknown> {
      const bound: unknown = yield evalTokenValue(token, context)
      if (Math.abs(Number(bound)) > maxBound) throw new Error(`a range must be between -${maxBound} and ${maxBound}`)
      return bound
    },
  }
  const fields = { kind: TokenKind.FilteredValue, input, begin, end, file, initial, filters: [] }
  return Object.assign(Object.create(Base.prototype) as Token, fields)
}
