import { readText } from '../../json/json.ts'
import { isSame } from './proof.ts'
import type { ReportReader } from './report.ts'

const minLength = 16

/**
 * How providers prove their calls if they do not sign them: with a password that the user chose, as basic
 * authentication with any user or as a bearer token.
 */
export const passwordProof: Pick<ReportReader, 'credential' | 'findFault' | 'mayBeGenuine' | 'isGenuine'> = {
  credential: 'webhookKey',
  findFault: (value) => (value.length < minLength ? `must have at least ${minLength} characters` : undefined),
  mayBeGenuine: ({ header }) => readPassword(header('authorization')) !== undefined,
  isGenuine({ header }, { webhookKey }) {
    const [given, key] = [readPassword(header('authorization')), readText(webhookKey) ?? '']
    return key.length >= minLength && given !== undefined && isSame(given, key)
  },
}

function readPassword(authorization = ''): string | undefined {
  const [, scheme = '', value = ''] = /^(basic|bearer) +(\S+)$/i.exec(authorization) ?? []
  if (scheme.toLowerCase() === 'bearer') return value
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? []
  return password
}
