import { isObject } from '@trestle/protocol'
import { cleanText } from './clean-text.ts'

/** Why a request failed, and how to fix it if the server's certificate is the cause. */
export interface ConnectionProblem {
  readonly why: string
  readonly fix?: string
}

const maxDepth = 5
const certificateCodes =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_\w+)$/
const certificateFix =
  'Use a certificate that is valid for this host. If its authority is private, set NODE_EXTRA_CA_CERTS to the file with the certificate of the authority.'

/**
 * Returns why a request failed: the message and code of the innermost cause, which is the error that Node reports, for
 * example `certificate has expired (CERT_HAS_EXPIRED)`. The errors around it only say that `fetch` failed.
 *
 * @param error - The error of the request.
 */
export function toConnectionProblem(error: unknown): ConnectionProblem {
  let current = error
  for (let depth = 0; depth < maxDepth; depth++) {
    const { errors, cause } = isObject(current) ? current : {}
    // A name with several addresses has one error for each.
    const inner = Array.isArray(errors) ? errors[0] : cause
    if (!isObject(inner)) break
    current = inner
  }
  const { message, code } = isObject(current) ? current : {}
  const hasCode = typeof code === 'string'
  const why = cleanText(`${String(message ?? current)}${hasCode ? ` (${code})` : ''}`)
  return hasCode && certificateCodes.test(code) ? { why, fix: certificateFix } : { why }
}
