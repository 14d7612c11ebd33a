/** Returns a string that every database can store: NUL and unpaired surrogates are replaced with U+FFFD. */
export function toStorable(text: string): string {
  return text.replace(/\p{Surrogate}|\u0000/gu, '\uFFFD')
}
