import { isUtf8 } from 'node:buffer'

/** The text of a file. */
export interface DecodedText {
  readonly text: string
  /** Whether the file can be written as UTF-8 without changing its encoding. */
  readonly isUtf8: boolean
}

/** Decodes the bytes of a file. Other encodings than UTF-8 are recognized well enough to find names in the text. */
export function decode(bytes: Buffer): DecodedText {
  const utf16 = toUtf16(bytes)
  if (utf16 === undefined && isUtf8(bytes)) return { text: bytes.toString(), isUtf8: true }
  return { text: new TextDecoder(utf16 ?? 'latin1').decode(bytes), isUtf8: false }
}

/** Without a byte order mark, the first character reveals UTF-16: it is ASCII in nearly every file. */
function toUtf16([first, second]: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || first === 0 ? 'utf-16be' : undefined
}
