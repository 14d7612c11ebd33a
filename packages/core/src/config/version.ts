/** The framework's name, returned in responses to verified calls. */
export const frameworkName = 'trestle'

/** The framework's version. A test compares it with `package.json`. */
export const frameworkVersion = '0.1.0'
