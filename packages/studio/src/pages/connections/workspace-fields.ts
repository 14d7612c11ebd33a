import { type FormField, type FormValues, withoutEmpty } from '../../resource/form-field.ts'

/** The fields of a workspace and its tokens. Tokens are never shown, so they are entered again to save. */
export const workspaceFields: readonly FormField[] = [
  { name: 'id', label: 'Workspace id', required: true, mono: true, errorName: 'workspace.id' },
  { name: 'name', label: 'Name', errorName: 'workspace.name' },
  { name: 'botUserId', label: 'User id of the bot', mono: true, errorName: 'workspace.botUserId' },
  { name: 'accessToken', label: 'Access token', required: true, secret: true, errorName: 'auth.accessToken' },
  { name: 'refreshToken', label: 'Refresh token', secret: true, errorName: 'auth.refreshToken' },
]

/** Returns the workspace and the tokens of form values, as the API takes them. */
export function toWorkspace(values: FormValues): { readonly workspace: FormValues; readonly auth: FormValues } {
  const { id, name, botUserId, accessToken, refreshToken } = values
  return { workspace: withoutEmpty({ id, name, botUserId }), auth: withoutEmpty({ accessToken, refreshToken }) }
}
