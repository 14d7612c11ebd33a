/** Where bridges reach the API of this process. */
export interface ServiceAddress {
  /** Returns the address, without a slash at its end. */
  readonly read: () => string
  /** Sets the address it listens at; the one of the settings wins. */
  readonly listensAt: (url: string) => void
}

/**
 * Creates the address of the service. It never comes from a request.
 *
 * @param publicUrl - The address of the settings, where there is one.
 */
export function createServiceAddress(publicUrl: string | undefined): ServiceAddress {
  let url = publicUrl
  return {
    read() {
      if (url === undefined) throw new Error('The service does not listen yet.')
      return url.replace(/\/+$/, '')
    },
    listensAt(listening) {
      url = publicUrl ?? listening
    },
  }
}
