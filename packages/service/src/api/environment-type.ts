interface Named {
  readonly name: string
}

/** Returns whether an environment serves real subscribers. */
export function isProduction({ name }: Named): boolean {
  return name.toLowerCase() === 'production'
}

/** Returns whether an environment is for development. */
export function isDevelopment({ name }: Named): boolean {
  return name.toLowerCase() === 'development'
}

/** Returns the type of an environment, as used by the API and bridges. */
export function toEnvironmentType(environment: Named): 'prod' | 'dev' {
  return isProduction(environment) ? 'prod' : 'dev'
}
