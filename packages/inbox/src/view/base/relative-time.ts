const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Returns how long ago a time was, in the language of the page. */
export function toAge(time: string, now: number = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(time)) / 1000)
  const language = globalThis.document?.documentElement.lang || undefined
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
  const [unit, length] = units.find(([, size]) => seconds >= size) ?? ['minute', 60]
  return format.format(-Math.floor(seconds / length), unit)
}
