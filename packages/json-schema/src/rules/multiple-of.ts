/** A decimal number: digits × 10 ^ exponent. */
interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

/** Returns whether a number is a multiple of another one, without rounding: 0.3 is a multiple of 0.1. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (!Number.isFinite(value) || !(divisor > 0)) return false
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  const [dividend, by] = [toDecimal(value), toDecimal(divisor)]
  const shift = dividend.exponent - by.exponent
  return shift >= 0
    ? (dividend.digits * 10n ** BigInt(shift)) % by.digits === 0n
    : dividend.digits % (by.digits * 10n ** BigInt(-shift)) === 0n
}

/** Reads the shortest decimal form of a number, which is the one in the JSON text. */
function toDecimal(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(Math.abs(value)).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}
