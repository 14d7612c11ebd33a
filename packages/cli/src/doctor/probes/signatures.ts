import { createFinding, type Finding } from '../base/finding.ts'
import type { Patient, Probe } from '../base/probe.ts'
import { describeAnswer, type SignatureFault, send } from '../base/send.ts'

/** A wrong signature, and the code it must be refused with. */
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
    title: 'refuses calls signed with another key',
    what: 'A call signed with another key',
    code: 'SignatureMismatchError',
    fault: { key: 'this-is-not-the-key-of-the-environment' },
  },
  {
    name: 'changed-body',
    title: 'refuses calls whose body was changed',
    what: 'A call whose body is not the one that was signed',
    code: 'SignatureMismatchError',
    fault: { body: '{"payload":{"changed":"on its way"}}' },
  },
  {
    name: 'old-signature',
    title: 'refuses signatures of ten minutes ago',
    what: 'A call signed ten minutes ago',
    code: 'SignatureExpiredError',
    fault: { offsetMs: -10 * minuteMs },
  },
  {
    name: 'early-signature',
    title: 'refuses signatures of ten minutes ahead',
    what: 'A call signed ten minutes ahead of time',
    code: 'SignatureExpiredError',
    fault: { offsetMs: 10 * minuteMs },
  },
  {
    name: 'malformed-signature',
    title: 'refuses malformed signatures',
    what: 'A call whose signature has no v1',
    code: 'SignatureInvalidError',
    fault: { text: 't=1700000000000' },
  },
]

/** Wrong signatures, a probe each. */
export const signatures: readonly Probe[] = wrongs.map(({ name, title, what, code, fault }) => ({
  name,
  title,
  skip: toReason,
  async run(patient): Promise<readonly Finding[]> {
    const answer = await send(patient, { query: { action: 'discover' }, signature: fault })
    if (answer === undefined || (answer.status === 401 && answer.code === code)) return []
    const isRefused = answer.status === 401
    return [
      createFinding(name, {
        code,
        severity: isRefused ? 'warning' : 'error',
        message: `${what} ${describeAnswer(answer)}; it must be refused with 401 ${code}.`,
        cause: isRefused
          ? 'Something in front of the bridge refuses it, or the bridge is of another framework.'
          : 'The signature is not verified: it is a bridge of another framework, or something in front of it answers.',
        fix: 'Serve the bridge with Trestle, and let signed calls pass to it as they are.',
      }),
    ]
  },
}))

function toReason({ isOpen, reply, key }: Patient): string | undefined {
  if (isOpen) return 'strict authentication is off'
  if (key === undefined && reply === undefined) return 'no secret key was given'
  return undefined
}
