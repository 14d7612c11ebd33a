type Operator = (...values: readonly unknown[]) => unknown

const maxLength = 100_000

/** JSON logic operators that only read their operand values, and additional ones for strings. */
export const operators: Readonly<Record<string, Operator>> = {
  '!': (value) => !isTruthy(value),
  '!!': isTruthy,
  // JSON logic treats a number and its string form as equal.
  '==': (left, right) => isEqual(left, right),
  '!=': (left, right) => !isEqual(left, right),
  '===': (left, right) => left === right,
  '!==': (left, right) => left !== right,
  '<': (...values) => isOrdered(values, (left, right) => left < right),
  '<=': (...values) => isOrdered(values, (left, right) => left <= right),
  '>': (...values) => isOrdered(values, (left, right) => left > right),
  '>=': (...values) => isOrdered(values, (left, right) => left >= right),
  '+': (...values) => values.reduce<number>((sum, value) => sum + Number.parseFloat(toText(value)), 0),
  '*': (...values) => values.reduce<number>((product, value) => product * Number.parseFloat(toText(value)), 1),
  '-': (left, right) => (right === undefined ? -toNumber(left) : toNumber(left) - toNumber(right)),
  '/': (left, right) => toNumber(left) / toNumber(right),
  '%': (left, right) => toNumber(left) % toNumber(right),
  min: (...values) => Math.min(...values.map(toNumber)),
  max: (...values) => Math.max(...values.map(toNumber)),
  cat: (...values) => values.map(toText).join('').slice(0, maxLength),
  substr: (text, start, length) => cut(toText(text), toNumber(start), length),
  merge: (...values) => values.flat(),
  in: isIn,
  '!in': (part, whole) => !isIn(part, whole),
  contains: (whole, part) => isIn(part, whole),
  startsWith: (text, start) => String(text ?? '').startsWith(String(start)),
  endsWith: (text, end) => String(text ?? '').endsWith(String(end)),
  null: (value) => value === null || value === undefined,
  notNull: (value) => value !== null && value !== undefined,
}

/** Returns whether a value is truthy. An empty list is not, unlike in JavaScript. */
export function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

const isSimple = (value: unknown): boolean => typeof value !== 'object' || value === null

/** Lists and objects have no numeric value. */
const toNumber = (value: unknown): number => (isSimple(value) ? Number(value) : Number.NaN)
const toText = (value: unknown): string => (isSimple(value) ? String(value) : JSON.stringify(value))

function isEqual(left: unknown, right: unknown): boolean {
  if (left === right || (left ?? null) === (right ?? null)) return true
  const simple = [left, right].every((value) => ['string', 'number', 'boolean'].includes(typeof value))
  return simple && typeof left !== typeof right && Number(left) === Number(right)
}

/** A missing value counts as 0 when compared to a number, as in JSON logic. */
function isOrdered(values: readonly unknown[], compare: (left: never, right: never) => boolean): boolean {
  const isText = values.every((value) => typeof value === 'string')
  const operands = isText ? values : values.map((value) => toNumber(value ?? null))
  return (
    operands.length > 1 && operands.every((value, at) => at === 0 || compare(operands[at - 1] as never, value as never))
  )
}

function isIn(part: unknown, whole: unknown): boolean {
  if (Array.isArray(whole)) return whole.some((item) => isEqual(item, part))
  return typeof whole === 'string' && typeof part === 'string' && whole.includes(part)
}

/** A negative length omits that many characters at the end. */
function cut(text: string, start: number, length: unknown): string {
  const rest = text.slice(start)
  return length === undefined || length === null ? rest : rest.slice(0, toNumber(length))
}
