/** Converts bytes to Base64. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = []
  // In chunks, because a call accepts a limited number of arguments.
  for (let start = 0; start < bytes.length; start += 0x2000)
    parts.push(String.fromCharCode(...bytes.subarray(start, start + 0x2000)))
  return btoa(parts.join(''))
}
