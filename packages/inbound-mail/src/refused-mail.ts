/** Why a mail or a recipient is rejected, as the sending server receives it. */
export interface MailRefusal {
  /** The SMTP code: 4xx to retry later, 5xx to give up. */
  readonly code: number
  /** The enhanced code and the reason, such as `5.1.1 There is no such address.` */
  readonly message: string
}

/** Thrown for a rejected mail. */
export class RefusedMailError extends Error {
  override readonly name = 'RefusedMailError'
  /** The SMTP code. */
  readonly responseCode: number

  /** @param refusal - The reason. */
  constructor({ code, message }: MailRefusal) {
    super(message)
    this.responseCode = code
  }
}
