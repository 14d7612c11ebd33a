import { domainToASCII } from 'node:url'
import type { z } from 'zod'
import { filledText, jsonMap, text } from '../../api/input.ts'

const maxDataKeys = 10
const maxDataLength = 500
const label = '(?!-)[a-z0-9-]{1,63}(?<!-)'
const domainPattern = new RegExp(`^(?:${label}\\.)+(?!\\d+$)${label}$`)
const localPattern = /^[a-z0-9!#$%&'+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'+/=?^_`{|}~-]+)*$/

/**
 * Returns the canonical form of a domain name: ASCII, lowercase, without a trailing dot.
 *
 * @param name - A domain as a user or a mail server wrote it.
 */
export function toDomainName(name: string): string {
  return domainToASCII(name.trim().replace(/\.$/, '')).toLowerCase()
}

export const domainName: z.ZodType<string> = text(255)
  .transform(toDomainName)
  .refine((name) => name.length <= 253 && domainPattern.test(name), 'must be a full domain, such as mail.example.com')

/** The part of an address before the `@`. */
export const localPart: z.ZodType<string> = filledText(64)
  .transform((value) => value.toLowerCase())
  .refine(
    (value) => value === '*' || localPattern.test(value),
    'must be the part of an email address before the @, such as support, or * for all other addresses',
  )

/** Custom fields of a domain or a route. */
export const dataField: z.ZodType<Readonly<Record<string, string>>> = jsonMap(text(maxDataLength), text(maxDataLength))
  .refine((data) => Object.keys(data).length <= maxDataKeys, `must have at most ${maxDataKeys} fields`)
  .refine(
    (data) => Object.entries(data).flat().join('').length <= maxDataLength,
    `must have at most ${maxDataLength} characters in names and values together`,
  )
