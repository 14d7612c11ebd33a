import { ApiError } from '../api/api-error.ts'

const maxParts = 200

/** A file of a form. */
export interface FormFile {
  /** Its name, as the sender has it. */
  readonly name: string
  /** Its text. */
  readonly text: string
}

/**
 * Returns the fields of a multipart body by name, without the `[]` that marks a list: texts and files as they are, and
 * lists of these where a name comes more than once or is marked as a list.
 *
 * @param body - The body as received.
 * @param contentType - The header `Content-Type`, which holds the boundary.
 * @throws {ApiError} 415 for another kind of body, 400 for one that is not well formed or has a file that is not UTF-8.
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
    // The parser of the platform; it reads what has arrived and nothing else.
    const form = await new Response(Uint8Array.from(body), { headers: { 'content-type': contentType } }).formData()
    return [...form]
  } catch {
    throw new ApiError(400, 'The form is not well formed: its parts do not fit the boundary in "Content-Type".')
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
