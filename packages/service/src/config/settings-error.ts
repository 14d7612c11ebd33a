/** Thrown for an invalid option or variable; the message names it and describes the allowed values. */
export class SettingsError extends TypeError {
  override readonly name = 'SettingsError'
}
