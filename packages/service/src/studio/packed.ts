import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from '../api/encodings.ts'

/**
 * At the highest quality, compressing a build's largest file takes a second; at this one, the result is a few percent
 * larger.
 */
const brotliQuality = 9
const pack: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (bytes) => promisify(gzip)(bytes),
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
