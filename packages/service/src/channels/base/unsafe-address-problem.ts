import type { UnsafeAddress } from '../../templates/unsafe-address.ts'
import type { Problem } from './delivery.ts'

/**
 * The problem of a message in which something that was filled in makes a link or a picture run a script.
 *
 * @param what - What was filled in, such as "The layout \"standard\"".
 * @param found - The address.
 */
export function toUnsafeAddress(what: string, { attribute, scheme }: UnsafeAddress): Problem {
  const found = attribute.startsWith('on')
    ? `the attribute "${attribute.slice(0, 50)}", which runs a script`
    : `an address with the scheme "${scheme.slice(0, 50)}:", in "${attribute}"`
  const message =
    `${what} fills in ${found}; that is not allowed there, so the message is not sent. Put the attribute's value into ` +
    'quotes, and check the data it is taken from.'
  return { code: 'unsafe_address', message, status: 'error' }
}
