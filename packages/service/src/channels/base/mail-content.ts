/** The content of a part of an email, and where else it may be found. */
export interface EncodedContent {
  readonly content?: string | Buffer | null | undefined
  readonly encoding?: string | null | undefined
  readonly path?: string | null | undefined
  readonly href?: string | null | undefined
  readonly contentType?: string | null | undefined
}

/** The encodings in which a text is its own content. */
const textEncodings: readonly string[] = ['', 'utf8', 'ascii', 'usascii']

/** Returns an encoding in the notation of Node.js: `UTF-16LE` is `utf16le`. */
export function toEncoding(name: string | null | undefined): string {
  return (name ?? '').toLowerCase().replaceAll(/[-_\s]/g, '')
}

/** Returns whether text in an encoding needs no decoding. */
export function isTextEncoding(name: string | null | undefined): boolean {
  return textEncodings.includes(toEncoding(name))
}

/**
 * Decodes the content of a part, or that of a data URL. Other paths and URLs are kept: the sender must reject them.
 *
 * @param part - A part with a valid encoding.
 */
export function decodeContent<T extends EncodedContent>(part: T): T {
  const { content, encoding, path, href, contentType } = part
  const data = readDataUrl(path || href || '')
  if (data) {
    const type = contentType || data.contentType
    return { ...part, content: data.content, contentType: type, encoding: undefined, path: undefined, href: undefined }
  }
  if (typeof content !== 'string' || isTextEncoding(encoding)) return part
  return { ...part, content: Buffer.from(content, toEncoding(encoding) as BufferEncoding), encoding: undefined }
}

function readDataUrl(url: string): { readonly content: Buffer; readonly contentType: string | undefined } | undefined {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1
  if (comma < 0) return undefined
  const [contentType, ...rest] = url.slice('data:'.length, comma).split(';')
  const data = url.slice(comma + 1)
  const isBase64 = rest.at(-1)?.trim().toLowerCase() === 'base64'
  return {
    content: isBase64 ? Buffer.from(data, 'base64') : Buffer.from(decode(data)),
    contentType: contentType || undefined,
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
