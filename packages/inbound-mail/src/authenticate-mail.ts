import { authenticate } from 'mailauth'
import { RefusedMailError } from './refused-mail.ts'

/**
 * The authentication of an email's From address: `fail` if its domain rejects it, `none` if the domain has no policy.
 */
export type Verdict = 'pass' | 'fail' | 'none'

/** The result of one DKIM signature. */
export interface DkimResult {
  /** Such as `pass`, `fail` or `neutral`. */
  readonly result: string
  /** The signing domain. */
  readonly domain: string
  /** The selector of its key. */
  readonly selector: string
}

/** The authentication of an email's sender. */
export interface Authentication {
  /** Whether the From address passes DMARC or, without a DMARC policy, SPF or DKIM for the same domain. */
  readonly verdict: Verdict
  /** Whether the server is authorized to send for the envelope domain. */
  readonly spf: { readonly result: string; readonly domain: string }
  /** The signatures. */
  readonly dkim: readonly DkimResult[]
  /** The DMARC policy of the From domain for unauthenticated mail. */
  readonly dmarc: { readonly result: string; readonly domain: string; readonly policy: string }
}

/** Looks up DNS records, with the signature of Node's `resolve`. */
export type FindRecords = (name: string, type: never, options: { readonly signal: AbortSignal }) => Promise<unknown>

/** The input of an authentication. */
export interface Sending {
  /** The email as received. */
  readonly raw: Buffer
  /** The address of the sending server. */
  readonly remoteAddress: string
  /** The name of the sending server in EHLO. */
  readonly helo: string
  /** The envelope sender. */
  readonly envelopeFrom: string
  /** The address in the From header. */
  readonly author: string
  /** The name of the receiving server. */
  readonly hostName: string
}

const maxSignatures = 10

/**
 * Checks SPF, DKIM and DMARC.
 *
 * @param sending - The email and its sender.
 * @param findRecords - Looks up DNS records.
 * @throws {RefusedMailError} The author's domain rejects the email, or its name servers do not respond.
 */
export async function authenticateMail(
  sending: Sending,
  findRecords: (name: string, type: string) => Promise<unknown>,
): Promise<Authentication> {
  const { raw, remoteAddress: ip, helo, envelopeFrom, author, hostName } = sending
  const head = raw.subarray(0, raw.indexOf('\r\n\r\n') + 1 || raw.length).toString('latin1')
  if ((head.match(/^dkim-signature:/gim) ?? []).length > maxSignatures)
    throw new RefusedMailError({ code: 554, message: `5.7.1 The mail has more than ${maxSignatures} signatures.` })
  const { spf, dkim, dmarc } = await authenticate(raw, {
    ...{ ip, helo, sender: envelopeFrom || `postmaster@${helo}`, mta: hostName },
    ...{ disableArc: true, disableBimi: true, minBitLength: 1024 },
    resolver: findRecords as never,
  })
  const results = dkim.results.map(({ status, signingDomain, selector }) => ({
    ...{
      result: toResult(status.result),
      domain: signingDomain,
      selector: selector ?? '',
      isAligned: Boolean(status.aligned),
    },
  }))
  const from = author.split('@').at(-1)?.toLowerCase() ?? ''
  const sender = spf ? { result: toResult(spf.status.result), domain: spf.domain } : { result: 'none', domain: '' }
  const policy = dmarc ? { result: dmarc.status.result, domain: dmarc.domain, policy: dmarc.policy ?? '' } : undefined
  const isProved =
    (sender.result === 'pass' && sender.domain.toLowerCase() === from) ||
    results.some(({ result, isAligned }) => result === 'pass' && isAligned)
  const verdict = policy?.result === 'pass' ? 'pass' : policy?.result === 'fail' ? 'fail' : isProved ? 'pass' : 'none'
  const isUnclear = [sender, policy, ...results].some((one) => one?.result === 'temperror')
  if (verdict !== 'pass' && isUnclear) throw putOff(from)
  if (verdict === 'fail' && policy?.policy.toLowerCase() === 'reject')
    throw new RefusedMailError({
      code: 550,
      message: `5.7.26 The sender ${from} is not authenticated, and its domain rejects such mail (DMARC p=reject).`,
    })
  return {
    verdict,
    spf: sender,
    dkim: results.map(({ isAligned: _, ...result }) => result),
    dmarc: policy ?? { result: 'none', domain: from, policy: '' },
  }
}

/** Normalizes a result for which the library has two names. */
const toResult = (result: string): string => (result === 'temperr' ? 'temperror' : result)

const putOff = (domain: string): RefusedMailError =>
  new RefusedMailError({ code: 451, message: `4.7.24 The name servers of ${domain} do not answer. Try again later.` })
