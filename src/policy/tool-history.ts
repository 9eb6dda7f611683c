/** Whether a provider refused a request because its transcript holds tool calls and it offers no tools. */
export const refusesHistory = (message: string): boolean =>
  /\bHTTP 4(?:00|22)\b/.test(message) && /\btool/i.test(message)
