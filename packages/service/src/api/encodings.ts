/** An encoding of a body. */
export type Encoding = 'br' | 'gzip'

/** The encodings in which a file can be sent, smallest first. */
const encodings: readonly Encoding[] = ['br', 'gzip']

/**
 * Returns the best encoding that a caller accepts; undefined if it accepts none of them.
 *
 * @param accepted - The `accept-encoding` header.
 * @param offered - The encodings to choose from, best first. @default all
 */
export function chooseEncoding(accepted = '', offered: readonly Encoding[] = encodings): Encoding | undefined {
  // `trim` rather than a regular expression, which would take quadratic time for many spaces.
  const named = accepted.split(',').map((one) => one.split(';').map((part) => part.trim().toLowerCase()))
  const isAccepted = (name: string): boolean =>
    named.some(([coding, ...parameters]) => coding === name && !parameters.some((one) => /^q=0(\.0*)?$/.test(one)))
  return offered.find(isAccepted)
}
