import { authorRefusal, RefusedMailError } from './refused-mail.ts'

/** The headers of RFC 5322, 3.6, and of MIME that may occur once. `From` is not listed, because it has its own message. */
const singleHeaders: ReadonlySet<string> = new Set([
  ...['date', 'sender', 'reply-to', 'to', 'cc', 'bcc', 'message-id', 'in-reply-to', 'references', 'subject'],
  ...['mime-version', 'content-type', 'content-transfer-encoding', 'content-id', 'content-description'],
  'content-disposition',
])
const maxHeaderFields = 1000
const maxSignatures = 10

/**
 * Checks the header of an email before libraries read it. One library returns its parts, the other one verifies its
 * signatures. They differ in how they read malformed lines, and in which of two `Subject` headers they use. Without this
 * check, an email could be authenticated with one author or subject and shown with another.
 *
 * @param raw - The email as received.
 * @throws {RefusedMailError} Readers could disagree about the header, or it exceeds the limits.
 */
export function checkHeader(raw: Uint8Array): void {
  const counts = new Map<string, number>()
  const lines = readHeaderLines(raw)
  for (const [index, line] of lines.entries()) {
    const name = readName(line, index)
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (total > maxHeaderFields) throw refuse(`The mail has more than ${maxHeaderFields} header fields.`)
  if ((counts.get('dkim-signature') ?? 0) > maxSignatures)
    throw new RefusedMailError({ code: 554, message: `5.7.1 The mail has more than ${maxSignatures} signatures.` })
  if (counts.get('from') !== 1) throw authorRefusal()
  const repeated = [...counts].find(([name, count]) => count > 1 && singleHeaders.has(name))
  if (repeated) throw refuse(`The mail has ${repeated[1]} headers "${repeated[0]}", but only one is allowed.`)
}

/** Returns the lines of the header, which ends at the first empty line. */
function readHeaderLines(raw: Uint8Array): readonly string[] {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1')
  const end = text.search(/(?<![^\n])\r?\n/)
  const lines = text.slice(0, end === -1 ? undefined : end).split(/\r?\n/)
  // The header ends with a line break, so the last line is empty unless the whole email is one unfinished line.
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Returns the name of the header that starts in a line, in lowercase; undefined for a continuation line. */
function readName(line: string, index: number): string | undefined {
  const where = `Line ${index + 1} of the header`
  // Some readers take a lone carriage return for whitespace, others for the end of the header.
  if (line.includes('\r')) throw refuse(`${where} contains a carriage return without a line feed.`)
  if (index > 0 && /^[ \t]/.test(line)) return undefined
  const [, name] = /^([\x21-\x39\x3b-\x7e]+):/.exec(line) ?? []
  if (name === undefined)
    throw refuse(`${where} does not start with a name of visible ASCII characters, directly followed by a colon.`)
  return name.toLowerCase()
}

const refuse = (reason: string): RefusedMailError => new RefusedMailError({ code: 554, message: `5.6.0 ${reason}` })
