/** Group prefixes, whose characters are not literal. */
const groupHead = /\(\?(?:[:=!]|<[=!]|<[^>]+>)/y

/**
 * Converts a regular expression to a pattern without flags: JSON Schema has no flags, and dropping them would reject
 * valid text.
 *
 * @returns The pattern; `undefined` if that is impossible, for example with `m`, or with back-references that ignore
 * case.
 */
export function patternOf({ source, flags, ignoreCase, dotAll }: RegExp): string | undefined {
  if (/[mvy]/.test(flags)) return undefined
  if (!ignoreCase && !dotAll) return source
  let pattern = ''
  for (let at = 0; at < source.length; ) {
    const part = readPart(source, at)
    const said = part && sayPart(part, { ignoreCase, dotAll })
    if (said === undefined) return undefined
    pattern += said
    at += part?.length ?? 1
  }
  return pattern
}

/** Reads an escape, a class, a group prefix, or a character; returns `undefined` for any other kind of group. */
function readPart(source: string, at: number): string | undefined {
  const sign = source[at] ?? ''
  if (sign === '\\') return source.slice(at, at + 2)
  if (sign === '[') return source.slice(at, toClassEnd(source, at))
  if (!source.startsWith('(?', at)) return sign
  groupHead.lastIndex = at
  return groupHead.exec(source)?.[0]
}

function toClassEnd(source: string, start: number): number {
  let at = start + 1
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1
  return at + 1
}

function sayPart(part: string, { ignoreCase, dotAll }: Pick<RegExp, 'ignoreCase' | 'dotAll'>): string | undefined {
  if (part === '.' && dotAll) return '[\\s\\S]'
  if (!ignoreCase || part.startsWith('(')) return part
  // The characters that these escapes match cannot be determined here.
  if (part.startsWith('\\')) return /[1-9cxukpP]/.test(part) ? undefined : part
  if (part.startsWith('[')) return sayClass(part)
  const cases = toCases(part)
  return cases === part ? part : `[${cases}]`
}

function sayClass(part: string): string | undefined {
  let said = part.startsWith('[^') ? '[^' : '['
  for (let at = said.length; at < part.length - 1; ) {
    const [first = '', dash, last = ''] = part.slice(at, -1)
    if (first === '\\') {
      if (/[cxupP]/.test(part[at + 1] ?? '') || part[at + 2] === '-') return undefined
      said += part.slice(at, at + 2)
      at += 2
    } else if (dash === '-' && last !== '') {
      const others = toOtherRange(first, last)
      if (others === undefined) return undefined
      said += `${first}-${last}${others}`
      at += 3
    } else {
      said += toCases(first)
      at++
    }
  }
  return `${said}]`
}

/** Returns a letter in both cases; returns other characters unchanged. */
function toCases(sign: string): string {
  const other = sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase()
  return other.length === 1 && other !== sign ? sign + other : sign
}

/** Returns a range of letters in the other case; `undefined` if it contains non-ASCII characters. */
function toOtherRange(first: string, last: string): string | undefined {
  if (last === '\\' || last > '\x7f') return undefined
  const within = (low: string, high: string): readonly [string, string] | undefined => {
    const [from, to] = [first > low ? first : low, last < high ? last : high]
    return from <= to ? [from, to] : undefined
  }
  const small = within('a', 'z')
  const capital = within('A', 'Z')
  return [
    ...(small ? [`${small[0].toUpperCase()}-${small[1].toUpperCase()}`] : []),
    ...(capital ? [`${capital[0].toLowerCase()}-${capital[1].toLowerCase()}`] : []),
  ].join('')
}

/**
 * Applies the flags of patterns to the JSON Schema of a text, if a library has omitted them.
 *
 * @param jsonSchema - The JSON Schema, which is modified.
 * @param expressions - The regular expressions that the text must match; others are ignored.
 */
export function putFlags(jsonSchema: object, expressions: readonly unknown[]): void {
  const { allOf } = jsonSchema as { readonly allOf?: unknown }
  const parts = [jsonSchema, ...(Array.isArray(allOf) ? allOf : [])] as { pattern?: unknown }[]
  for (const expression of expressions) {
    if (!(expression instanceof RegExp)) continue
    const pattern = patternOf(expression)
    if (pattern === undefined) continue
    for (const part of parts) if (part.pattern === expression.source) part.pattern = pattern
  }
}
