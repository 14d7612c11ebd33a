/** Why an email or a recipient is rejected, as reported to the sending server. */
export interface MailRefusal {
  /** The SMTP code: 4xx to retry later, 5xx to give up. */
  readonly code: number
  /** The enhanced status code and the reason, such as `5.1.1 There is no such address.` */
  readonly message: string
}

/** Thrown for a rejected email. */
export class RefusedMailError extends Error {
  override readonly name = 'RefusedMailError'
  /** The SMTP code. */
  readonly responseCode: number

  /** @param refusal - The code and the reason. */
  constructor({ code, message }: MailRefusal) {
    super(message)
    this.responseCode = code
  }
}

/**
 * Returns the rejection of an email without exactly one author. Mail clients differ in which author they display, and in
 * whether they look for one in a group or in encoded words.
 */
export const authorRefusal = (): RefusedMailError =>
  new RefusedMailError({
    code: 550,
    message: '5.6.0 The mail must have exactly one From address, outside of groups and encoded words.',
  })
