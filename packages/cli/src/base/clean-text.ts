/**
 * Removes control characters from external text, so that it cannot move the cursor or fake a line. Line ends and tabs
 * become spaces.
 *
 * @param maxLength - The maximum number of characters. @default 2000
 */
export function cleanText(text: string, maxLength = 2000): string {
  const line = text
    .replaceAll(/[\t\r\n]+/g, ' ')
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '')
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line
}
