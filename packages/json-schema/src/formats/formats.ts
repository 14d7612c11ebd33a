import { isEmail, isHostname, isIpv4, isIpv6, isUri, isUriReference, isUriTemplate, isUrl } from './address.ts'
import { isCron } from './cron.ts'
import { isDate, isDateTime, isDuration, isTime } from './time.ts'

type FormatTest = (text: string) => boolean

const jsonPointer = /^(?:\/(?:[^~/]|~[01])*)*$/

const formats: ReadonlyMap<string, FormatTest> = new Map([
  ['date-time', isDateTime],
  ['date', isDate],
  ['time', isTime],
  ['duration', isDuration],
  ['cron', isCron],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['url', isUrl],
  ['uri', isUri],
  ['uri-reference', isUriReference],
  ['uri-template', isUriTemplate],
  ['uuid', (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)],
  ['regex', isRegex],
  ['json-pointer', (text) => jsonPointer.test(text)],
  ['json-pointer-uri-fragment', (text) => /^#(?:\/(?:[\w.!$&'()*+,;:=@-]|%[\da-f]{2}|~[01])*)*$/i.test(text)],
  ['relative-json-pointer', (text) => /^(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~/]|~[01])*)*)$/.test(text)],
])

/** Returns the check of a format; `undefined` if the format is not checked. */
export function findFormat(name: string): FormatTest | undefined {
  return formats.get(name)
}

function isRegex(text: string): boolean {
  // JavaScript reads the end anchor of other languages as a letter.
  if (/[^\\]\\Z/.test(text)) return false
  try {
    return Boolean(new RegExp(text, 'u'))
  } catch {
    return false
  }
}
