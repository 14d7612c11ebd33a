/** The framework's name, as answers to verified calls tell it. */
export const frameworkName = 'trestle'

/** The framework's version: that of the package. A test holds it against `package.json`. */
export const frameworkVersion = '0.1.0'
