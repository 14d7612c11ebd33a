/** The error codes of the documentation, read while the studio is built. */
declare module 'virtual:error-texts' {
  const errorTexts: readonly import('./parse-error-texts.ts').ErrorText[]
  export default errorTexts
}
