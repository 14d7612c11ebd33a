/** Returns what is wrong with a template, and where. */
export function toFaultText(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply'
  const message = error instanceof Error ? error.message : String(error)
  const [, text = message, line, column] = /^(.*?)(?:, file:[^,]*)?, line:(\d+), col:(\d+)/s.exec(message) ?? []
  const place = line === undefined ? '' : ` (line ${line}, column ${column})`
  return text.slice(0, 500) + place
}
