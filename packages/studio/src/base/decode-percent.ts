/** Decodes a part of a path. A hand-written path may contain anything, so an invalid one stays unchanged. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
