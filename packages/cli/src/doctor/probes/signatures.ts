import { createFinding, type Finding } from '../base/finding.ts'
import type { Probe, ProbeContext } from '../base/probe.ts'
import { describeAnswer, type SignatureFault, send } from '../base/send.ts'

/** An invalid signature, and the expected error code. */
interface WrongSignature {
  readonly name: string
  readonly title: string
  readonly what: string
  readonly code: string
  readonly fault: SignatureFault
}

const minuteMs = 60_000

const wrongs: readonly WrongSignature[] = [
  {
    name: 'wrong-key',
    title: 'rejects calls signed with a different key',
    what: 'A call signed with another key',
    code: 'SignatureMismatchError',
    fault: { key: 'this-is-not-the-key-of-the-environment' },
  },
  {
    name: 'changed-body',
    title: 'rejects calls with a changed body',
    what: 'A call with a changed body',
    code: 'SignatureMismatchError',
    fault: { body: '{"payload":{"changed":"on its way"}}' },
  },
  {
    name: 'old-signature',
    title: 'rejects signatures ten minutes old',
    what: 'A call signed ten minutes ago',
    code: 'SignatureExpiredError',
    fault: { offsetMs: -10 * minuteMs },
  },
  {
    name: 'early-signature',
    title: 'rejects signatures ten minutes in the future',
    what: 'A call signed ten minutes in the future',
    code: 'SignatureExpiredError',
    fault: { offsetMs: 10 * minuteMs },
  },
  {
    name: 'malformed-signature',
    title: 'rejects malformed signatures',
    what: 'A call whose signature has no v1',
    code: 'SignatureInvalidError',
    fault: { text: 't=1700000000000' },
  },
]

/** Invalid signatures, with one probe each. */
export const signatures: readonly Probe[] = wrongs.map(({ name, title, what, code, fault }) => ({
  name,
  title,
  skip: toReason,
  async run(context): Promise<readonly Finding[]> {
    const answer = await send(context, { query: { action: 'discover' }, signature: fault })
    if (answer === undefined || (answer.status === 401 && answer.code === code)) return []
    const isRefused = answer.status === 401
    return [
      createFinding(name, {
        code,
        severity: isRefused ? 'warning' : 'error',
        message: `${what} ${describeAnswer(answer)}; it must be rejected with 401 ${code}.`,
        cause: isRefused
          ? 'Something in front of the bridge rejects it, or the bridge is from another framework.'
          : 'The signature is not verified: the bridge is from another framework, or a proxy answers.',
        fix: 'Serve the bridge with Trestle, and forward signed calls to it unchanged.',
      }),
    ]
  },
}))

function toReason({ isOpen, reply, key }: ProbeContext): string | undefined {
  if (isOpen) return 'strict authentication is off'
  if (key === undefined && reply === undefined) return 'no secret key was given'
  return undefined
}
