/**
 * Returns the processor time this process has taken, in milliseconds: what tests hold bounded work against. A clock would
 * count what else the machine does.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
