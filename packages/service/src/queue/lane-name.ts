/** The name of a lane: the row id of an environment, or `service`, and what its work has in common. */
export type LaneName = `${string}/${string}`

/**
 * Returns the name of a lane. It contains the environment, because the work of an environment is limited, and dropped
 * after the environment was deleted.
 *
 * @param subject - The thing that the work shares, such as a workflow or an endpoint.
 */
export function toLaneName(environmentId: string, subject: string): LaneName {
  return `${environmentId}/${subject}`
}

/** Returns the environment of a lane. The names in items of earlier versions may lack it; they return other text. */
export function environmentOf(lane: string): string {
  return lane.split('/', 1)[0] ?? lane
}
