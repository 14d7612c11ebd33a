/** The alphabet of GSM 03.38, without letters and digits, and its extension table. */
const signs = '@£$¥\n\r_ !"#¤%&\'()*+,-./:;<=>?¡§¿\f^{}\\[~]|€'
const letters = 'èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉÄÖÑÜäöñüà'
const alphabet: ReadonlySet<string> = new Set(signs + letters)

/**
 * Returns whether a text can be sent in the GSM alphabet. Any other text is sent as UCS-2, in which an SMS has only 70
 * instead of 160 characters.
 */
export function isGsmText(text: string): boolean {
  return [...text].every((character) => /^[A-Za-z0-9]$/.test(character) || alphabet.has(character))
}
