/** Returns the processor time of all threads of this process, in milliseconds. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return Math.ceil((user + system) / 1000)
}
