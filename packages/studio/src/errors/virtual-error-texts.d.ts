/** The error codes of the documentation, parsed at build time. */
declare module 'virtual:error-texts' {
  const errorTexts: readonly import('./parse-error-texts.ts').ErrorText[]
  export default errorTexts
}
