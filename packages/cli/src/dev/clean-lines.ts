import type { Readable } from 'node:stream'

const maxLineLength = 10_000

/** Calls back with each line of a stream, without cursor control sequences but with colors. */
export function cleanLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split(/\r?\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(clean(line))
    if (rest.length > maxLineLength) {
      onLine(clean(rest))
      rest = ''
    }
  })
  stream.on('end', () => {
    if (rest !== '') onLine(clean(rest))
  })
  stream.on('error', () => undefined)
}

function clean(line: string): string {
  return line
    .replaceAll(/\u001b\[[0-9;?]*[A-LN-Za-ln-z]/g, '')
    .replaceAll(/\u001b(?!\[[0-9;]*m)[^[]?/g, '')
    .replaceAll(/[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f]/g, '')
}
