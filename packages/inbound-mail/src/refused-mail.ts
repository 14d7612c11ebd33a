/** Why a mail or a recipient is not accepted, as the sending server is told. */
export interface MailRefusal {
  /** The SMTP code: 4xx to come back later, 5xx to give up. */
  readonly code: number
  /** The enhanced code and the reason, such as `5.1.1 There is no such address.` */
  readonly message: string
}

/** Thrown for a mail that is not accepted. */
export class RefusedMailError extends Error {
  override readonly name = 'RefusedMailError'
  /** The SMTP code. */
  readonly responseCode: number

  /** @param refusal - Why. */
  constructor({ code, message }: MailRefusal) {
    super(message)
    this.responseCode = code
  }
}
