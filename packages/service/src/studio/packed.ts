import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** The encodings a file is sent in, the smallest first. */
const encodings = ['br', 'gzip'] as const

/** An encoding of a body. */
export type Encoding = (typeof encodings)[number]

/** Of the highest quality, a build's largest file takes a second; this one is a few percent larger. */
const brotliQuality = 9
const pack: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (bytes) => promisify(gzip)(bytes),
}

/**
 * Returns the best encoding that a caller accepts; undefined if it accepts none of them.
 *
 * @param accepted - The header `accept-encoding`.
 */
export function chooseEncoding(accepted = ''): Encoding | undefined {
  // `trim` rather than an expression for spaces: that would take quadratic time for many of them.
  const named = accepted.split(',').map((one) => one.split(';').map((part) => part.trim().toLowerCase()))
  const isAccepted = (name: string): boolean =>
    named.some(([coding, ...parameters]) => coding === name && !parameters.some((one) => /^q=0(\.0*)?$/.test(one)))
  return encodings.find(isAccepted)
}

/** Compresses a file that does not change, each encoding once. */
export function createPacking(read: () => Promise<Uint8Array>): (encoding: Encoding) => Promise<Uint8Array> {
  const packed = new Map<Encoding, Promise<Uint8Array>>()
  return (encoding) => {
    const known = packed.get(encoding)
    if (known) return known
    const made = read().then(pack[encoding])
    packed.set(encoding, made)
    // A file that could not be read may be there the next time.
    made.catch(() => packed.delete(encoding))
    return made
  }
}
