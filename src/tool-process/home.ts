/** The folder of the config. */
export const home = process.cwd()

/** Undoes a `chdir`: one call must not move the next. */
export const goHome = (): void => {
  try {
    if (process.cwd() !== home) process.chdir(home)
  } catch {
    // The folder is gone; a tool that needs it will say so.
  }
}
