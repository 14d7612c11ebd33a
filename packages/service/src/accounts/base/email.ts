import { mailAddress } from '../../api/input.ts'

const schema = mailAddress()

/** Returns whether a text is a mail address. */
export const isEmail = (text: string): boolean => schema.safeParse(text).success

/** Returns a mail address as it is compared and stored. */
export const toEmail = (text: string): string => text.trim().toLowerCase()
