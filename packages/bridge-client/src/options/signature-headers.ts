import { signatureHeader } from '@trestle/protocol'

/**
 * The only signature header that `@novu/framework` bridges read. Sent by default until version 1.0, then only on
 * request.
 */
const formerHeader = 'novu-signature'

/**
 * Returns the headers that carry the signature of a call.
 *
 * @param option - The option `signatureHeader`, which replaces all other headers.
 * @param env - The environment variables; `SERVICE_BRIDGE_SIGNATURE_HEADER` also replaces all other headers.
 * @example
 * for (const name of toSignatureHeaders()) headers[name] = signature
 */
export function toSignatureHeaders(
  option?: string | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] {
  const only = option ?? env['SERVICE_BRIDGE_SIGNATURE_HEADER']
  return only ? [only.toLowerCase()] : [signatureHeader, formerHeader]
}
