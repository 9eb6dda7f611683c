/** Ctrl-Z: gives the terminal back before the process stops, and takes it again after. Returns the off switch. */
export const onSuspend = (leave: () => void, back: () => void): (() => void) => {
  const stop = () => {
    leave()
    process.kill(process.pid, 'SIGSTOP')
  }
  process.on('SIGTSTP', stop)
  process.on('SIGCONT', back)
  return () => {
    process.off('SIGTSTP', stop)
    process.off('SIGCONT', back)
  }
}
