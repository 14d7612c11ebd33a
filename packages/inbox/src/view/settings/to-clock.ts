/** Converts a time of a schedule, `09:00` or `9:00 PM`, to the format of `<input type="time">`. */
export function toClock(time: string): string {
  const [, hour = '0', minute = '00', half] = /^(\d{1,2}):(\d\d) ?([ap]m)?$/i.exec(time) ?? []
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  return `${String(hours % 24).padStart(2, '0')}:${minute}`
}
