import type { ErrorSide } from '../../errors/parse-error-texts.ts'

/** Labels of the components that report error codes. */
export const sideTexts: Readonly<Record<ErrorSide, { readonly title: string; readonly lead: string }>> = {
  bridge: { title: 'Reported by your bridge', lead: 'Your app returned one of these to the service.' },
  'bridge-client': {
    title: 'Reported by the service',
    lead: 'The service could not call your bridge, or could not read its response.',
  },
  'api-client': { title: 'Reported by the API client', lead: 'Your app could not call the service.' },
  doctor: {
    title: 'The doctor',
    lead: 'Other findings of trestle doctor: it works, but should be fixed.',
  },
}
