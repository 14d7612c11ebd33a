import type { CredentialField, Integration, JsonObject, Provider } from '../../api/generated/resources.ts'
import type { FormField, FormValues } from '../../resource/form-field.ts'

/** The placeholder that the service returns instead of a secret. A credential with this value keeps its saved value. */
const mask = '******'

/** Credentials share the form with other fields. */
const prefix = 'credentials.'

/** The credential fields of an integration form, and their values. */
export interface CredentialForm {
  readonly fields: readonly FormField[]
  /** The credential values; empty for secrets, which are not shown. */
  readonly initial: FormValues
  /** Returns the credentials from the form values. */
  toCredentials(values: FormValues): JsonObject
}

/**
 * Returns the form for a provider's credentials. Saved credentials without a field are preserved.
 *
 * @param provider - The provider; undefined if the service has no description of it.
 * @param saved - The credentials as the service returns them; empty for a new integration.
 */
export function toCredentialForm(provider: Provider | undefined, saved: JsonObject = {}): CredentialForm {
  const knownFields = provider?.fields ?? []
  const names = new Set(knownFields.map(({ name }) => name))
  const others = Object.keys(saved).filter((name) => !names.has(name) && isText(saved[name]))
  const all: readonly CredentialField[] = [
    ...knownFields,
    ...others.map((name) => ({ name, label: name, required: false, secret: saved[name] === mask })),
  ]
  const isMasked = (name: string): boolean => Object.hasOwn(saved, name) && saved[name] === mask
  return {
    fields: all.map((field) => toField(field, isMasked(field.name))),
    initial: Object.fromEntries(
      all.map(({ name, kind }) => [
        prefix + name,
        kind === 'switch' ? isTrue(saved[name]) : isMasked(name) ? '' : (saved[name] ?? ''),
      ]),
    ),
    toCredentials(values) {
      const kept = Object.entries(saved).filter(([name]) => !all.some((field) => field.name === name))
      const given = all.flatMap(({ name, kind }) => {
        const value = values[prefix + name]
        if (kind === 'switch') return value === true || isTrue(saved[name]) ? [[name, value === true]] : []
        if (value === '' || value === undefined) return isMasked(name) ? [[name, mask]] : []
        return [[name, value]]
      })
      return Object.fromEntries([...kept, ...given]) as JsonObject
    },
  }
}

function toField({ name, label, hint, kind, secret, required }: CredentialField, isMasked: boolean): FormField {
  return {
    name: prefix + name,
    label,
    kind,
    hint,
    secret: secret === true && kind !== 'multiline',
    required: required && !isMasked,
    placeholder: isMasked ? 'Saved. Type to replace it.' : undefined,
    mono: kind !== 'switch' && !['from', 'senderName', 'replyTo'].includes(name),
  }
}

const isText = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'
const isTrue = (value: unknown): boolean => value === true || value === 'true'

/** The fields of an integration other than its credentials. */
export const integrationFields: Readonly<Record<'name' | 'identifier' | 'active' | 'check', FormField>> = {
  name: { name: 'name', label: 'Name', required: true },
  identifier: {
    name: 'identifier',
    label: 'Identifier',
    mono: true,
    hint: 'Triggers use it to choose an integration.',
  },
  active: { name: 'active', label: 'Active', kind: 'switch', hint: 'Delivers the messages of its channel.' },
  check: {
    name: 'check',
    label: 'Verify when saving',
    kind: 'switch',
    hint: 'Checks the settings first; for SMTP, also the account.',
  },
}

/** Returns the request body that saves an integration, including its credentials. */
export function toIntegrationBody(values: FormValues, form: CredentialForm): JsonObject {
  const { name, identifier, active, check } = values
  return {
    name,
    active,
    check,
    ...(identifier !== '' && identifier !== undefined && { identifier }),
    credentials: form.toCredentials(values),
  }
}

/** Returns the values of a saved integration. */
export function toValues({ name, identifier, active }: Integration): FormValues {
  return { name, identifier, active, check: false }
}
