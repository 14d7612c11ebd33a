import type { Root } from './roots.ts'
import type { Token } from './tokens/scan-tokens.ts'

/** A second, in milliseconds. */
export const secondMs = 1000
/** A day, in milliseconds. */
export const dayMs = 86_400_000
/** The units of time, in milliseconds, the longest first. */
const unitsMs: Readonly<Record<string, number>> = {
  year: 365.25 * dayMs,
  month: 30.4375 * dayMs,
  week: 7 * dayMs,
  day: dayMs,
  hour: 3_600_000,
  minute: 60_000,
  second: secondMs,
}
const unitName = new RegExp(Object.keys(unitsMs).join('|'), 'i')
const maxSpans = 8

/** So much time, as the source text tells it. */
export interface Spans {
  /** The units that it reckons in, each in milliseconds. */
  readonly units: readonly number[]
  /** What it multiplies out, such as `14 * 864e5`, in milliseconds. */
  readonly lengths: readonly number[]
}

/** No time. */
export const noSpans: Spans = Object.freeze({ units: [], lengths: [] })

/**
 * Collects how a source text reckons with time: units by their milliseconds (`/ 864e5`, `/ 1000 / 60`) or their names
 * (`getFullYear`, `differenceInDays`), and lengths (`5 * 60 * 1000`).
 *
 * @param tokens - The source text.
 * @param roots - What it works out; how far two times are apart may be made of named units only. @default nothing
 */
export function toSpans(tokens: readonly Token[], roots: readonly Root[] = []): Spans {
  const units = new Set<number>()
  const apart = roots.flatMap(({ value, isDistance }) =>
    isDistance && value % secondMs === 0 ? [Math.abs(value)] : [],
  )
  const lengths = new Set(apart.slice(0, maxSpans))
  for (let index = 0; index < tokens.length; index++) {
    const { type, value } = tokens[index] as Token
    if (type === 'name') {
      const unit = unitName.exec(value)?.[0].toLowerCase()
      if (unit !== undefined) units.add(unitsMs[unit] as number)
    }
    if (type !== 'number') continue
    const { value: ms, last } = toProduct(tokens, index)
    index = last
    if (ms % secondMs !== 0 || ms === 0) continue
    if (Object.values(unitsMs).includes(ms)) units.add(ms)
    if (lengths.size < maxSpans) lengths.add(ms)
  }
  return { units: [...units], lengths: [...lengths] }
}

/**
 * Returns the longest unit that a length is told in: one of the source text's own, else one that measures it.
 *
 * @param spans - The source text's.
 * @param ms - The length, in milliseconds.
 */
export function unitOf({ units }: Spans, ms: number): number {
  const isLongest = (unit: number): boolean => unit <= ms && ms % unit === 0
  const all = Object.values(unitsMs)
  return all.find((unit) => units.includes(unit) && isLongest(unit)) ?? all.find(isLongest) ?? secondMs
}

/**
 * Returns what numbers give that are multiplied, as `100 * 1024 * 1024` and `5 * 1024 ** 2`, or by which something is divided
 * one after the other.
 *
 * @param tokens - The source text.
 * @param first - The first of them.
 * @returns Their product, and where it ends.
 */
function toProduct(tokens: readonly Token[], first: number): { readonly value: number; readonly last: number } {
  let value = Number(tokens[first]?.value)
  let last = first
  while (isFactor(tokens, last)) {
    last += 2
    let factor = Number(tokens[last]?.value)
    if (isSign(tokens[last + 1], '*') && isSign(tokens[last + 2], '*') && tokens[last + 3]?.type === 'number') {
      last += 3
      factor **= Number(tokens[last]?.value)
    }
    value *= factor
  }
  return { value, last }
}

/** Whether a number stands behind a token, and a sign to multiply or divide by it between the two. */
function isFactor(tokens: readonly Token[], index: number): boolean {
  const [sign, factor] = [tokens[index + 1], tokens[index + 2]]
  return (isSign(sign, '*') || isSign(sign, '/')) && factor?.type === 'number'
}

function isSign(token: Token | undefined, sign: string): boolean {
  return token?.type === 'mark' && token.value === sign
}
