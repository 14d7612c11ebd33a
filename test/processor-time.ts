/**
 * Returns the processor time used by this process, in milliseconds: tests compare it with their time limits. A wall
 * clock would also measure other work on the machine.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
