import { ApiError } from '../../api/api-error.ts'
import { maxPasswordLength, minPasswordLength } from './passwords.ts'

/**
 * Checks a new password.
 *
 * @param email - The email address of the account.
 * @throws {ApiError} 422
 */
export function checkPassword(password: string, email: string): void {
  const problem = findProblem(password, email)
  if (problem === undefined) return
  const errors = { password: { messages: [problem] } }
  throw new ApiError(422, `The password ${problem}.`, { errors })
}

function findProblem(password: string, email: string): string | undefined {
  if (password.length < minPasswordLength) return `must have at least ${minPasswordLength} characters`
  if (password.length > maxPasswordLength) return `must have at most ${maxPasswordLength} characters`
  if (new Set(password).size < 5) return 'must have at least 5 different characters'
  if (password.toLowerCase().includes(email.toLowerCase())) return 'must not contain your email address'
  return undefined
}
