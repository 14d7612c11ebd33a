import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** The encodings in which a file can be sent, smallest first. */
const encodings = ['br', 'gzip'] as const

/** An encoding of a body. */
export type Encoding = (typeof encodings)[number]

/**
 * At the highest quality, compressing a build's largest file takes a second; at this one, the result is a few percent
 * larger.
 */
const brotliQuality = 9
const pack: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (bytes) => promisify(gzip)(bytes),
}

/**
 * Returns the best encoding that a caller accepts; undefined if it accepts none of them.
 *
 * @param accepted - The `accept-encoding` header.
 */
export function chooseEncoding(accepted = ''): Encoding | undefined {
  // `trim` rather than a regular expression, which would take quadratic time for many spaces.
  const named = accepted.split(',').map((one) => one.split(';').map((part) => part.trim().toLowerCase()))
  const isAccepted = (name: string): boolean =>
    named.some(([coding, ...parameters]) => coding === name && !parameters.some((one) => /^q=0(\.0*)?$/.test(one)))
  return encodings.find(isAccepted)
}

/** Compresses an immutable file, once per encoding. */
export function createPacking(read: () => Promise<Uint8Array>): (encoding: Encoding) => Promise<Uint8Array> {
  const packed = new Map<Encoding, Promise<Uint8Array>>()
  return (encoding) => {
    const existingPacking = packed.get(encoding)
    if (existingPacking) return existingPacking
    const packing = read().then(pack[encoding])
    packed.set(encoding, packing)
    // A file that could not be read may exist at the next request.
    packing.catch(() => packed.delete(encoding))
    return packing
  }
}
