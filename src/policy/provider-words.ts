// What providers say in words alone, in the message of a failed call.

/** Whether a provider refused a request because its transcript holds tool calls and it offers no tools. */
export const refusesToolHistory = (message: string): boolean =>
  /\bHTTP 4(?:00|22)\b/.test(message) && /\btool/i.test(message)

const TOO_LONG =
  /context[ _-](?:length|window|limit|size)|(?:prompt|input|request) (?:is|was) too (?:long|large)|too many (?:input )?tokens|maximum (?:number of )?tokens|reduce the length/i

/** Whether a provider refused a request because its messages do not fit into the model's window. */
export const saysTooLong = (message: string): boolean =>
  /\bHTTP 4(?:00|13|22)\b/.test(message) && TOO_LONG.test(message)
