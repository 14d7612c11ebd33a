import { ApiError } from '../api/api-error.ts'

const maxParts = 200

export interface FormFile {
  /** The file name, as sent. */
  readonly name: string
  readonly text: string
}

/**
 * Parses a multipart body. Returns strings and files by field name, without the `[]` suffix of lists, and lists if a
 * name is repeated or has the suffix.
 *
 * @param body - The body as received.
 * @param contentType - The header `Content-Type`, which contains the boundary.
 * @throws {ApiError} 415 for a different content type, 400 for a malformed body or a file that is not UTF-8.
 */
export async function readForm(
  body: Uint8Array,
  contentType: string | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? ''))
    throw new ApiError(415, 'The body must be a form with files, with the header "Content-Type: multipart/form-data".')
  const parts = await parse(body, contentType ?? '')
  if (parts.length > maxParts) throw new ApiError(400, `The form has more than ${maxParts} parts.`)
  const fields = new Map<string, unknown>()
  for (const [mark, part] of parts) {
    const name = mark.replace(/\[\d*\]$/, '')
    const value = typeof part === 'string' ? part : await readFile(part)
    const before = fields.get(name)
    const isList = name !== mark || fields.has(name)
    fields.set(name, isList ? [...(before === undefined ? [] : [before].flat()), value] : value)
  }
  return Object.fromEntries(fields)
}

async function parse(body: Uint8Array, contentType: string): Promise<readonly (readonly [string, string | File])[]> {
  try {
    // The platform's parser; it only parses the bytes that were received.
    const form = await new Response(Uint8Array.from(body), { headers: { 'content-type': contentType } }).formData()
    return [...form]
  } catch {
    throw new ApiError(400, 'The form is malformed: its parts do not match the boundary in "Content-Type".')
  }
}

async function readFile(file: File): Promise<FormFile> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    return { name: file.name, text }
  } catch {
    throw new ApiError(400, `The file ${JSON.stringify(file.name.slice(0, 200))} is not UTF-8.`)
  }
}
