import { mailAddress } from '../../api/input.ts'

const schema = mailAddress()

/** Returns whether a text is an email address. */
export const isEmail = (text: string): boolean => schema.safeParse(text).success

/** Returns an email address in the form in which it is compared and stored. */
export const toEmail = (text: string): string => text.trim().toLowerCase()
