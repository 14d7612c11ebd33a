import { domainToASCII } from 'node:url'
import { authenticate, type DKIMResult, dmarc } from 'mailauth'
import { authorRefusal, RefusedMailError } from './refused-mail.ts'

/**
 * The authentication of an email's From address: `fail` if its domain rejects it, `none` if the domain has no policy.
 */
export type Verdict = 'pass' | 'fail' | 'none'

/** The result of one DKIM signature. */
export interface DkimResult {
  /** Such as `pass`, `fail` or `neutral`; `policy` if it does not cover the From header and the whole body. */
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
  /** The email as received, with a header that `checkHeader` accepts. */
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

/**
 * Checks SPF, DKIM and DMARC.
 *
 * @param sending - The email and its sender.
 * @param findRecords - Looks up DNS records.
 * @throws {RefusedMailError} The author's domain rejects the email, or its name servers do not respond; or the author
 * is not the only address in the From header.
 */
export async function authenticateMail(
  sending: Sending,
  findRecords: (name: string, type: string) => Promise<unknown>,
): Promise<Authentication> {
  const { raw, remoteAddress: ip, helo, envelopeFrom, author, hostName } = sending
  const resolver = findRecords as never
  const { spf, dkim } = await authenticate(raw, {
    ...{ ip, helo, sender: envelopeFrom || `postmaster@${helo}`, mta: hostName },
    ...{ disableArc: true, disableBimi: true, disableDmarc: true, minBitLength: 1024 },
    resolver,
  })
  // The library aligns signatures with the address that it reads, so that must be the address that the service shows.
  const [signedAuthor, ...others] = dkim.headerFrom
  if (signedAuthor?.toLowerCase() !== author.toLowerCase() || others.length > 0) throw authorRefusal()
  const from = author.split('@').at(-1)?.toLowerCase() ?? ''
  const sender = spf ? { result: toResult(spf.status.result), domain: spf.domain } : { result: 'none', domain: '' }
  const signatures = dkim.results.map((signature) => ({
    ...{ result: toDkimResult(signature), domain: signature.signingDomain, selector: signature.selector ?? '' },
    isAligned: Boolean(signature.status.aligned),
  }))
  const policy = await findPolicy({ author, sender, signatures }, resolver)
  const isProved =
    (sender.result === 'pass' && sender.domain.toLowerCase() === from) ||
    signatures.some(({ result, isAligned }) => result === 'pass' && isAligned)
  const verdict = policy?.result === 'pass' ? 'pass' : policy?.result === 'fail' ? 'fail' : isProved ? 'pass' : 'none'
  const isUnclear = [sender, policy, ...signatures].some((one) => one?.result === 'temperror')
  if (verdict !== 'pass' && isUnclear) throw putOff(from)
  if (verdict === 'fail' && policy?.policy.toLowerCase() === 'reject')
    throw new RefusedMailError({
      code: 550,
      message: `5.7.26 The sender ${from} is not authenticated, and its domain rejects such mail (DMARC p=reject).`,
    })
  return {
    verdict,
    spf: sender,
    dkim: signatures.map(({ isAligned: _, ...signature }) => signature),
    dmarc: policy ?? { result: 'none', domain: from, policy: '' },
  }
}

interface Evidence {
  readonly author: string
  readonly sender: Authentication['spf']
  readonly signatures: readonly DkimResult[]
}

/** Applies the DMARC policy of the author's domain to the results that pass. */
async function findPolicy(
  { author, sender, signatures }: Evidence,
  resolver: never,
): Promise<Authentication['dmarc'] | undefined> {
  const spfDomains = sender.result === 'pass' ? [sender.domain] : []
  const dkimDomains = signatures.filter(({ result }) => result === 'pass').map(({ domain }) => domain)
  const policy = await dmarc({
    ...{ headerFrom: author, spfDomains, resolver },
    dkimDomains: dkimDomains.map((domain) => ({ domain })),
  })
  if (!policy) return undefined
  const { status, domain, policy: wanted = '', alignment } = policy
  if (status.result !== 'pass') return { result: status.result, domain, policy: wanted }
  // The library accepts subdomains even if the domain asks for the same domain (`aspf=s`, `adkim=s`).
  const from = toAscii(author.split('@').at(-1) ?? '')
  const isProved = ({ strict, result }: { strict: boolean; result: string | false }, domains: readonly string[]) =>
    strict ? domains.some((one) => toAscii(one) === from) : Boolean(result)
  const isAligned = isProved(alignment.spf, spfDomains) || isProved(alignment.dkim, dkimDomains)
  return { result: isAligned ? 'pass' : 'fail', domain, policy: wanted }
}

const toAscii = (domain: string): string => domainToASCII(domain.toLowerCase()) || domain.toLowerCase()

/** The fields of a signature that the types of the library omit. */
interface Signed {
  /** The names of the signed headers, such as `From: Subject`. */
  readonly signingHeaders?: { readonly keys: string }
}

/**
 * Returns the result of a signature. Anyone can add text to an email after the signed part of its body (`l=`), or
 * replace an unsigned From header. RFC 6376 lets receivers ignore the former and requires them to ignore the latter.
 */
function toDkimResult(signature: DKIMResult): string {
  const { status, signingHeaders } = signature as DKIMResult & Signed
  const result = toResult(status.result)
  const names = signingHeaders?.keys.toLowerCase().split(': ') ?? []
  return result === 'pass' && (status.underSized || !names.includes('from')) ? 'policy' : result
}

/** Normalizes a result for which the library has two names. */
const toResult = (result: string): string => (result === 'temperr' ? 'temperror' : result)

const putOff = (domain: string): RefusedMailError =>
  new RefusedMailError({ code: 451, message: `4.7.24 The name servers of ${domain} do not answer. Try again later.` })
