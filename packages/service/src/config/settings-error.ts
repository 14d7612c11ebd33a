/** Thrown for an option or a variable that cannot be used; says which, and what it may be. */
export class SettingsError extends TypeError {
  override readonly name = 'SettingsError'
}
